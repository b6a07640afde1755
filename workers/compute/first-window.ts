/**
 * The present answer to a live query, made up for the next start (src/contract/first-window.ts). It is of the store
 * that is attached when it is made, and says so.
 */
import type { FirstWindow, FirstWindowText, OverduePatch } from '../../src/contract/first-window.ts';
import { healthLater, healthyUntilMs } from '../../src/contract/health-board/health-window.ts';
import { LIVE_QUERIES } from '../../src/contract/queries/live-queries.ts';
import { parseArgs } from '../../src/contract/queries/parse-args.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import type { LiveContext, LiveHandler } from './subscriptions/live-handler.ts';

const HEALTH = LIVE_QUERIES['live-health'];
/** Components are as their checks are at that moment. */
const TOPOLOGY = new Set<object>([LIVE_QUERIES['live-topology'], LIVE_QUERIES['live-topology-outline']]);

interface Question {
  handler: LiveHandler;
  args: unknown;
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
  { handler, args }: Question,
): Promise<FirstWindowText | null> {
  const storeName = attached();
  if (storeName === null) return null;
  const patch = firstAnswer(handler, context, args);
  if (!isLoaded(patch)) return null;
  const window: FirstWindow<unknown> = { patch, later: null };
  const isTopology = TOPOLOGY.has(handler.definition);
  if (isTopology || handler.definition === HEALTH) {
    // A second board: whoever types meanwhile goes first.
    await new Promise<void>((resolve) => context.platform.later(0, resolve));
    if (storeName !== attached()) return null;
    if (isTopology) window.overdue = overdueTopology(context, { handler, args });
    else window.later = healthLaterOf(context, args);
  }
  return { storeName, text: JSON.stringify(window), untilMs: untilMs(window) };
}

/** Figures of checks are of a time that passes, too. */
function untilMs({ later, overdue }: FirstWindow<unknown>): number | null {
  const times = [later?.healthyUntilMs, later?.figuresUntilMs, overdue?.healthyUntilMs];
  const known = times.filter((one) => one !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

function healthLaterOf({ model }: LiveContext, args: unknown) {
  const asked = parseArgs(HEALTH.args, args);
  return healthLater(model.read(asked.query.timeRange), asked);
}

function overdueTopology(context: LiveContext, { handler, args }: Question): OverduePatch<unknown> {
  const topology = context.topology.whenOverdue();
  return {
    healthyUntilMs: healthyUntilMs(context.model.index.entries()),
    patch: firstAnswer(handler, { ...context, topology }, args),
  };
}
