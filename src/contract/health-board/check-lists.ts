/**
 * What a board asks of the checks of a list at every key, as numbers that are worked out once for the list: their states,
 * and the orders that they are shown in. And which of them a search finds: a longer search looks only at what the
 * shorter one found.
 */
import type { HealthQuery } from '../worker.ts';
import { isPassing, type HealthState } from '../../domain/check/health.ts';
import { compileLabelFilter } from '../../domain/check/label-filter.ts';
import type { Entry } from './check-index.ts';
import { createListCache } from '../../lib/list-cache.ts';
import { measuresOf } from './measures.ts';
import { positionsInOrder, type SortOrder } from './sorting.ts';

/** As `CheckStates.stateAt` numbers them. */
export const STATES: readonly HealthState[] = ['healthy', 'unhealthy', 'warning', 'unknown'];

interface CheckStates {
  /** By position in the list: where the check's state is in `STATES`. */
  stateAt: Uint8Array;
  /** 1 for a check that is known to pass now. */
  passingAt: Uint8Array;
}

interface Found {
  needle: string;
  /** 1 for a check that the search and the labels leave. */
  foundAt: Uint8Array;
}

/** Few orders are gone through, one after the other. */
const MOST_ORDERS = 4;
const states = createListCache<readonly Entry[], CheckStates>(1);
const orders = createListCache<readonly Entry[], Uint32Array>(MOST_ORDERS);
const lastFound = createListCache<readonly Entry[], { found: Found | null }>(1);

/** The states of the list's checks. */
export function statesOf(entries: readonly Entry[]): CheckStates {
  return states(entries, 'states', () => ({
    stateAt: Uint8Array.from(entries, ({ health }) => STATES.indexOf(health.state)),
    passingAt: Uint8Array.from(entries, ({ health }) => (isPassing(health) ? 1 : 0)),
  }));
}

/** Positions of the list's checks, as they are shown. */
export function orderOf(entries: readonly Entry[], order: SortOrder): Uint32Array {
  return orders(entries, `${order.by} ${order.isDescending}`, () =>
    positionsInOrder(entries, order, measuresOf),
  );
}

/** Which checks the search and the labels leave: 1 by position. Not to be changed. */
export function foundOf(entries: readonly Entry[], { query, labels }: HealthQuery): Uint8Array {
  const needle = query.trim().toLowerCase();
  const last = lastFound(entries, JSON.stringify(labels), () => ({ found: null }));
  if (last.found?.needle === needle) return last.found.foundAt;
  const before = last.found !== null && needle.includes(last.found.needle) ? last.found.foundAt : null;
  const hasLabels = Object.keys(labels).length === 0 ? null : compileLabelFilter(labels);
  const foundAt = new Uint8Array(entries.length);
  if (needle === '' && hasLabels === null) foundAt.fill(1);
  else {
    for (let at = 0; at < foundAt.length; at += 1) {
      if (before !== null && before[at] === 0) continue;
      const entry = entries[at];
      if (entry === undefined || !entry.text.includes(needle)) continue;
      if (hasLabels === null || hasLabels(entry.check.labels)) foundAt[at] = 1;
    }
  }
  last.found = { needle, foundAt };
  return foundAt;
}
