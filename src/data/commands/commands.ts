/** What the app does with its data, as plain functions. */
import type { LogTest, LogTested } from '../../contract/logs/logs.ts';
import type { SnapshotRequest } from '../../contract/http/snapshot.ts';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { RunResult } from '../../contract/http/canary.ts';
import type { IdentityAnswer, IdentityRequest } from '../../contract/http/identity/identity-flow.ts';
import type { Previewed, PreviewRequest } from '../../contract/http/notifications/rule-preview.ts';
import type { TriedChecks, TryCheck } from '../../contract/http/trying/try-check.ts';
import type { TriedScraper, TryScraper } from '../../contract/http/trying/try-scraper.ts';
import type { TriedDone, TryDone } from '../../contract/http/trying/try-done.ts';
import type { DryRun } from '../../contract/http/playbooks/playbook-dry-run.ts';
import type { RunRequest, StartedRun } from '../../contract/http/playbooks/playbooks.ts';
import type { PreparedRun } from '../../domain/playbook/prepared-run.ts';
import type { FlowError } from '../../contract/http/shell.ts';
import type { SendOptions } from '../../contract/outbox/outbox.ts';
import type { StorageFacts } from '../../contract/worker.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import type { Answer } from '../../contract/queries/queries.ts';
import { dataClient } from '../client/data-client.ts';

/** Has the server ask a log backend now; answers what came of it. */
export function testLogBackend(tested: LogTest): Promise<Answer<LogTested>> {
  return dataClient().workers.sync.act('test-log-backend', tested);
}

/** Asks the identity server something for one of its pages; a refusal is an answer, too. */
export function callIdentity(request: IdentityRequest): Promise<Answer<IdentityAnswer>> {
  return dataClient().workers.sync.act('call-identity', request);
}

/** Asks the server who is signed in, now; answers whether anybody is. */
export function checkSession(): Promise<Answer<boolean>> {
  return dataClient().workers.sync.act('check-session', {});
}

/** Why an identity flow failed. */
export function readFlowError(id: string): Promise<Answer<FlowError>> {
  return dataClient().workers.sync.act('read-flow-error', { id });
}

/**
 * Deletes what is kept of the user and ends the session; works offline. What wasn't sent yet goes too, unless it
 * is to stay on this device for the same user.
 */
export function signOut(options: { keepOutbox: boolean } = { keepOutbox: false }): Promise<void> {
  return dataClient().signOut(options);
}

/** The user has read that commands were lost. */
export function dismissLost(): void {
  dataClient().lost.dismiss();
}

/**
 * Does what the user asked for, now or when the server can be reached; resolves when it is safe on this device.
 * Refused here: invalid arguments, no space left. With `holdMs` nothing leaves the device before (12 s at most):
 * until then `dropCommand` undoes it as if it had never been.
 */
export function sendCommand(
  request: CommandRequest,
  options?: SendOptions,
): Promise<Answer<{ commandId: string }>> {
  return dataClient().send(request, options);
}

/** So many at a time are made and handed over: the page is drawn in between. */
const HANDED_OVER = 250;

/**
 * The same for many at once, all or none; `about` is what each is called where it is listed. They are handed over in parts,
 * and written down together with the last one.
 */
export async function sendCommands(
  commands: readonly { make: () => CommandRequest; about: string }[],
  options: SendOptions & { key: string },
): Promise<Answer<{ commandIds: string[] }>> {
  const { sync } = dataClient().workers;
  for (let start = 0; ; start += HANDED_OVER) {
    const isLast = start + HANDED_OVER >= commands.length;
    const part = commands.slice(start, start + HANDED_OVER);
    const made = part.map(({ make, about }) => ({ request: make(), about }));
    const answer = await sync.act('send-commands', { ...options, commands: made, start, isLast });
    if (isLast || !answer.ok) return answer;
  }
}

