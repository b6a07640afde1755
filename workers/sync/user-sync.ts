/**
 * Everything that runs for one signed-in user: their store, its pulls, and the open subscriptions. Closing it
 * stops all of it before the store is let go.
 */
import type { StoreChange } from '../../src/contract/worker.ts';
import type { CollectionName } from '../../src/contract/collections.ts';
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { SendOptions } from '../../src/contract/outbox/outbox.ts';
import { createAnnouncer, type Announce } from './tabs/announcer.ts';
import { CachedSubscriptions } from './subscriptions/cached-subscriptions.ts';
import { createDocumentCache } from './subscriptions/document-cache.ts';
import type { QueryContext, QueryUser } from './subscriptions/query-handler.ts';
import { readCatchUpState } from './store/catch-up-state.ts';
import { CatchUpRecorder } from './store/catch-up-recorder.ts';
import type { HttpClient } from './network/http-client.ts';
import { Drafts } from './store/drafts.ts';
import { LastContact } from './status/last-contact.ts';
import { Leader } from './tabs/leader.ts';
import { createChosenTransport } from './outbox/transport/chosen-transport.ts';
import { readRowsOnce } from './outbox/storage/read-rows-once.ts';
import { Outbox } from './outbox/outbox.ts';
import { openOutboxStore } from './outbox/outbox-store.ts';
import { Sender } from './outbox/sender.ts';
import type { SyncPlatform } from './platform.ts';
import { failedCanariesOf } from './pull/canaries-pull.ts';
import { createReplication, type Replication } from './engine/replication.ts';
import type { PullQueue } from './engine/pull-queue.ts';
import type { ServerClock } from './network/server-clock.ts';
import type { StatusBoard } from './status/status-board.ts';
import { draftsDbName, outboxDbName } from '../store/store-names.ts';
import { salvage } from './outbox/outbox-memory.ts';
import { answerRowRequests } from './store/rows-reader.ts';
import { StoreWatch } from './store/store-watch.ts';
import { StatusRelay } from './status/status-relay.ts';
import { SyncEngine } from './engine/sync-engine.ts';
import { openUserStore, type UserStore } from './store/user-store.ts';

/** Between a deletion and the note of whose turn it is next. */
const DELETION_NOTED_MS = 500;

export interface UserSyncParts {
  platform: SyncPlatform;
  http: HttpClient;
  clock: ServerClock;
  board: StatusBoard;
  queue: PullQueue;
  order: Iterable<CollectionName>;
  userId: string;
  storeName: string;
  isVisible: boolean;
  isDeviceOnline: () => boolean;
  onUnauthorized: () => void;
  onLineBack: () => void;
  /** Rows of that collection were made durable by this thread. */
  onStored: (change: StoreChange) => void;
  /** False once the store goes on purpose. */
  isStoreWanted: () => Promise<boolean>;
  /** The store can't be read or written. */
  onBroken: (error: unknown) => void;
}

/** One for each user that is signed in, in each worker; after `close` nothing of it writes any more. */
export class UserSync implements QueryUser {
  readonly engine: SyncEngine;
  readonly outbox: Outbox;
  readonly catchUp: CatchUpRecorder;
  readonly drafts: Drafts;
  readonly watch: StoreWatch;
  private readonly parts: UserSyncParts;
  private readonly store: UserStore;
  private readonly replication: Replication;
  private readonly sender: Sender;
  private readonly leader: Leader;
  private readonly relay: StatusRelay;
  private readonly contact: LastContact;
  readonly subscriptions: CachedSubscriptions;
  readonly context: QueryContext;
  private readonly stopped = new AbortController();
  private readonly stopAnswering: () => void;
  private running: Promise<void> | null = null;
  /** Accepted by a server without a log before the pull that runs began. */
  private awaited: number[] = [];

  constructor(parts: UserSyncParts) {
    const { platform, http, clock, board, storeName, isVisible } = parts;
    this.parts = parts;
    this.store = openUserStore({ ...platform, storeName, onBroken: parts.onBroken });
    const announce = createAnnouncer(platform, storeName, parts.onStored);
    const serverNow = () => clock.now();
    const report = (error: unknown) => platform.report(error);
    this.stopAnswering = answerRowRequests({ platform, store: this.store, report });
    this.contact = new LastContact({ board, meta: this.store.meta, report });
    this.outbox = this.openOutbox(announce);
    this.drafts = new Drafts({ platform, storeName });
    this.watch = new StoreWatch({ idb: platform.idb, storeName, onRemoved: (names) => this.mend(names) });
    this.catchUp = new CatchUpRecorder({
      meta: this.store.meta,
      userId: parts.userId,
      now: serverNow,
      load: () => readCatchUpState(this.store),
    });
    this.replication = createReplication({
      ...parts,
      store: this.store,
      announce,
      serverNow,
      lastServerTime: () => clock.told(),
      onCursor: async (cursor) => {
        this.engine.moved(cursor);
        await this.outbox.seen(cursor);
      },
    });
    this.engine = this.createEngine();
    this.sender = new Sender({
      platform,
      outbox: this.outbox,
      transport: createChosenTransport({ http, serverNow, canCommand: () => this.engine.canCommand() }),
      serverNow,
      isDeviceOnline: parts.isDeviceOnline,
      onUnauthorized: parts.onUnauthorized,
      onAwaitingPull: () => parts.queue.requestAll(),
      onAccepted: () => this.lookForAccepted(),
    });
    this.relay = new StatusRelay({ platform, storeName, board });
    this.leader = new Leader({ platform, storeName, isVisible, lead: (signal) => this.leadOnce(signal) });
    this.subscriptions = new CachedSubscriptions({
      platform,
      watchCheck: (checkId) => this.collections.watch(checkId),
    });
    this.context = {
      http,
      api: this.replication.api,
      documents: createDocumentCache(this.store.documents),
      statuses: this.replication.statuses,
      serverNow,
      asOfMs: () => board.get().asOfMs,
      later: (delayMs, callback) => platform.later(delayMs, callback),
      report,
    };
  }

