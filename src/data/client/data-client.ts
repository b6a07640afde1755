/**
 * The app's one connection to its workers: session and sync status as live values, queries, and the
 * commands. It knows no React; the hooks beside it do.
 */
import type { ActionArgs } from '../../contract/actions/action-definition.ts';
import type { SyncActions } from '../../contract/actions/sync-actions.ts';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import { AppError } from '../../contract/errors.ts';
import type {
  Answer,
  LiveQueryName,
  LiveSubscription,
  QueryArgs,
  QueryMessage,
  SyncQueryName,
} from '../../contract/queries/queries.ts';
import type { OutboxView, SendOptions } from '../../contract/outbox/outbox.ts';
import type { CatchUpCard, SessionState, StatusMessage, SyncStatus } from '../../contract/worker.ts';
import { createAgingStatus, type AgingStatus } from './aging-status.ts';
import { FIRST_STATUS } from './first-status.ts';
import { createDraftBook, type DraftBook } from '../commands/draft-book.ts';
import type { Visit } from './first-visit.ts';
import { FirstVisitStart } from './first-visit-start.ts';
import { FirstWindows } from './windows/first-windows.ts';
import { openDifferences, type Differences, type LiveQueryClient } from './live-query-client.ts';
import { createLostWatch, type LostWatch } from '../commands/lost-commands.ts';
import { joinOutboxUpdates } from '../../contract/outbox/outbox-updates.ts';
import { createOffsetKeeper, readStoredOffset } from './stored-offset.ts';
import type { ShellFacts } from '../../contract/http/shell.ts';
import { createStoredFailedCanaries, type FailedCanaries } from './stored-failed-canaries.ts';
import { createStoredShellFacts } from '../session/stored-shell-facts.ts';
import type { StoredValue } from './stored-value.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';
import { browserPlatform, type DataPlatform } from './platform.ts';
import { isSignedOut, readRemembered, remember } from '../session/remembered-session.ts';
import { createSubscriptionStore, type SubscriptionStore } from './subscription-store.ts';
import { wantedCollections } from './wanted-collections.ts';
import { whenPainted } from './worker-start.ts';
import { sessionWithout, statusWithout } from './without-workers.ts';
import { OpenParts } from './open-parts.ts';
import { callback, openWorkers, type WorkerApis } from './workers-proxy.ts';
import { WindowViews } from './windows/window-views.ts';

/** While it isn't known who is here, whoever knows is heard. */
const UNSETTLED: ReadonlySet<SessionState['kind']> = new Set(['unknown', 'failed']);

/** One for the page. */
export class DataClient {
  readonly session: LiveValue<SessionState>;
  readonly status: AgingStatus;
  /** Feature flags and deployment, as last known on this device. */
  readonly shell: StoredValue<ShellFacts>;
  readonly failedCanaries: StoredValue<FailedCanaries>;
  /** Asked for while somebody looks; undefined until there is an answer. */
  readonly outbox: SubscriptionStore<OutboxView | undefined>;
  readonly lost: LostWatch;
  /** Texts that the user began and has not sent. */
  readonly drafts: DraftBook;
  readonly catchUp: SubscriptionStore<CatchUpCard | null>;
  readonly workers: WorkerApis;
  /** The store that the compute worker reads; whoever hears of another asks that one. */
  private readonly attached = createLiveValue<string | null>(null);
  private readonly platform: DataPlatform;
  private readonly keepOffset: (status: SyncStatus) => void;
  /** Lists that are looked at through windows. */
  readonly windows: WindowViews;
  readonly firstWindows: FirstWindows;
  private readonly firstVisit: FirstVisitStart;
  readonly open: OpenParts;
  private isOnline = true;

