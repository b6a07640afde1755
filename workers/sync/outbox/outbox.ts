/**
 * The outbox as any tab has it (design §4 laws 4 to 9): writes commands, shows them, takes them out. Any tab may
 * append; only the sender sends. Every change is durable before it is told, and told to every reader of the
 * store, this thread included. It keeps nothing in memory: what is shown is what the database has.
 */
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import { AppError } from '../../../src/contract/errors.ts';
import {
  OUTBOX,
  type OutboxItem,
  type OutboxPause,
  type OutboxView,
} from '../../../src/contract/outbox/outbox.ts';
import type { Cursor } from '../../../src/contract/sync.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { SyncPlatform } from '../platform.ts';
import { MESSAGES } from './messages.ts';
import { isOutboxChange } from './outbox-reading.ts';
import { beginDraft, finishDraft, redraft, type Drafting, type WriteContext } from './outbox-drafts.ts';
import { OutboxMemory } from './outbox-memory.ts';
import { dependantsOf, isAcceptedWithoutCursor, isPassed, mayBeDropped } from './outbox-rules.ts';
import { paintedFirst } from './painted-first.ts';
import { withoutBackground } from './background-items.ts';
import { restAfter } from './view-rest.ts';
import type { Draft, NumberedBatch, OutboxChange, OutboxStore, Settlement } from './outbox-port.ts';

export interface OutboxParts {
  platform: Pick<SyncPlatform, 'later' | 'newId' | 'listen' | 'report'>;
  store: OutboxStore;
  storeName: string;
  announce: Announce;
  /** Writes down again what was in a database that somebody removed. */
  salvage?: (lost: { items: readonly OutboxItem[]; bornMs: number }) => Promise<void>;
}

function found(items: readonly OutboxItem[], commandId: string): OutboxItem {
  const item = items.find((one) => one.commandId === commandId);
  if (item === undefined) throw new AppError('not_found', MESSAGES.notThere);
  return item;
}

/** One in each worker that has the store open; they meet in the database. */
export class Outbox {
  private readonly parts: OutboxParts;
  private readonly listeners = new Set<() => void>();
  private readonly unlisten: () => void;
  private pause: OutboxPause = null;
  /** Where the feed is, as far as this worker was told. */
  private here: Cursor | null = null;
  private readonly memory = new OutboxMemory();

  constructor(parts: OutboxParts) {
    this.parts = parts;
    this.unlisten = parts.platform.listen((message) => {
      if (!isOutboxChange(message, parts.storeName)) return;
      parts.store.forget();
      this.memory.note({ upserts: message.upserts as OutboxItem[], deletedIds: message.deletedIds });
      this.tell();
    });
  }

  /** Everything that is kept, by order of writing. */
  items(): Promise<OutboxItem[]> {
    return this.parts.store.items();
  }

  async view(): Promise<OutboxView> {
    const { storeName } = this.parts;
    const bornMs = await this.heal();
    return { items: withoutBackground(await this.items()), pause: this.pause, place: { storeName, bornMs } };
  }

  /**
   * Looks whether this is still the database that it was; one that somebody removed gets back what it held, from
   * memory. Answers when the database was made.
   */
  async heal(): Promise<number> {
    const { store, salvage } = this.parts;
    const bornMs = await store.bornMs();
    if (this.memory.knows(bornMs)) return bornMs;
    const isKnown = this.memory.meet(bornMs, await this.items());
    const lost = this.memory.all();
    if (isKnown || lost === null || salvage === undefined) return bornMs;
    await salvage(lost);
    this.announce({ upserts: await this.items(), deletedIds: [] });
    return lost.bornMs;
  }

  /** Calls at once and after every change, also those of other tabs; of many items not after each of them. */
  subscribe(listener: (view: OutboxView) => void): () => void {
    let isReading = false;
    let isStale = false;
    let isOver = false;
    // Changes that come while one is read are shown together.
    const show = async () => {
      isStale = true;
      if (isReading) return;
      isReading = true;
      try {
        while (isStale && !isOver) {
          isStale = false;
          const view = await this.view();
          if (!isOver) listener(view);
          await restAfter(view.items.length, this.parts.platform);
        }
      } catch (error) {
        if (!isOver) this.parts.platform.report(error);
      } finally {
        isReading = false;
      }
    };
    const stop = this.onChange(() => void show());
    void show();
    return () => {
      isOver = true;
      stop();
    };
  }

  /** Calls after every change, without saying which. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What hinders sending, as the sender sees it. */
  setPause(pause: OutboxPause): void {
    if (pause === this.pause) return;
    this.pause = pause;
    this.tell();
  }

  /**
   * Writes a command down; resolves when it is durable. Readers are told before that, so that it is painted at once,
   * and again when it can't be kept. Throws `invalid` and `quota`.
   */
  async append(request: CommandRequest, context: WriteContext): Promise<{ commandId: string }> {
    const drafting = this.drafting(context);
    const begun = beginDraft(request, drafting);
    const write = async () => this.parts.store.append(await finishDraft(begun, request, drafting));
    this.announce(await paintedFirst(this.parts.announce, [begun], write));
    return { commandId: begun.commandId };
  }

