/**
 * The present answer to a live query, made up for the next start (src/contract/first-window.ts). It is of the store
 * that is attached when it is made, and says so.
 */
import type { FirstWindow, FirstWindowText } from '../../src/contract/first-window.ts';
import { healthLater, healthyUntilMs } from '../../src/contract/health-board/health-window.ts';
import { LIVE_QUERIES } from '../../src/contract/queries/live-queries.ts';
import { parseArgs } from '../../src/contract/queries/parse-args.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import type { LiveContext, LiveHandler } from './subscriptions/live-handler.ts';

const HEALTH = LIVE_QUERIES['live-health'];
/** Components are as their checks are at that moment. */
const TOPOLOGY = new Set<object>([LIVE_QUERIES['live-topology'], LIVE_QUERIES['live-topology-outline']]);

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
  if (TOPOLOGY.has(handler.definition)) window.healthyUntilMs = healthyUntilMs(context.model.index.entries());
  if (handler.definition === HEALTH) {
    const asked = parseArgs(HEALTH.args, args);
    // A second board: whoever types meanwhile goes first.
    await new Promise<void>((resolve) => context.platform.later(0, resolve));
    if (storeName !== attached()) return null;
    window.later = healthLater(context.model.read(asked.query.timeRange), asked);
  }
  return { storeName, text: JSON.stringify(window) };
}
