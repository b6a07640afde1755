/**
 * Starts, ends and approves runs of playbooks, with somebody waiting (contract §7). Never queued, never repeated by
 * itself: offline it is refused (design §4 law 9). The key makes a repeated press the same run where the server knows
 * keys; another server is told nothing that it doesn't know.
 */
import { AppError, ERROR_TEXTS, OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import { dryRunSchema, type DryRun } from '../../../src/contract/http/playbooks/playbook-dry-run.ts';
import { runOutputSchema, type RunOutput } from '../../../src/contract/http/playbooks/playbook-output.ts';
import {
  startedRunSchema,
  type RunRequest,
  type StartedRun,
} from '../../../src/contract/http/playbooks/playbooks.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { StatusBoard } from '../status/status-board.ts';

export interface PlaybookCalls {
  http: HttpClient;
  board: StatusBoard;
}

/** Throws `network` at once while there is no connection. */
function requireServer(board: StatusBoard): void {
  const { connection } = board.get();
  if (connection !== 'offline' && connection !== 'server-unreachable') return;
  const text = connection === 'offline' ? OFFLINE_TEXT : ERROR_TEXTS.network;
  throw new AppError('network', text, { retryable: true });
}

function bodyOf({ playbookId, resource, params, agentId, confirm }: RunRequest): Record<string, unknown> {
  return {
    id: playbookId,
    ...(resource === null ? {} : { [`${resource.kind}_id`]: resource.id }),
    params,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(confirm === undefined ? {} : { confirm }),
  };
}

/** Starts a run; the same key again is the same run. */
export async function startRun(
  { http, board }: PlaybookCalls,
  { key, ...request }: RunRequest & { key: string },
): Promise<StartedRun> {
  requireServer(board);
  const headers = { 'idempotency-key': key };
  const path = '/api/playbook/run';
  return startedRunSchema.parse(await http.json({ path, method: 'POST', headers, body: bodyOf(request) }));
}

/** What a run would do; nothing is run. */
export async function dryRun({ http, board }: PlaybookCalls, request: RunRequest): Promise<DryRun> {
  requireServer(board);
  const path = `/api/playbook/${encodeURIComponent(request.playbookId)}/dry-run`;
  const { id: _id, ...body } = bodyOf(request);
  return dryRunSchema.parse(await http.json({ path, method: 'POST', body }));
}

/** The server answers earlier when something was written. */
const OUTPUT_WAIT_MS = 10_000;

/** What the steps of a run wrote after a place in its output. */
export async function readOutput(
  { http, board }: PlaybookCalls,
  { runId, after }: { runId: string; after: number },
): Promise<RunOutput> {
  requireServer(board);
  const query = new URLSearchParams({ after: String(after), wait: String(OUTPUT_WAIT_MS) });
  const path = `/api/playbook/run/${encodeURIComponent(runId)}/output?${query.toString()}`;
  return runOutputSchema.parse(await http.json({ path }));
}

/** Asks the server to end a run; what is under way is ended there. */
export async function cancelRun({ http, board }: PlaybookCalls, runId: string): Promise<null> {
  requireServer(board);
  await http.json({ path: `/api/playbook/run/${encodeURIComponent(runId)}/cancel`, method: 'POST' });
  return null;
}

/** Lets a run go on that waits for it. */
export async function approveRun({ http, board }: PlaybookCalls, runId: string): Promise<null> {
  requireServer(board);
  await http.json({ path: `/api/playbook/run/approve/${encodeURIComponent(runId)}`, method: 'POST' });
  return null;
}
