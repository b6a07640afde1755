/** Has the server run checks once that nobody has kept. Never queued: offline it is refused (law 9). */
import {
  triedChecksSchema,
  tryCheckSchema,
  type TriedChecks,
  type TryCheck,
} from '../../../src/contract/http/trying/try-check.ts';
import type { HttpClient } from '../network/http-client.ts';

/** The server gives up before. */
const TRY_TIMEOUT_MS = 100_000;

/** What each of them came to. */
export async function tryCheck(http: HttpClient, asked: TryCheck): Promise<TriedChecks> {
  const body = tryCheckSchema.parse(asked);
  const answer = await http.json({
    path: '/api/canary/try',
    method: 'POST',
    body,
    timeoutMs: TRY_TIMEOUT_MS,
  });
  return triedChecksSchema.parse(answer);
}