  get storeName(): string {
    return this.parts.storeName;
  }
  get collections() {
    return this.replication.collections;
  }

  /** Writes a command down; resolves when it is durable here. */
  async send(request: CommandRequest, options: SendOptions = {}): Promise<{ commandId: string }> {
    return this.outbox.append(request, { ...this.writeContext(), ...options });
  }

  redo(commandId: string): Promise<{ commandId: string }> {
    return this.outbox.redo(commandId, this.writeContext());
  }

  /** The network or the user came back. */
  wake(): void {
    this.sender.wake();
  }

  isLeading(): boolean {
    return this.leader.isLeadingNow();
  }

  setVisible(isVisible: boolean): void {
    this.leader.setVisible(isVisible);
  }

  async rowCounts(): Promise<{ name: CollectionName; rows: number }[]> {
    const names = Object.keys(this.store.rows) as CollectionName[];
    return Promise.all(names.map(async (name) => ({ name, rows: await this.store.rows[name].count() })));
  }

  /** How old what is kept was when it was last complete. */
  showKeptAge = () => this.contact.show();

  /** Syncs whenever this worker leads; one worker of the origin does. */
  lead(): void {
    const { platform } = this.parts;
    this.running ??= this.leader.run(this.stopped.signal).catch((error: unknown) => {
      if (!this.stopped.signal.aborted) platform.report(error);
    });
  }

  /** Texts that nobody else has, as memory knows them, for databases that may have been removed. */
  async writeUnsent(): Promise<void> {
    await this.outbox.heal();
    await this.drafts.restore();
  }

  async close(): Promise<void> {
    this.stopped.abort();
    this.subscriptions.stopAll();
    this.stopAnswering();
    await this.running;
    this.contact.close();
    this.relay.close();
    this.outbox.close();
    await this.drafts.close();
    await this.store.close();
  }

  /** The stream would bring it; while there is none, nobody else would before the next pull by the clock. */
  private lookForAccepted(): void {
    if (!this.engine.isListening()) this.parts.queue.requestAll();
  }

  private openOutbox(announce: Announce): Outbox {
    const { platform, storeName, clock } = this.parts;
    const store = openOutboxStore({
      idb: platform.idb,
      storeName,
      newId: () => platform.newId(),
      serverNow: () => clock.now(),
    });
    return new Outbox({
      platform,
      store,
      storeName,
      announce,
      salvage: async (lost) => {
        if (await this.isWanted()) await salvage({ idb: platform.idb, storeName }, lost);
      },
    });
  }

  /** Databases were removed: what nobody else has is written again from memory, the rest is loaded anew. */
  private async mend(names: readonly string[]): Promise<void> {
    const { storeName, onBroken } = this.parts;
    if (!(await this.isWanted())) return;
    await this.writeUnsent();
    const own = [outboxDbName(storeName), draftsDbName(storeName)];
    // One worker builds it anew; the others open what that one has made.
    const isOurs = this.running === null || this.leader.isLeadingNow();
    if (isOurs && names.some((name) => !own.includes(name)))
      onBroken(new AppError('storage', ERROR_TEXTS.storage, { cause: new Error(`${names.join()} removed`) }));
  }

  /** A store that is deleted on purpose is never written again; who deletes it says so about the same moment. */
  private async isWanted(): Promise<boolean> {
    const { platform, isStoreWanted } = this.parts;
    await new Promise<void>((resolve) => platform.later(DELETION_NOTED_MS, resolve));
    return !this.stopped.signal.aborted && (await isStoreWanted());
  }

  private createEngine(): SyncEngine {
    return new SyncEngine({
      ...this.parts,
      collections: this.replication.collections,
      dialects: this.replication.dialects,
      meta: this.store.meta,
      vouch: this.store.vouch,
      onChanged: (checkIds) => this.subscriptions.invalidateChecks(checkIds),
      onBeforePull: async (asOfMs) => {
        await this.catchUp.leave(asOfMs);
        this.awaited = await this.outbox.acceptedWithoutCursor();
      },
      onCaughtUp: async () => {
        await this.catchUp.comeBack();
        await this.outbox.seenByPull(this.awaited);
      },
    });
  }

  /** One term of leading: pulls and sends until it is over or another worker has claimed the outbox. */
  private async leadOnce(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const term = AbortSignal.any([signal, over.signal]);
    this.relay.lead((cursor) => this.engine.rewind(cursor));
    try {
      const epoch = await this.outbox.claim();
      await this.replication.prepare().catch(this.parts.onBroken);
      const sending = this.engine.whenKnown(term).then(() => this.sender.run(term, epoch));
      const fenced = sending.then(() => over.abort());
      await Promise.all([this.engine.run(term), fenced]);
    } finally {
      over.abort();
      this.relay.follow();
      // Whatever this worker wrote after it was replaced, the one that leads now reads again.
      const place = this.engine.place();
      if (place !== null) this.relay.askToRewind(place);
    }
  }

  writeContext() {
    const { userId, clock } = this.parts;
    const readRow = readRowsOnce((collection, partition) => this.store.rows[collection].loadAll(partition));
    return { userId, nowMs: clock.now(), readRow };
  }

  failedCanaries = async () => failedCanariesOf(await this.store.canaries.loadAll());
}
