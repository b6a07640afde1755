/**
 * What a board asks of the checks of a list at every key, as numbers that are worked out once for the list: their states,
 * and the orders that they are shown in. And which of them a search finds: a longer search looks only at what the
 * shorter one found. Where a few checks of a list changed, only these are looked at again.
 */
import type { HealthQuery } from '../worker.ts';
import { isPassing, type HealthState } from '../../domain/check/health.ts';
import { compileLabelFilter } from '../../domain/check/label-filter.ts';
import type { Entry } from './check-index.ts';
import { createListCache, renewNumbers } from '../../lib/list-cache.ts';
import { measuresOf } from './measures.ts';
import { orderItems, reorderItems, type Ordered, type SortOrder } from './sorting.ts';

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
const states = createListCache<Entry, CheckStates>(1);
const orders = createListCache<Entry, Ordered>(MOST_ORDERS);
const lastFound = createListCache<Entry, { found: Found | null }>(1);

const stateAt = ({ health }: Entry) => STATES.indexOf(health.state);
const passingAt = ({ health }: Entry) => (isPassing(health) ? 1 : 0);

/** The states of the list's checks. */
export function statesOf(entries: readonly Entry[]): CheckStates {
  return states(entries, 'states', {
    make: () => ({
      stateAt: Uint8Array.from(entries, stateAt),
      passingAt: Uint8Array.from(entries, passingAt),
    }),
    follow: (known, changes) => ({
      stateAt: renewNumbers(known.stateAt.slice(), changes, stateAt),
      passingAt: renewNumbers(known.passingAt.slice(), changes, passingAt),
    }),
  });
}

/** Positions of the list's checks, as they are shown. */
export function orderOf(entries: readonly Entry[], order: SortOrder): Uint32Array {
  const sortable = { items: entries, order, measure: measuresOf };
  return orders(entries, `${order.by} ${order.isDescending}`, {
    make: () => orderItems(sortable),
    follow: (known, changes) => reorderItems(known, sortable, changes),
  }).positions;
}

/** What a search and labels find: says it of one check. */
function searching(needle: string, labels: HealthQuery['labels']): (entry: Entry) => number {
  const hasLabels = Object.keys(labels).length === 0 ? null : compileLabelFilter(labels);
  return ({ text, check }) =>
    text.includes(needle) && (hasLabels === null || hasLabels(check.labels)) ? 1 : 0;
}

/** Which checks the search and the labels leave: 1 by position. Not to be changed. */
export function foundOf(entries: readonly Entry[], { query, labels }: HealthQuery): Uint8Array {
  const needle = query.trim().toLowerCase();
  const last = lastFound(entries, JSON.stringify(labels), {
    make: () => ({ found: null }),
    follow: ({ found }, changes) => {
      if (found === null) return null;
      const isFound = searching(found.needle, labels);
      return { found: { ...found, foundAt: renewNumbers(found.foundAt.slice(), changes, isFound) } };
    },
  });
  if (last.found?.needle === needle) return last.found.foundAt;
  const before = last.found !== null && needle.includes(last.found.needle) ? last.found.foundAt : null;
  const foundAt = new Uint8Array(entries.length);
  if (needle === '' && Object.keys(labels).length === 0) foundAt.fill(1);
  else {
    const isFound = searching(needle, labels);
    // An iterator would take several times as long, and this runs at every key.
    for (let at = 0; at < foundAt.length; at += 1) {
      const entry = entries[at];
      if (entry !== undefined && (before === null || before[at] === 1)) foundAt[at] = isFound(entry);
    }
  }
  last.found = { needle, foundAt };
  return foundAt;
}