  constructor(platform: DataPlatform) {
    this.platform = platform;
    this.open = new OpenParts((error) => platform.report(error));
    const user = readRemembered(platform);
    this.firstVisit = new FirstVisitStart({
      platform,
      storeName: () => this.attached.get(),
      onVisit: (visit) => this.receiveVisit(visit),
      onClock: () => this.receiveStatus(this.status.get()),
    });
    this.firstWindows = this.openFirstWindows();
    const start = user === null ? this.firstVisit.begin() : whenPainted(platform, this.firstWindows);
    this.workers = openWorkers(platform, { start, onNotLoaded: () => this.receiveNotLoaded() });
    this.shell = createStoredShellFacts(platform);
    this.failedCanaries = createStoredFailedCanaries(platform);
    const { sync, compute } = this.workers;
    this.lost = createLostWatch(platform, async (commandIds) => {
      const answer = await sync.act('find-applied', { commandIds: [...commandIds] });
      // What a server can't tell of is not there, as far as anybody knows.
      return answer.ok ? (answer.value ?? []) : null;
    });
    const offsetMs = readStoredOffset(platform);
    this.status = createAgingStatus(platform, { ...FIRST_STATUS, offsetMs });
    if (offsetMs !== 0) this.watch(compute.act('set-clock-offset', { offsetMs }));
    this.keepOffset = createOffsetKeeper(platform);
    this.drafts = createDraftBook(platform, (key, text) => sync.act('write-draft', { key, text }));
    this.session = createLiveValue<SessionState>(
      user === null ? { kind: 'unknown' } : { kind: 'signed-in', user, isConfirmed: false },
    );
    this.windows = new WindowViews({
      platform,
      firstWindows: this.firstWindows,
      nowOnServer: () => this.nowOnServer(),
    });
    // Nobody is to be found here: neither are rows of anybody.
    this.firstWindows.setReader(user);
    this.firstWindows.onForget(() => this.failedCanaries.set(null));
    if (user === null) this.failedCanaries.set(null);
    else this.attach(user.storeName);
    this.outbox = createSubscriptionStore<OutboxView | undefined>(undefined, (set) => {
      const show = (view: OutboxView) => {
        this.lost.note(view);
        set(view);
      };
      return this.ask('outbox', {}, joinOutboxUpdates(show));
    });
    this.catchUp = createSubscriptionStore<CatchUpCard | null>(null, (set) => this.ask('catch-up', {}, set));
    this.open.follow(sync.status(callback((message: StatusMessage) => this.receive(message))));
    this.ask('drafts', {}, this.drafts.receive);
    platform.watchDevice((state) => {
      this.isOnline = state.isOnline;
      if (state.isOnline) this.workers.retry();
      this.watch(sync.act('set-device-state', state));
      if (!state.isVisible) this.firstWindows.writeDue();
    });
    platform.onLeave(() => {
      this.drafts.leave();
      this.windows.closeAll();
      this.open.closeAll();
    });
  }

  /** The server's time now, ms since 1970, as well as it is known. */
  nowOnServer(): number {
    return this.platform.now() + this.status.get().offsetMs;
  }

