/** Holds what the connectivity chip says and tells its listeners when it changed. */
import { HEARTBEAT_MS } from '../../../src/contract/sync.ts';
import type { SyncStatus } from '../../../src/contract/worker.ts';
import { APP_VERSION } from '../../../src/contract/version.ts';

/** The clock's own progress is not worth a message more often than this. */
const PROGRESS_GAP_MS = 1000;

export interface StatusBoard {
  get(): SyncStatus;
  patch(part: Partial<SyncStatus>): void;
  subscribe(listener: (status: SyncStatus) => void): () => void;
}

export const FIRST_STATUS: SyncStatus = {
  connection: 'connecting',
  downSinceMs: null,
  asOfMs: null,
  freshness: 'stale',
  // The strictest, until an answer says how often there will be one.
  expectMs: HEARTBEAT_MS,
  offsetMs: 0,
  isPulling: false,
  firstLoad: null,
  lastError: null,
  versions: { app: APP_VERSION, server: null },
};

/** What changes with every answer, apart from what people look for. */
function essence({ asOfMs: _asOf, offsetMs: _offset, ...rest }: SyncStatus): string {
  return JSON.stringify(rest);
}

/** One for the worker; a change of mere times is told after a gap, any other at once. */
export function createStatusBoard(platform: {
  elapsed(): number;
  later(delayMs: number, callback: () => void): () => void;
}): StatusBoard {
  const listeners = new Set<(status: SyncStatus) => void>();
  let status = FIRST_STATUS;
  let told = FIRST_STATUS;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;

  const tell = () => {
    told = status;
    toldAtMs = platform.elapsed();
    for (const listener of listeners) listener(status);
  };
  const notifyLater = () => {
    if (isWaiting) return;
    isWaiting = true;
    platform.later(Math.max(0, toldAtMs + PROGRESS_GAP_MS - platform.elapsed()), () => {
      isWaiting = false;
      if (told !== status) tell();
    });
  };

  return {
    get: () => status,
    patch(part) {
      status = { ...status, ...part };
      if (essence(status) !== essence(told)) tell();
      else if (status.asOfMs !== told.asOfMs || status.offsetMs !== told.offsetMs) notifyLater();
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(status);
      return () => listeners.delete(listener);
    },
  };
}
