/**
 * The present answer to a live query, made up for the next start (src/contract/first-window.ts). It is of the store
 * that is attached when it is made, and says so.
 */
import type { FirstWindow, FirstWindowText, HealthLater } from '../../src/contract/first-window.ts';
import { LIVE_QUERIES } from '../../src/contract/queries/live-queries.ts';
import { parseArgs } from '../../src/contract/queries/parse-args.ts';
import type { HealthQuery, RowWindow } from '../../src/contract/worker.ts';
import { figuresUntilMs } from '../../src/domain/check/figures.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import { checkHealth, currentUntilMs } from '../../src/domain/check/health.ts';
import type { Entry } from './check-index.ts';
import { boardOf, type BoardInput } from './health-board.ts';
import type { LiveContext, LiveHandler } from './subscriptions/live-handler.ts';

const HEALTH = LIVE_QUERIES['live-health'];
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
  const board = boardOf({ ...input, entries: overdue, facets: [] }, query);
  return {
    healthyUntilMs: earliest(entries, ({ check, health }) =>
      health.state === 'healthy' ? currentUntilMs(check) : FOREVER,
    ),
    figuresUntilMs: summaryRange === '1h' ? earliest(entries, ({ check }) => figuresUntilMs(check)) : FOREVER,
    whenOverdue: {
      generation: 0,
      frame: board.frame,
      rows: { start: window.start, rows: board.rows(window.start, window.end) },
    },
  };
}

/** What a listener of that query would be told first. */
function firstAnswer(handler: LiveHandler, context: LiveContext, args: unknown): unknown {
  let answer: unknown = null;
  handler
    .open(context, args, (message) => {
      answer ??= message;
    })
    .close();
  return answer;
}

/** False while the store is read, and after its rows were let go. */
function isLoaded(answer: unknown): boolean {
  return isRecord(answer) && isRecord(answer.frame) && answer.frame.isLoaded === true;
}

/** `attached` says whose store is read at that moment; null where none is, or another one before this is done. */
export async function firstWindow(
  context: LiveContext,
  attached: () => string | null,
  { handler, args }: { handler: LiveHandler; args: unknown },
): Promise<FirstWindowText | null> {
  const storeName = attached();
  if (storeName === null) return null;
  const patch = firstAnswer(handler, context, args);
  if (!isLoaded(patch)) return null;
  const window: FirstWindow<unknown> = { patch, later: null };
  if (handler.definition === HEALTH) {
    const asked = parseArgs(HEALTH.args, args);
    // A second board: whoever types meanwhile goes first.
    await new Promise<void>((resolve) => context.platform.later(0, resolve));
    if (storeName !== attached()) return null;
    window.later = healthLater(context.model.read(asked.query.timeRange), asked);
  }
  return { storeName, text: JSON.stringify(window) };
}
