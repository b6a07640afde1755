/**
 * The present answer to a live query, made up for the next start (src/contract/first-window.ts). It is of the store
 * that is attached when it is made, and says so.
 */
import type { HealthLater } from '../../src/contract/first-window.ts';
import type { HealthQuery, RowWindow } from '../../src/contract/worker.ts';
import { figuresUntilMs } from '../../src/domain/check/figures.ts';
import { checkHealth, currentUntilMs } from '../../src/domain/check/health.ts';
import type { Entry } from './check-index.ts';
import { boardOf, type BoardInput } from './health-board.ts';
import type { LiveContext, LiveHandler } from './subscriptions/live-handler.ts';

/** JSON has no Infinity. */
const FOREVER = Number.MAX_SAFE_INTEGER;

const earliest = (entries: readonly Entry[], timeOf: (entry: Entry) => number) =>
  entries.reduce((first, entry) => Math.min(first, timeOf(entry)), FOREVER);

/** What becomes of the board while nothing is heard of its checks. */
export function healthLater(
  input: BoardInput,
  { query, window }: { query: HealthQuery; window: RowWindow },
): HealthLater {
  const { entries, summaryRange } = input;
  const overdue = entries.map((entry) => ({ ...entry, health: checkHealth(entry.check, FOREVER) }));
  const { frame, rows } = boardOf({ ...input, entries: overdue, facets: [] }, query);
  return {
    healthyUntilMs: earliest(entries, ({ check, health }) =>
      health.state === 'healthy' ? currentUntilMs(check) : FOREVER,
    ),
    figuresUntilMs: summaryRange === '1h' ? earliest(entries, ({ check }) => figuresUntilMs(check)) : FOREVER,
    whenOverdue: {
      generation: 0,
      frame,
      rows: { start: window.start, rows: rows(window.start, window.end) },
    },
  };
}

/** What a listener of that query would be told first. */
export function firstAnswer(handler: LiveHandler, context: LiveContext, args: unknown): unknown {
  let answer: unknown = null;
  handler
    .open(context, args, (message) => {
      answer ??= message;
    })
    .close();
  return answer;
}
