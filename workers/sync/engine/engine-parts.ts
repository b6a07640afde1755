/** What the sync engine is given. */
import type { Cursor } from '../../../src/contract/sync.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { SyncPlatform } from '../platform.ts';
import type { CollectionsPull } from '../pull/collections-pull.ts';
import type { Dialect } from '../pull/dialect.ts';
import type { PullQueue } from './pull-queue.ts';
import type { ServerClock } from '../network/server-clock.ts';
import type { StatusBoard } from '../status/status-board.ts';
import type { StoreVouch } from '../store/store-vouch.ts';

export interface EngineParts {
  platform: SyncPlatform;
  http: HttpClient;
  clock: ServerClock;
  board: StatusBoard;
  queue: PullQueue;
  collections: CollectionsPull;
  /** For a server with a change log, and for one that speaks the plain contract only (law 16). */
  dialects: {
    log: Dialect & { forget(): Promise<void>; reload(): void; rewind(cursor: Cursor): Promise<void> };
    plain: Dialect;
  };
  meta: KeyValue;
  /** Whether the store still holds what its marks vouch for. */
  vouch: Pick<StoreVouch, 'verify' | 'reload'>;
  isDeviceOnline: () => boolean;
  onUnauthorized: () => void;
  /** The line was silent and answers again: what hangs on it should be given up. */
  onLineBack: () => void;
  /** Checks whose rows changed; empty after an outage, when anything may have. */
  onChanged: (checkIds: readonly string[]) => void;
  /** Before rows come in after a silence that began then (ms, server clock). */
  onBeforePull: (asOfMs: number) => Promise<void>;
  /** Everything is in. */
  onCaughtUp: () => Promise<void>;
  /** The store can't be read or written. */
  onBroken: (error: unknown) => void;
}
