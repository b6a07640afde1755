/** Runs a check now, with somebody waiting for the result. Never queued: offline it is refused (law 9). */
import { AppError, ERROR_TEXTS, OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import { runResultSchema, type RunResult } from '../../../src/contract/http/canary.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { StatusBoard } from '../status/status-board.ts';

/** A check may run as long as its own timeout. */
const RUN_TIMEOUT_MS = 120_000;

/** Throws `network` at once while there is no connection. */
export async function runCheckNow(
  { http, board }: { http: HttpClient; board: StatusBoard },
  checkId: string,
): Promise<RunResult | null> {
  const { connection } = board.get();
  if (connection === 'offline' || connection === 'server-unreachable') {
    const text = connection === 'offline' ? OFFLINE_TEXT : ERROR_TEXTS.network;
    throw new AppError('network', text, { retryable: true });
  }
  const path = `/api/canary/run/check/${encodeURIComponent(checkId)}`;
  const body = await http.json({ path, method: 'POST', timeoutMs: RUN_TIMEOUT_MS });
  return body === null ? null : runResultSchema.parse(body);
}