  /** Asks a query of the registry; the listener is called until the function that this answers with is. */
  ask<Name extends SyncQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): () => void {
    return this.open.follow(this.workers.sync.ask(name, args, callback(listener)));
  }

  /** Asks a live query; answers with how to ask it something else and how to close it. */
  askLive<Name extends LiveQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): Promise<LiveSubscription<QueryArgs<Name>>> {
    const collections = [...wantedCollections(name)];
    if (this.status.get().asOfMs === null && collections.length > 0)
      this.perform('want-collections', { collections });
    return this.workers.compute.ask(name, args, callback(listener));
  }

  /** Opens a query with differences; `publish` gets each new answer until it is closed. */
  openDifferences<Question, State, Patch extends { generation: number }>(
    question: Question,
    differences: Differences<Question, State, Patch> & { shown?: State | null },
    publish: (answer: State) => void,
  ): LiveQueryClient<Question, State> {
    const report = (error: unknown) => this.platform.report(error);
    const opened = openDifferences(question, { ...differences, publish, report, storeName: this.attached });
    return { ...opened, close: this.open.add(opened) };
  }

  async signOut(options: { keepOutbox: boolean }): Promise<void> {
    const storeName = this.attached.get();
    this.receiveSession({ kind: 'signed-out' });
    if (storeName !== null && !options.keepOutbox)
      for (const kept of [this.lost, this.drafts]) kept.forget(storeName);
    const answer = await this.workers.sync.act('sign-out', options);
    if (!answer.ok) throw new AppError(answer.error.code, answer.error.message);
  }

  /** Has the sync worker do something that nobody waits for; a failure is reported. */
  perform<Name extends keyof SyncActions>(name: Name, args: ActionArgs<SyncActions[Name]>): void {
    this.watch(this.workers.sync.act(name, args));
  }

  /** Tries again now what waits for the server. */
  refresh(): void {
    this.workers.retry();
    this.perform('refresh', {});
  }

  async send(command: CommandRequest, options?: SendOptions): Promise<Answer<{ commandId: string }>> {
    const answer = await this.workers.sync.send(command, options);
    if (answer.ok) this.platform.askForWakeUp();
    return answer;
  }

  private openFirstWindows(): FirstWindows {
    const { platform } = this;
    return new FirstWindows({
      platform,
      served: this.firstVisit.served,
      answer: async (question) => {
        const answer = await this.workers.compute.act('first-window', question);
        return answer.ok ? answer.value : null;
      },
      signedIn: () => readRemembered(platform),
    });
  }

  private attach(storeName: string | null): void {
    if (storeName === this.attached.get()) return;
    this.drafts.setStore(storeName);
    this.watch(this.workers.compute.act('attach', { storeName }));
    this.attached.set(storeName);
  }

  private receive(message: StatusMessage): void {
    switch (message.kind) {
      case 'session':
        this.receiveSession(message.session);
        return;
      case 'connection':
        this.receiveStatus(message.status);
        return;
      case 'shell':
        this.shell.set(message.facts);
        return;
      case 'failed-canaries':
        // One that comes late is of who left.
        if (this.attached.get() !== null)
          this.failedCanaries.set({ total: message.canaries.length, canaries: message.canaries });
    }
  }

  private receiveSession(state: SessionState): void {
    // The worker starts by knowing nothing; what is remembered here is better until it has looked.
    if (state.kind === 'unknown') return;
    this.session.set(state);
    if (state.kind === 'signed-in') {
      const isNew = readRemembered(this.platform)?.storeName !== state.user.storeName;
      remember(this.platform, state.user);
      this.firstWindows.setReader(state.user);
      this.attach(state.user.storeName);
      if (isNew) this.firstVisit.open();
    }
    if (isSignedOut(state)) {
      remember(this.platform, null);
      this.shell.set(null);
      this.platform.forgetTab();
      this.firstWindows.setReader(null);
      this.attach(null);
    }
  }

  /** The sync worker's own word is newer. */
  private receiveVisit({ user, facts }: Visit): boolean {
    if (!UNSETTLED.has(this.session.get().kind)) return false;
    this.firstWindows.setReader(user);
    this.attach(user.storeName);
    this.shell.set(facts);
    this.session.set({ kind: 'signed-in', user, isConfirmed: true });
    return true;
  }

  private receiveStatus(told: SyncStatus): void {
    const { offsetMs, connection, firstLoad } = this.status.get();
    // What was cached came from a store that is gone; what the server says did not.
    if (told.firstLoad !== null && firstLoad === null && !this.firstVisit.served.isNeeded())
      this.firstWindows.forgetAll();
    const status = this.firstVisit.withClock(told);
    this.status.set(status);
    if (status.connection !== connection) this.lost.ask();
    this.keepOffset(status);
    if (status.offsetMs !== offsetMs)
      this.watch(this.workers.compute.act('set-clock-offset', { offsetMs: status.offsetMs }));
  }

  private receiveNotLoaded(): void {
    this.receiveStatus(statusWithout(this.status.get(), this.isOnline, this.nowOnServer()));
    this.session.set(sessionWithout(this.session.get(), this.isOnline));
  }

  /** Tells of what failed though nobody waits for it. */
  private watch(call: Promise<Answer<unknown>>): void {
    const report = (error: unknown) => this.platform.report(error);
    call.then((answer) => {
      if (!answer.ok) report(new AppError(answer.error.code, answer.error.message));
    }, report);
  }
}

let client: DataClient | null = null;

/** The one client; made when first asked for, which starts the workers and asks for the first rows. */
export function dataClient(): DataClient {
  client ??= new DataClient(browserPlatform);
  return client;
}
