/**
 * The sync worker behind its interface: joins session, user and status, and answers the pages. It survives users
 * coming and going; subscriptions are opened again for whoever is signed in.
 */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { ShellFacts } from '../../src/contract/http/shell.ts';
import type { SessionUser } from '../../src/contract/session-user.ts';
import type { FailedCanary, SessionState, StoreChange, SyncStatus } from '../../src/contract/worker.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import { openKeyValue, type KeyValue } from '../store/key-value.ts';
import { DEVICE_DB } from '../store/store-names.ts';
import { hasUnsentCommands } from './outbox/unsent.ts';
import { StoreHealth } from './store/store-health.ts';
import type { Answer } from '../../src/contract/queries/queries.ts';
import type { Stop, SyncApi } from './api.ts';
import type { QueryHandlers } from './subscriptions/query-handlers.ts';
import { replaceStore } from './store/replace-store.ts';
import { FailedCanaries } from './status/failed-canaries.ts';
import { StoredServerClock } from './network/stored-server-clock.ts';
import { IdentityEndpoints } from './session/identity-calls.ts';
import type { HttpClient } from './network/http-client.ts';
import { isDamageMessage, isSessionMessage, storedRows } from './tabs/peer-messages.ts';
import type { SyncPlatform } from './platform.ts';
import { LoadOrder } from './engine/load-order.ts';
import { PullQueue } from './engine/pull-queue.ts';
import type { ServerClock } from './network/server-clock.ts';
import { createServerLinks, type ServerLinks } from './network/server-links.ts';
import { Session } from './session/session.ts';
import { settle } from '../act.ts';
import { ShellFactsStore } from './session/shell-facts.ts';
import { storageReport } from './status/storage-report.ts';
import { isStoreToRebuild, isStoreWanted } from './store/store-owner.ts';
import { ageStatus, noteFailure } from './status/status-clock.ts';
import { createStatusBoard, FIRST_STATUS, type StatusBoard } from './status/status-board.ts';
import { UserEndpoints } from './user-endpoints.ts';
import { UserSync } from './user-sync.ts';

const TICK_MS = 1000;
const AFTER_DOUBT_MS = 10_000;

/** One for the worker. */
export class SyncService extends UserEndpoints implements Pick<SyncApi, 'ask' | 'send'> {
  private readonly platform: SyncPlatform;
  private readonly clock: ServerClock;
  private readonly links: ServerLinks;
  protected readonly http: HttpClient;
  protected readonly board: StatusBoard;
  private readonly session: Session;
  protected queue: PullQueue;
  readonly order = new LoadOrder();
  private signedIn: SessionUser | null = null;
  private readonly device: KeyValue;
  private readonly storedClock: StoredServerClock;
  /** Before it nobody is told how old anything is. */
  private readonly clockKnown: Promise<void>;
  private isVisible = true;
  private readonly health: StoreHealth;
  private isStopped = false;
  private intervalMs: number | null = 60_000;
  private summaryRange: TimeRange = '1h';
  private readonly failed: FailedCanaries;
  readonly identity: IdentityEndpoints;
  private readonly shell: ShellFactsStore;

  constructor(outside: SyncPlatform, handlers: QueryHandlers) {
    super(handlers);
    const links = createServerLinks(outside, () => this.signedIn?.organization ?? null);
    const { platform, front } = links;
    this.links = links;
    this.platform = platform;
    this.clock = links.clock;
    this.http = links.http;
    this.failed = new FailedCanaries({
      load: async () => (await this.user?.failedCanaries()) ?? [],
      report: (error) => platform.report(error),
      later: (delayMs, run) => platform.later(delayMs, run),
      isFirstLoad: () => this.board.get().firstLoad !== null,
    });
    this.device = openKeyValue(DEVICE_DB, platform.idb);
    this.storedClock = new StoredServerClock(links.clock, this.device);
    this.health = new StoreHealth({ platform, rebuild: () => this.rebuild() });
    this.board = createStatusBoard(platform);
    this.queue = new PullQueue(platform);
    this.session = new Session({
      platform,
      http: front,
      device: this.device,
      onUser: (user, isConfirmed) => this.setUser(user, isConfirmed),
      onNobody: () => this.dropUser(),
      hasUnsent: (storeName) => hasUnsentCommands(platform.idb, storeName),
      onUnreachable: (error) =>
        noteFailure(this.board, error, {
          isDeviceOnline: this.links.link.isOnline(),
          nowMs: this.clock.now(),
        }),
    });
    this.identity = new IdentityEndpoints(front, this.session);
    this.shell = new ShellFactsStore({
      platform,
      http: this.http,
      onUnauthorized: () => void this.session.revalidate(),
      onLookAgain: () => this.session.recheck().then(() => undefined),
    });
    platform.listen((message) => {
      // From the worker that leads, where each page has its own.
      const stored = storedRows(message, this.user?.storeName);
      if (stored !== null) this.noteStored(stored);
      if (isSessionMessage(message)) void this.reporting(() => this.session.lookAgain());
      if (isDamageMessage(message, this.user?.storeName) && this.user?.isLeading() === true)
        this.health.suspect(new AppError('storage', ERROR_TEXTS.storage));
    });
    this.clockKnown = this.reporting(() => this.storedClock.restore()).then(() => this.tick());
  }

  /** Begins with what is kept and asks the server; failures show as a session state. */
  start(): void {
    void this.clockKnown.then(() => this.reporting(() => this.session.start()));
  }

