/** The connection before the sync worker has said anything. */
import { APP_VERSION } from '../../contract/version.ts';
import type { SyncStatus } from '../../contract/worker.ts';

export const FIRST_STATUS: SyncStatus = {
  connection: 'connecting',
  downSinceMs: null,
  asOfMs: null,
  freshness: 'stale',
  expectMs: 0,
  offsetMs: 0,
  isPulling: false,
  firstLoad: null,
  lastError: null,
  versions: { app: APP_VERSION, server: null },
};
