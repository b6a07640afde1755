/**
 * The first window of the health board, as it is cached for the next start and sent to a first visit
 * (src/contract/first-window.ts). What depends on the time is worked out when it is shown.
 */
import { figuresUntilMs } from '../../domain/check/figures.ts';
import { currentUntilMs, healthWhenOverdue } from '../../domain/check/health.ts';
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

type Judged = Pick<Entry, 'check' | 'health'>;

const earliest = (entries: readonly Judged[], timeOf: (entry: Judged) => number) =>
  entries.reduce((first, entry) => Math.min(first, timeOf(entry)), FOREVER);

const patchOf = (board: Board, { start, end }: RowWindow): HealthPatch => ({
  generation: 0,
  frame: board.frame,
  rows: { start, rows: board.rows(start, end) },
});

/** Up to then every check that counts as healthy is, ms on the server's clock. */
export function healthyUntilMs(entries: readonly Judged[]): number {
  return earliest(entries, ({ check, health }) =>
    health.state === 'healthy' ? currentUntilMs(check) : FOREVER,
  );
}

/** What becomes of the board while nothing is heard of its checks. */
export function healthLater(input: BoardInput, { query, window }: Asked): HealthLater {
  const { entries, summaryRange } = input;
  const overdue = entries.map((entry) => ({ ...entry, health: healthWhenOverdue(entry.check) }));
  return {
    healthyUntilMs: healthyUntilMs(entries),
    figuresUntilMs: summaryRange === '1h' ? earliest(entries, ({ check }) => figuresUntilMs(check)) : FOREVER,
    whenOverdue: patchOf(boardOf({ ...input, entries: overdue, facets: [] }, query), window),
  };
}

/** The whole of it. */
export function healthWindow(input: BoardInput, asked: Asked): FirstWindow<HealthPatch> {
  return { patch: patchOf(boardOf(input, asked.query), asked.window), later: healthLater(input, asked) };
}
