/** What the page says while the file of a worker could not be loaded: the same as a worker would of such a server. */
import { AppError, ERROR_TEXTS, errorFacts, OFFLINE_TEXT } from '../../contract/errors.ts';
import type { SessionState, SyncStatus } from '../../contract/worker.ts';

/** What is known of the connection; a worker's own word is newer. `nowMs` is on the server's clock. */
export function statusWithout(status: SyncStatus, isOnline: boolean, nowMs: number): SyncStatus {
  if (status.connection !== 'connecting') return status;
  return {
    ...status,
    connection: isOnline ? 'server-unreachable' : 'offline',
    downSinceMs: status.downSinceMs ?? nowMs,
  };
}

/** Who is signed in stays what it is where that is known. */
export function sessionWithout(session: SessionState, isOnline: boolean): SessionState {
  if (session.kind !== 'unknown') return session;
  const text = isOnline ? ERROR_TEXTS.network : OFFLINE_TEXT;
  return { kind: 'failed', error: errorFacts(new AppError('network', text, { retryable: true })) };
}