/** Takes out those of many commands that never left this device; answers which. */
export function dropCommands(commandIds: readonly string[]): Promise<Answer<{ dropped: string[] }>> {
  return dataClient().workers.sync.act('drop-commands', { commandIds: [...commandIds] });
}

/** Sends a refused command again, on top of the server's present values. */
export function redoCommand(commandId: string): Promise<Answer<{ commandId: string }>> {
  return dataClient().workers.sync.act('redo-command', { commandId });
}

/** Takes out a command that was refused or never sent. */
export function dropCommand(commandId: string): Promise<Answer<null>> {
  return dataClient().workers.sync.act('drop-command', { commandId });
}

/** The user has read what happened meanwhile. */
export function dismissCatchUp(): void {
  dataClient().perform('dismiss-catch-up', {});
}

/** What this device keeps. */
export function storageFacts(): Promise<Answer<StorageFacts>> {
  return dataClient().workers.sync.act('read-storage', {});
}

/** Sends what can be sent, throws everything else away and loads it again. */
export function rebuildStore(): Promise<Answer<null>> {
  return dataClient().workers.sync.act('rebuild-store', {});
}

/** Asks the server again now. */
export function refresh(): void {
  dataClient().refresh();
}

/** Runs a check now; refused offline. */
export function runCheck(checkId: string): Promise<Answer<RunResult | null>> {
  return dataClient().workers.sync.act('run-check', { checkId });
}

/** Starts a playbook; the same key again is the same run. Refused offline. */
export function runPlaybook(request: RunRequest & { key: string }): Promise<Answer<StartedRun>> {
  return dataClient().workers.sync.act('run-playbook', request);
}

/** What a run would do; nothing is run. Refused offline. */
export function dryRunPlaybook(request: RunRequest): Promise<Answer<DryRun>> {
  return dataClient().workers.sync.act('dry-run', request);
}

/** Ends a run; refused offline. */
export function cancelRun(runId: string): Promise<Answer<null>> {
  return dataClient().workers.sync.act('cancel-run', { runId });
}

/** Lets a run go on that waits for an approval; refused offline. */
export function approveRun(runId: string): Promise<Answer<null>> {
  return dataClient().workers.sync.act('approve-run', { runId });
}

/** Writes a run down that somebody has to confirm later; nothing sends it. */
export function prepareRun(run: PreparedRun): Promise<Answer<{ commandId: string }>> {
  return dataClient().workers.sync.act('prepare-run', run);
}

/** Everything about a component as a zip, from the server; refused offline. */
export function downloadSnapshot(request: SnapshotRequest): Promise<Answer<Uint8Array>> {
  return dataClient().workers.sync.act('download-snapshot', request);
}

/** What a rule of notifications would say, from the server; refused offline. */
export function previewRule(asked: PreviewRequest): Promise<Answer<Previewed>> {
  return dataClient().workers.sync.act('preview-rule', asked);
}

/** Has the server run checks once that nobody has kept; refused offline. */
export function tryCheck(asked: TryCheck): Promise<Answer<TriedChecks>> {
  return dataClient().workers.sync.act('try-check', asked);
}

/** Has the server read a scraper once that nobody has kept; refused offline. */
export function tryScraper(asked: TryScraper): Promise<Answer<TriedScraper>> {
  return dataClient().workers.sync.act('try-scraper', asked);
}

/** Tries a script of a definition of done on the server; refused offline. */
export function tryDone(question: TryDone): Promise<Answer<TriedDone>> {
  return dataClient().workers.sync.act('try-done', question);
}

/** How often to ask besides being told; null for never. */
export function setPollInterval(intervalMs: number | null): void {
  dataClient().perform('set-poll-interval', { intervalMs });
}

/** Which range the uptime and latency columns want. */
export function setSummaryRange(range: TimeRange): void {
  dataClient().perform('set-summary-range', { range });
}

/** The server's time now, ms since 1970. */
export function nowOnServer(): number {
  return dataClient().nowOnServer();
}