  /** Lets go of everything and leaves it as it is kept, as when the browser ends the worker. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.session.stop();
    await this.dropUser();
    this.device.close();
  }

  protected isSignedIn(): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = this.session.subscribe(({ kind }) => {
        if (kind === 'unknown') return;
        resolve(kind === 'signed-in');
        queueMicrotask(() => stop());
      });
    });
  }

  async subscribeSession(listener: (state: SessionState) => void): Promise<Stop> {
    return this.session.subscribe(listener);
  }

  async subscribeStatus(listener: (status: SyncStatus) => void): Promise<Stop> {
    await this.clockKnown;
    return this.board.subscribe(listener);
  }

  async subscribeFailedCanaries(listener: (canaries: FailedCanary[]) => void): Promise<Stop> {
    return this.failed.subscribe(listener);
  }

  signOut(options = { keepOutbox: false }): Promise<void> {
    return this.session.signOut(options);
  }

  checkSession(): Promise<Answer<boolean>> {
    return settle(() => this.session.recheck());
  }

  async subscribeShell(listener: (facts: ShellFacts) => void): Promise<Stop> {
    return this.subscriptions.open((user) => this.shell.follow(user.storeName, listener));
  }

  storageFacts() {
    return settle(async () =>
      storageReport(this.platform, await this.requireUser(), this.health.condition()),
    );
  }

  rebuildStore(): Promise<Answer<null>> {
    return settle(() => this.rebuild().then(() => null));
  }

  async refresh(): Promise<void> {
    this.session.retry();
    this.shell.renew();
    this.user?.engine.refresh();
    this.user?.wake();
  }

  async setPollInterval(intervalMs: number | null): Promise<void> {
    this.intervalMs = intervalMs;
    this.queue.setInterval(intervalMs);
  }

  async setSummaryRange(range: TimeRange): Promise<void> {
    if (range === this.summaryRange) return;
    this.summaryRange = range;
    this.user?.collections.setSummaryRange(range);
    if (range !== '1h') this.queue.requestAll();
  }

  async setDeviceState(state: { isOnline: boolean; isVisible: boolean }): Promise<void> {
    this.isVisible = state.isVisible;
    this.user?.setVisible(state.isVisible);
    if (state.isOnline === this.links.link.isOnline()) return;
    this.links.link.setOnline(state.isOnline);
    await this.refresh();
  }

  private setUser(user: SessionUser, isConfirmed: boolean): void {
    this.signedIn = user;
    if (this.user?.storeName !== user.storeName) {
      this.queue = new PullQueue(this.platform);
      this.queue.setInterval(this.intervalMs);
      this.user = new UserSync({
        platform: this.platform,
        http: this.http,
        clock: this.clock,
        board: this.board,
        queue: this.queue,
        order: this.order,
        userId: user.id,
        storeName: user.storeName,
        isVisible: this.isVisible,
        isDeviceOnline: () => this.links.link.isOnline(),
        onUnauthorized: () => void this.revalidate(),
        onLineBack: () => void this.lineBack(),
        onStored: (change) => this.noteStored(change),
        isStoreWanted: () => isStoreWanted(this.device, user.storeName),
        onBroken: (error) => this.health.suspect(error),
      });
      this.user.collections.setSummaryRange(this.summaryRange);
      this.showKeptAge(this.user).catch((error: unknown) => this.health.suspect(error));
      this.user.catchUp.restore().catch((error: unknown) => this.platform.report(error));
      this.subscriptions.setUser(this.user);
      this.failed.tellSoon();
    }
    if (isConfirmed) this.user.lead();
  }

  private async showKeptAge(user: UserSync): Promise<void> {
    this.storedClock.notBefore(await user.showKeptAge());
    ageStatus(this.board, this.clock);
  }

  /** Rows came in, by this worker or by the one that leads. */
  private noteStored(change: StoreChange): void {
    if (change.collection === 'canaries') this.failed.tell();
    this.user?.subscriptions.invalidate(change.collection);
    this.shell.noteStored(change);
  }

  private async dropUser(): Promise<void> {
    const { user } = this;
    this.user = null;
    const { versions, offsetMs } = this.board.get();
    this.board.patch({ ...FIRST_STATUS, versions, offsetMs });
    this.subscriptions.setUser(null);
    this.failed.tell();
    await user?.close();
  }

  /** Everything that is kept goes but the outbox, and is loaded again; who writes meanwhile waits for that. */
  private rebuild(): Promise<void> {
    const rebuilt = this.replaceStore();
    this.userReady = rebuilt.catch(() => {});
    return rebuilt;
  }

  private async replaceStore(): Promise<void> {
    const { signedIn, device, platform } = this;
    if (signedIn === null) return;
    const { storeName } = signedIn;
    const isWanted = async () => this.signedIn === signedIn && isStoreToRebuild(device, storeName);
    if (!(await isWanted())) return;
    // Whoever found the damage first: what was removed along with it is only in the memory that goes now.
    await this.reporting(async () => this.user?.writeUnsent());
    const reopen = () => this.setUser(signedIn, true);
    await replaceStore({ device, platform, storeName, isWanted, close: () => this.dropUser(), reopen });
  }

  /** What hangs on a line that was silent would hang on for half a minute: it is given up and asked anew. */
  private async lineBack(): Promise<void> {
    this.links.link.renew();
    await this.refresh();
  }

  private async reporting(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.platform.report(error);
    }
  }

  /** What was refused waits; where the session turns out to be good (that was an older one's answer), it goes on. */
  private async revalidate(): Promise<void> {
    await this.session.revalidate();
    this.platform.later(AFTER_DOUBT_MS, () => this.user?.wake());
  }

  private tick(): void {
    if (this.isStopped) return;
    ageStatus(this.board, this.clock);
    void this.reporting(() => this.storedClock.keep());
    void this.reporting(async () => this.user?.watch.look());
    this.platform.later(TICK_MS, () => this.tick());
  }
}
