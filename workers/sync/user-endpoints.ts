/** The part of the sync worker's interface that is about what the signed-in user writes: commands, drafts, the card. */
import type { ActionArgs } from '../../src/contract/actions/action-definition.ts';
import type { SyncActions } from '../../src/contract/actions/sync-actions.ts';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type {
  Answer,
  QueryArgs,
  QueryMessage,
  Subscription,
  SyncQueryName,
} from '../../src/contract/queries/queries.ts';
import type { QueryHandlers } from './subscriptions/query-handlers.ts';
import type { Previewed, PreviewRequest } from '../../src/contract/http/notifications/rule-preview.ts';
import type { TriedChecks, TryCheck } from '../../src/contract/http/trying/try-check.ts';
import type { TriedScraper, TryScraper } from '../../src/contract/http/trying/try-scraper.ts';
import type { TriedDone, TryDone } from '../../src/contract/http/trying/try-done.ts';
import { administer, type AdminAnswer } from './actions/admin-actions.ts';
import type { PlaybookCalls } from './actions/playbook-calls.ts';
import type { PreparedRun } from '../../src/domain/playbook/prepared-run.ts';
import { runCheckNow } from './actions/run-check-now.ts';
import type { AdminAction } from '../../src/contract/http/admin-actions.ts';
import type { PullQueue } from './engine/pull-queue.ts';
import type { SyncApi } from './api.ts';
import type { HttpClient } from './network/http-client.ts';
import type { StatusBoard } from './status/status-board.ts';
import { UserSubscriptions } from './subscriptions/user-subscriptions.ts';
import { downloadSnapshot } from './actions/download-snapshot.ts';
import { readLogs, testLogBackend } from './actions/log-calls.ts';
import { previewRule } from './actions/notification-calls.ts';
import { tryCheck } from './actions/try-check.ts';
import { tryScraper } from './actions/try-scraper.ts';
import { tryDone } from './actions/try-done.ts';
import type { LogPageRequest, ReadLogs } from '../../src/contract/logs/log-pages.ts';
import type { LogTest, LogTested } from '../../src/contract/logs/logs.ts';
import type { SnapshotRequest } from '../../src/contract/http/snapshot.ts';
import { GatheredCommands } from './actions/gathered-commands.ts';
import { preparedDraft } from './outbox/prepared-draft.ts';
import { findApplied } from './outbox/applied-commands.ts';
import { settle } from '../act.ts';
import type { UserSync } from './user-sync.ts';

/**
 * What `SyncService` is built on; what needs a user answers `unauthorized` while nobody is signed in, and waits while that is
 * not known yet: a page shows what it remembers, and can be used, before.
 */
export abstract class UserEndpoints {
  protected abstract readonly http: HttpClient;
  protected abstract readonly board: StatusBoard;
  protected abstract readonly queue: Pick<PullQueue, 'requestAll'>;
  protected readonly subscriptions = new UserSubscriptions<UserSync>();
  protected user: UserSync | null = null;
  /** Settled when no store is being built anew, in which its user is gone for a moment. */
  protected userReady: Promise<void> = Promise.resolve();
  private readonly handlers: QueryHandlers;
  private readonly gathered = new GatheredCommands();

  constructor(handlers: QueryHandlers) {
    this.handlers = handlers;
  }

