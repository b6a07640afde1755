/**
 * Commands that are not the user's writing (how far they have read): shown nowhere, a newer one takes the place of
 * one that waits, and a refusal ends it, because there is nothing to decide. They are kept and sent like all others.
 */
import { commandNamed } from '../../../src/contract/commands/all-commands.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { OutboxChange, OutboxStore } from './outbox-port.ts';

/** What an item is about when it is quiet; null for what the user wrote. */
function dedupeKeyOf(item: Pick<OutboxItem, 'name' | 'args'>): string | null {
  const definition = commandNamed(item.name);
  const args = definition?.dedupeKey === undefined ? undefined : definition.args.safeParse(item.args);
  return args?.success === true ? `${item.name} ${definition?.dedupeKey?.(args.data) ?? ''}` : null;
}

/** Those that people are shown. */
export function withoutBackground(items: readonly OutboxItem[]): OutboxItem[] {
  return items.filter((item) => dedupeKeyOf(item) === null);
}

const mayBeReplaced = ({ state }: OutboxItem): boolean =>
  state.kind === 'kept' && state.mayHaveArrived !== true;
const isRefused = ({ state }: OutboxItem): boolean => state.kind === 'refused';

/** First one change, then another. */
function joined(first: OutboxChange, then: OutboxChange): OutboxChange {
  const gone = new Set(then.deletedIds);
  return {
    upserts: [...first.upserts.filter(({ commandId }) => !gone.has(commandId)), ...then.upserts],
    deletedIds: [...first.deletedIds, ...then.deletedIds],
  };
}

/** The store, which also takes out what is quiet and no longer of use. */
export function coalescing(store: OutboxStore): OutboxStore {
  return {
    bornMs: () => store.bornMs(),
    items: () => store.items(),
    async append(make) {
      const { item, ...change } = await store.append(make);
      const key = dedupeKeyOf(item);
      if (key === null) return { item, ...change };
      const older = (await store.items()).filter(
        (one) => one.order < item.order && mayBeReplaced(one) && dedupeKeyOf(one) === key,
      );
      if (older.length === 0) return { item, ...change };
      const orders = older.map(({ order }) => order);
      return { item, ...joined(change, await store.remove(orders, mayBeReplaced)) };
    },
    // Of many that are the user's own, none is quiet.
    appendAll: (make) => store.appendAll(make),
    claim: () => store.claim(),
    number: (orders, epoch) => store.number(orders, epoch),
    async settle(settlements, epoch) {
      const change = await store.settle(settlements, epoch);
      const ended = change.upserts.filter((item) => isRefused(item) && dedupeKeyOf(item) !== null);
      if (ended.length === 0) return change;
      const orders = ended.map(({ order }) => order);
      return joined(change, await store.remove(orders, isRefused));
    },
    expire: (epoch) => store.expire(epoch),
    seen: (cursor) => store.seen(cursor),
    remove: (orders, mayGo) => store.remove(orders, mayGo),
    replace: (orders, drafts) => store.replace(orders, drafts),
    newDevice: (epoch) => store.newDevice(epoch),
    forget: () => store.forget(),
    close: () => store.close(),
  };
}
