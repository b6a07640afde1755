/**
 * The first window of the health board, as it is cached for the next start and sent to a first visit
 * (src/contract/first-window.ts). What depends on the time is worked out when it is shown.
 */
import { figuresUntilMs } from '../../domain/check/figures.ts';
import { currentUntilMs, healthWhenOverdue } from '../../domain/check/health.ts';
import { createListCache, renewList, renewNumbers } from '../../lib/list-cache.ts';
import type { FirstWindow, HealthLater } from '../first-window.ts';
import type { HealthPatch, HealthQuery, RowWindow } from '../worker.ts';
import type { Entry } from './check-index.ts';
import { boardOf, type Board, type BoardInput } from './health-board.ts';

/** JSON has no Infinity. */
const FOREVER = Number.MAX_SAFE_INTEGER;

interface Asked {
  query: HealthQuery;
  window: RowWindow;
}

/** Asked for again and again, of lists of which a few checks changed. */
const overdueLists = createListCache<Entry, readonly Entry[]>(1);
const ends = createListCache<Entry, Float64Array>(2);

const asOverdue = (entry: Entry): Entry => ({ ...entry, health: healthWhenOverdue(entry.check) });

/** The checks as they are once nothing was heard of them for longer than they may be silent. */
function whenOverdue(entries: readonly Entry[]): readonly Entry[] {
  return overdueLists(entries, 'overdue', {
    make: () => entries.map(asOverdue),
    follow: (known, changes) =>
      renewList(known, new Map(Array.from(changes, ([at, entry]) => [at, asOverdue(entry)]))),
  });
}

/** The earliest of a time that each check has, ms; `name` says what `timeOf` is. */
function earliest(entries: readonly Entry[], name: string, timeOf: (entry: Entry) => number): number {
  const times = ends(entries, name, {
    make: () => Float64Array.from(entries, timeOf),
    follow: (known, changes) => renewNumbers(known.slice(), changes, timeOf),
  });
  return times.reduce((first, time) => Math.min(first, time), FOREVER);
}

const patchOf = (board: Board, { start, end }: RowWindow): HealthPatch => ({
  generation: 0,
  frame: board.frame,
  rows: { start, rows: board.rows(start, end) },
});

/** Up to then every check that counts as healthy is, ms on the server's clock. */
export function healthyUntilMs(entries: readonly Entry[]): number {
  return earliest(entries, 'healthy', ({ check, health }) =>
    health.state === 'healthy' ? currentUntilMs(check) : FOREVER,
  );
}

/** What becomes of the board while nothing is heard of its checks. */
export function healthLater(input: BoardInput, { query, window }: Asked): HealthLater {
  const { entries, summaryRange } = input;
  return {
    healthyUntilMs: healthyUntilMs(entries),
    figuresUntilMs:
      summaryRange === '1h' ? earliest(entries, 'figures', ({ check }) => figuresUntilMs(check)) : FOREVER,
    whenOverdue: patchOf(boardOf({ ...input, entries: whenOverdue(entries), facets: [] }, query), window),
  };
}

/** The whole of it. */
export function healthWindow(input: BoardInput, asked: Asked): FirstWindow<HealthPatch> {
  return { patch: patchOf(boardOf(input, asked.query), asked.window), later: healthLater(input, asked) };
}