  async ask<Name extends SyncQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): Promise<Subscription> {
    const handler = this.handlers.get(name);
    if (handler === undefined) throw new AppError('invalid', `There is no query ${name}`, { field: 'name' });
    const subscribe = handler.bind(args);
    // The handler of that name calls with what the registry says of the name.
    const emit = listener as (message: unknown) => void;
    const stop = this.subscriptions.open((user) => subscribe(user, emit));
    return { close: async () => stop() };
  }

  send(...asked: Parameters<SyncApi['send']>): ReturnType<SyncApi['send']> {
    return settle(() => this.requireUser().then((user) => user.send(...asked)));
  }

  redoCommand(commandId: string): Promise<Answer<{ commandId: string }>> {
    return settle(() => this.requireUser().then((user) => user.redo(commandId)));
  }

  sendCommands({
    holdMs,
    ...part
  }: ActionArgs<SyncActions['send-commands']>): Promise<Answer<{ commandIds: string[] }>> {
    return settle(async () => {
      const user = await this.requireUser();
      const commands = this.gathered.add(user, part);
      if (commands === null) return { commandIds: [] };
      const held = holdMs === undefined ? {} : { holdMs };
      return user.outbox.appendAll(commands, { ...user.writeContext(), ...held });
    });
  }

  dropCommands(commandIds: readonly string[]): Promise<Answer<{ dropped: string[] }>> {
    return settle(async () => ({ dropped: await (await this.requireUser()).outbox.dropAll(commandIds) }));
  }

  dropCommand(commandId: string): Promise<Answer<null>> {
    return settle(() =>
      this.requireUser()
        .then((user) => user.outbox.drop(commandId))
        .then(() => null),
    );
  }

  appliedCommands(commandIds: readonly string[]): Promise<Answer<string[] | null>> {
    return settle(() => findApplied(this.http, commandIds));
  }

  writeDraft(key: string, text: string | null): Promise<Answer<null>> {
    return settle(() =>
      this.requireUser()
        .then((user) => user.drafts.write(key, text))
        .then(() => null),
    );
  }

  async dismissCatchUp(): Promise<void> {
    await this.user?.catchUp.dismiss();
  }

  tryDone(question: TryDone): Promise<Answer<TriedDone>> {
    return settle(() => tryDone({ http: this.http, board: this.board }, question));
  }

  tryCheck(asked: TryCheck): Promise<Answer<TriedChecks>> {
    return settle(() => tryCheck(this.http, asked));
  }

  tryScraper(asked: TryScraper): Promise<Answer<TriedScraper>> {
    return settle(() => tryScraper(this.http, asked));
  }

  previewRule(asked: PreviewRequest): Promise<Answer<Previewed>> {
    return settle(() => previewRule(this.http, asked));
  }

  readLogs(page: LogPageRequest): Promise<Answer<ReadLogs>> {
    return settle(async () => {
      const { context } = await this.requireUser();
      return readLogs({ ...context, board: this.board }, page);
    });
  }

  testLogBackend(tested: LogTest): Promise<Answer<LogTested>> {
    return settle(() => testLogBackend({ http: this.http, board: this.board }, tested));
  }

  downloadSnapshot(request: SnapshotRequest): Promise<Answer<Uint8Array>> {
    return settle(() => downloadSnapshot(this.http, request));
  }

  administer(action: AdminAction): Promise<AdminAnswer> {
    const onDone = () => {
      this.user?.subscriptions.invalidate('actions');
      this.queue.requestAll();
    };
    return administer({ http: this.http, board: this.board, onDone }, action);
  }

  runCheck(checkId: string) {
    return settle(async () => {
      const result = await runCheckNow({ http: this.http, board: this.board }, checkId);
      this.queue.requestAll();
      return result;
    });
  }

  /** Asks about a playbook or a run now; nothing changes by it. */
  askPlaybooks<Value>(call: (calls: PlaybookCalls) => Promise<Value>): Promise<Answer<Value>> {
    return settle(() => call({ http: this.http, board: this.board }));
  }

  /** Does something with a run now; what changed is asked for at once. */
  playbooks<Value>(call: (calls: PlaybookCalls) => Promise<Value>): Promise<Answer<Value>> {
    return settle(async () => {
      const value = await call({ http: this.http, board: this.board });
      this.user?.subscriptions.invalidate('actions');
      this.queue.requestAll();
      return value;
    });
  }

  prepareRun(run: PreparedRun): Promise<Answer<{ commandId: string }>> {
    return settle(async () => {
      const user = await this.requireUser();
      return user.outbox.keep(preparedDraft(run, user.writeContext()));
    });
  }

  /** Whether somebody is signed in, as soon as that is known. */
  protected abstract isSignedIn(): Promise<boolean>;

  /** Resolves with the next user that is here. */
  private nextUser(): Promise<UserSync> {
    return new Promise((resolve) => {
      const stop = this.subscriptions.open((user) => {
        resolve(user);
        queueMicrotask(() => stop());
        return () => {};
      });
    });
  }

  protected async requireUser(): Promise<UserSync> {
    await this.userReady;
    if (this.user !== null) return this.user;
    if (!(await this.isSignedIn())) throw new AppError('unauthorized', ERROR_TEXTS.unauthorized);
    return this.nextUser();
  }
}
