/**
 * The outbox as it is told to a page: what changed since the last time, in messages that each cost a page only some
 * milliseconds, however many items there are. Put together by src/contract/outbox/outbox-updates.ts.
 */
import {
  MOST_TOLD_ITEMS,
  type OutboxItem,
  type OutboxUpdate,
  type OutboxView,
} from '../../../src/contract/outbox/outbox.ts';

/** What of an item changes after it was written. */
function versionOf({ order, failures, state }: OutboxItem): string {
  return `${order} ${failures} ${JSON.stringify(state)}`;
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += MOST_TOLD_ITEMS)
    yield all.slice(start, start + MOST_TOLD_ITEMS);
}

/** Tells views to one listener; the last message of a view says so. */
export function tellDifferences(listener: (update: OutboxUpdate) => void): (view: OutboxView) => void {
  let told = new Map<string, string>();
  let isFirst = true;
  return ({ items, pause, place }) => {
    const now = new Map(items.map((item) => [item.commandId, versionOf(item)]));
    const upserts = items.filter(({ commandId }) => told.get(commandId) !== now.get(commandId));
    const deletedIds = [...told.keys()].filter((commandId) => !now.has(commandId));
    told = now;
    const tell = (part: Partial<OutboxUpdate>) => {
      listener({ upserts: [], deletedIds: [], view: null, ...part, isFirst });
      isFirst = false;
    };
    for (const part of inParts(deletedIds)) tell({ deletedIds: part });
    for (const part of inParts(upserts)) tell({ upserts: part });
    tell({ view: { pause, place } });
  };
}