  /** Writes many down in one go, all or none; as `append`. */
  async appendAll(
    commands: readonly { request: CommandRequest; about: string }[],
    context: WriteContext,
  ): Promise<{ commandIds: string[] }> {
    const read = this.items();
    const drafting = { ...this.drafting(context), items: () => read };
    const begun = commands.map(({ request, about }) => ({
      request,
      draft: { about, ...beginDraft(request, drafting) },
    }));
    const drafts = begun.map(({ draft }) => draft);
    const write = async () => {
      const finishers = await Promise.all(
        begun.map(({ request, draft }) =>
          finishDraft(draft, request, { ...drafting, isNamed: draft.about !== '' }),
        ),
      );
      return this.parts.store.appendAll((now) => finishers.map((finish) => finish(now)));
    };
    const { added, ...change } = await paintedFirst(this.parts.announce, drafts, write);
    this.announce(change);
    return { commandIds: added };
  }

  /** Keeps what is never sent by itself; resolves when it is durable. Throws `quota`. */
  async keep(draft: Omit<Draft, 'commandId'>): Promise<{ commandId: string }> {
    const commandId = this.parts.platform.newId();
    this.announce(await this.parts.store.append(() => ({ ...draft, commandId })));
    return { commandId };
  }

  /** Takes out what was refused or never left this device. What may have arrived stays until its answer came. */
  async drop(commandId: string): Promise<void> {
    const { order } = found(await this.items(), commandId);
    const change = await this.parts.store.remove([order], mayBeDropped);
    if (change.deletedIds.length === 0) throw new AppError('conflict', MESSAGES.mayHaveArrived);
    this.announce(change);
  }

  /** Takes out those of many that never left this device; answers which these were. */
  async dropAll(commandIds: readonly string[]): Promise<string[]> {
    const wanted = new Set(commandIds);
    const items = (await this.items()).filter((item) => wanted.has(item.commandId));
    const change = await this.parts.store.remove(
      items.map(({ order }) => order),
      mayBeDropped,
    );
    this.announce(change);
    return change.deletedIds;
  }

  /**
   * Sends a refused command again as a new one, on top of the server's present values, and with it what waited
   * for it. Returns the id of the new command.
   */
  async redo(commandId: string, context: WriteContext): Promise<{ commandId: string }> {
    const items = await this.items();
    const item = found(items, commandId);
    if (item.state.kind !== 'refused') throw new AppError('conflict', MESSAGES.notRefused);
    const isHeldBack = items.some(
      (other) => other.state.kind === 'refused' && dependantsOf(other, items).includes(item),
    );
    if (isHeldBack) throw new AppError('conflict', MESSAGES.blocked);
    const group = [item, ...dependantsOf(item, items)];
    const drafts: Draft[] = [];
    for (const one of group) {
      // What the one before makes again is what the next one stands on.
      const under = [...items, ...drafts.map((draft) => ({ ...draft, order: Number.MAX_SAFE_INTEGER }))];
      drafts.push(await redraft(one, { ...this.drafting(context), items: async () => under }));
    }
    this.announce(
      await this.parts.store.replace(
        group.map(({ order }) => order),
        drafts,
      ),
    );
    return { commandId: drafts[0]?.commandId ?? commandId };
  }

  /** The feed has come to this place. */
  async seen(cursor: Cursor): Promise<void> {
    this.here = cursor;
    const items = await this.items();
    if (items.some(({ state }) => state.kind === 'accepted' && state.position !== null))
      this.announce(await this.parts.store.seen(cursor));
  }

  /** For a backend without a feed: what was accepted before a pull began. Given to `seenByPull` when it is over. */
  async acceptedWithoutCursor(): Promise<number[]> {
    const items = await this.items();
    return items.filter(isAcceptedWithoutCursor).map(({ order }) => order);
  }

  /** A complete pull that began after these were accepted is stored. */
  async seenByPull(orders: readonly number[]): Promise<void> {
    if (orders.length > 0) this.announce(await this.parts.store.remove(orders, isAcceptedWithoutCursor));
  }

  /** Makes this worker the sender; the number is its permit. */
  async claim(): Promise<number> {
    const { epoch, ...change } = await this.parts.store.claim();
    this.announce(change);
    return epoch;
  }

  /** For the sender: numbers that stay with their commands. */
  async number(orders: readonly number[], epoch: number): Promise<NumberedBatch> {
    const { batch, ...change } = await this.parts.store.number(orders, epoch);
    this.announce(change);
    return batch;
  }

  /** For the sender: what became of them. */
  async settle(settlements: readonly Settlement[], epoch: number): Promise<void> {
    this.announce(await this.parts.store.settle(settlements, epoch));
    // The feed may have brought it before the answer came, and say nothing more for a long time.
    const { here } = this;
    if (here !== null && settlements.some(({ state }) => isPassed(state, here))) await this.seen(here);
  }

  /** For the sender: refuses what would come too late. */
  async expire(epoch: number): Promise<void> {
    this.announce(await this.parts.store.expire(epoch));
  }

  /** For the sender: starts counting anew. */
  async newDevice(epoch: number): Promise<void> {
    this.announce(await this.parts.store.newDevice(epoch));
  }

  close(): void {
    this.unlisten();
    this.listeners.clear();
    this.parts.store.close();
  }

  private drafting(context: WriteContext): Drafting {
    return { context, newId: () => this.parts.platform.newId(), items: () => this.items() };
  }

  private announce({ upserts, deletedIds }: OutboxChange): void {
    if (upserts.length === 0 && deletedIds.length === 0) return;
    this.memory.note({ upserts, deletedIds });
    this.parts.announce(OUTBOX, { upserts, deletedIds });
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
