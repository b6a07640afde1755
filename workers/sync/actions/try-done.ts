/** Tries a definition of done's script, with somebody waiting for the result. Never queued: offline it is refused (law 9). */
import {
  triedDoneSchema,
  tryDoneSchema,
  type TriedDone,
  type TryDone,
} from '../../../src/contract/http/trying/try-done.ts';
import { AppError, ERROR_TEXTS, OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { StatusBoard } from '../status/status-board.ts';

/** The server gives a script less. */
const TRY_TIMEOUT_MS = 60_000;

/** Throws `network` at once while there is no connection. */
export async function tryDone(
  { http, board }: { http: HttpClient; board: StatusBoard },
  question: TryDone,
): Promise<TriedDone> {
  const { incidentId, ...body } = tryDoneSchema.parse(question);
  const { connection } = board.get();
  if (connection === 'offline' || connection === 'server-unreachable') {
    const text = connection === 'offline' ? OFFLINE_TEXT : ERROR_TEXTS.network;
    throw new AppError('network', text, { retryable: true });
  }
  const path = `/api/incidents/${encodeURIComponent(incidentId)}/definition-of-done/try`;
  return triedDoneSchema.parse(await http.json({ path, method: 'POST', body, timeoutMs: TRY_TIMEOUT_MS }));
}
