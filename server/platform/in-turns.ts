/** Long work of this process in turns: between two steps of it, what else waits is done. */
import { setImmediate } from 'node:timers/promises';
import { elapsedMs } from './platform.ts';

/** A request that comes meanwhile waits no longer than this and one step. */
const TURN_MS = 10;

/** The items one by one. It goes by the clock: one document is a hundred bytes, another five megabytes. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let startedMs = elapsedMs();
  for (const item of items) {
    if (elapsedMs() - startedMs >= TURN_MS) {
      await setImmediate();
      startedMs = elapsedMs();
    }
    yield item;
  }
}
