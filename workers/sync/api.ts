/**
 * The sync worker's door: network, session and the durable store. One per origin where the browser has
 * SharedWorker, else one per tab of which one leads. Listeners are Comlink proxies; each `subscribe…` calls
 * its listener at once with the present value and returns the way to stop.
 */
import type { RunResult } from '../../src/contract/http/canary.ts';
import type { IdentityAnswer, IdentityRequest } from '../../src/contract/http/identity-flow.ts';
import type { AdminAction, AdminOutcome } from '../../src/contract/http/admin-actions.ts';
import type { FlowError, ShellFacts } from '../../src/contract/http/shell.ts';
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import type { TriedDone, TryDone } from '../../src/contract/http/try-done.ts';
import type {
  Answer,
  QueryArgs,
  QueryMessage,
  Subscription,
  SyncQueryName,
} from '../../src/contract/queries/queries.ts';
import type { PushCall } from '../../src/contract/push.ts';
import type { SendOptions } from '../../src/contract/outbox.ts';
import type { FailedCanary, SessionState, StorageFacts, SyncStatus } from '../../src/contract/worker.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';

export type Stop = () => void;

/** What the identity pages need of the worker. */
export interface IdentityApi {
  /** Why an identity flow failed. */
  flowError(id: string): Promise<Answer<FlowError>>;
  /** What the identity pages ask; refusals are answers, too. */
  callIdentity(request: IdentityRequest): Promise<Answer<IdentityAnswer>>;
  /** Notifications of this browser. Never queued: offline it is refused. */
  callPush(call: PushCall): Promise<Answer<string | null>>;
}

export interface SyncApi extends IdentityApi {
  /**
   * Asks one of the registry's queries (src/contract/queries): the listener is called with the present answer and
   * again with each newer one, of whoever is signed in. Arguments that don't parse are refused by the field's name.
   */
  ask<Name extends SyncQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): Promise<Subscription>;
  subscribeSession(listener: (state: SessionState) => void): Promise<Stop>;
  subscribeStatus(listener: (status: SyncStatus) => void): Promise<Stop>;
  subscribeFailedCanaries(listener: (canaries: FailedCanary[]) => void): Promise<Stop>;
  /** Feature flags and the kind of deployment of whoever is signed in; told again when they were asked again. */
  subscribeShell(listener: (facts: ShellFacts) => void): Promise<Stop>;
  /** Asks the server who is signed in, once, now; answers whether anybody is. */
  checkSession(): Promise<Answer<boolean>>;
  /**
   * Deletes what is kept of the user, online or not, then ends the session on the server. Unsent commands go
   * too, unless they are to stay sealed on this device for the same user.
   */
  signOut(options?: { keepOutbox: boolean }): Promise<void>;
  /** Asks the server again now; a pull that still runs is aborted (spec 1 §2 'Auto-refresh'). */
  refresh(): Promise<void>;
  /** How often to ask besides being told; null asks only when told. */
  setPollInterval(intervalMs: number | null): Promise<void>;
  /** Tells which range the uptime and latency columns want, so that it is fetched and kept. */
  setSummaryRange(range: TimeRange): Promise<void>;
  /** Device facts the worker can't see itself: online hint and visibility of the page. */
  setDeviceState(state: { isOnline: boolean; isVisible: boolean }): Promise<void>;
  /**
   * Does an administrator's action now; refused offline (design §4 law 9). `field` names the form's field that
   * the refusal is about, where the server says so.
   */
  administer(action: AdminAction): Promise<Answer<AdminOutcome> & { field: string | null }>;
  /** Runs the check now. Never queued: offline it is refused (design §4 law 9). */
  runCheck(checkId: string): Promise<Answer<RunResult | null>>;
  /** Tries a script of a definition of done; writes nothing. Refused offline, too. */
  tryDone(question: TryDone): Promise<Answer<TriedDone>>;
  /**
   * Writes a command into the outbox; resolves when it is durable on this device (law 4). What shows of it at
   * once comes through the compute worker. Refused here: unknown names, invalid arguments, no space left.
   */
  send(command: CommandRequest, options?: SendOptions): Promise<Answer<{ commandId: string }>>;
  /** Sends a refused command again, on top of the server's present values (a new command takes its place). */
  redoCommand(commandId: string): Promise<Answer<{ commandId: string }>>;
  /** Takes a command out that was refused or never sent. */
  dropCommand(commandId: string): Promise<Answer<null>>;
  /** Which of these commands of the user the server has done; null where it can't tell (a plain backend). */
  appliedCommands(commandIds: readonly string[]): Promise<Answer<string[] | null>>;
  /** Keeps such a text, or forgets it (null); resolves when that is durable on this device. */
  writeDraft(key: string, text: string | null): Promise<Answer<null>>;
  dismissCatchUp(): Promise<void>;
  storageFacts(): Promise<Answer<StorageFacts>>;
  /** Sends the outbox if it can, throws everything else away and loads it again. */
  rebuildStore(): Promise<Answer<null>>;
}
