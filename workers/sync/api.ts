/**
 * The sync worker's door: network, session and the durable store. One per origin where the browser has
 * SharedWorker, else one per tab of which one leads. Listeners are Comlink proxies; each `subscribe…` calls
 * its listener at once with the present value and returns the way to stop.
 */
import type { CanaryDetail, CheckDetail, RunResult } from '../../src/contract/http/canary.ts';
import type { IdentityAnswer, IdentityRequest } from '../../src/contract/http/identity-flow.ts';
import type { AdminAction, AdminOutcome } from '../../src/contract/http/admin-actions.ts';
import type { CatalogSummaryQuestion, CatalogSummaryRow } from '../../src/contract/http/catalog-summary.ts';
import type { TablePage, TableQuestion } from '../../src/contract/http/table-views.ts';
import type { CatalogAnswer } from '../../src/contract/http/config-item.ts';
import type { ChangesPage } from '../../src/contract/http/config-changes.ts';
import type { FlowError, ShellFacts } from '../../src/contract/http/shell.ts';
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import type { TriedDone, TryDone } from '../../src/contract/http/try-done.ts';
import type { ErrorFacts } from '../../src/contract/errors.ts';
import type { PushCall } from '../../src/contract/push.ts';
import type { OutboxView, SendOptions } from '../../src/contract/outbox.ts';
import type {
  CatchUpCard,
  DraftTexts,
  FailedCanary,
  GraphView,
  HistoryPage,
  HistoryQuery,
  Kept,
  SessionState,
  StorageFacts,
  SyncStatus,
} from '../../src/contract/worker.ts';
import type { ChangesQuestion } from '../../src/domain/catalog/changes-search.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';

export type Stop = () => void;
export type Answer<T> = { ok: true; value: T } | { ok: false; error: ErrorFacts };

/** A related thing of the catalog or the topology, as its thin page shows it. */
export interface RelatedItem {
  id: string;
  name: string;
  type: string | null;
  health: string | null;
  status: string | null;
  description: string | null;
  updatedAt: string | null;
}

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
  /** History of a check: answers at once from the device, again when the server answered or runs came in. */
  subscribeHistory(query: HistoryQuery, listener: (page: Answer<Kept<HistoryPage>>) => void): Promise<Stop>;
  /** Health overview of a check, same manner. */
  subscribeGraph(
    checkId: string,
    range: TimeRange,
    listener: (graph: Answer<Kept<GraphView>>) => void,
  ): Promise<Stop>;
  /** Spec and relations of a check, same manner. */
  subscribeCheckDetail(checkId: string, listener: (detail: Answer<Kept<CheckDetail>>) => void): Promise<Stop>;
  subscribeCanary(canaryId: string, listener: (detail: Answer<Kept<CanaryDetail>>) => void): Promise<Stop>;
  /** A config item or component that a check is linked to, same manner. */
  subscribeRelated(
    kind: 'config' | 'component',
    id: string,
    listener: (item: Answer<Kept<RelatedItem>>) => void,
  ): Promise<Stop>;
  /** A page of a settings view, same manner. */
  subscribeTable(question: TableQuestion, listener: (page: Answer<Kept<TablePage>>) => void): Promise<Stop>;
  /** Something of the catalog by its id, same manner. */
  subscribeCatalog(
    kind: CatalogAnswer,
    id: string,
    listener: (found: Answer<Kept<unknown>>) => void,
  ): Promise<Stop>;
  /** A page of the search over changes, same manner. */
  subscribeChanges(
    question: ChangesQuestion,
    listener: (page: Answer<Kept<ChangesPage>>) => void,
  ): Promise<Stop>;
  /** A JSON schema that specs are written against, same manner. */
  subscribeSpecSchema(file: string, listener: (schema: Answer<Kept<unknown>>) => void): Promise<Stop>;
  /** The catalog summed up by the server over 30 days, same manner. */
  subscribeCatalogSummary(
    question: CatalogSummaryQuestion,
    listener: (rows: Answer<Kept<CatalogSummaryRow[]>>) => void,
  ): Promise<Stop>;
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
  subscribeOutbox(listener: (outbox: OutboxView) => void): Promise<Stop>;
  /** Sends a refused command again, on top of the server's present values (a new command takes its place). */
  redoCommand(commandId: string): Promise<Answer<{ commandId: string }>>;
  /** Takes a command out that was refused or never sent. */
  dropCommand(commandId: string): Promise<Answer<null>>;
  /** Which of these commands of the user the server has done; null where it can't tell (a plain backend). */
  appliedCommands(commandIds: readonly string[]): Promise<Answer<string[] | null>>;
  /** Texts that the user began and has not sent; told again after each change. */
  subscribeDrafts(listener: (drafts: DraftTexts) => void): Promise<Stop>;
  /** Keeps such a text, or forgets it (null); resolves when that is durable on this device. */
  writeDraft(key: string, text: string | null): Promise<Answer<null>>;
  subscribeCatchUp(listener: (card: CatchUpCard | null) => void): Promise<Stop>;
  dismissCatchUp(): Promise<void>;
  storageFacts(): Promise<Answer<StorageFacts>>;
  /** Sends the outbox if it can, throws everything else away and loads it again. */
  rebuildStore(): Promise<Answer<null>>;
}
