/**
 * What to do when the store can't be read or written (design §4 law 14): rebuild it, but not over and over. The
 * outbox is a database of its own and is never touched here.
 */
import type { StorageFacts } from '../../../src/contract/worker.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';
import type { SyncPlatform } from '../platform.ts';

/** A store that breaks again this soon is broken by the device; loading it again would not help. */
const AGAIN_MS = 60_000;

export interface StoreHealthParts {
  platform: Pick<SyncPlatform, 'elapsed' | 'report'>;
  rebuild: () => Promise<void>;
}

/** A second failure within `AGAIN_MS` of a rebuild is not answered by another one. */
export class StoreHealth {
  private readonly parts: StoreHealthParts;
  private rebuiltAtMs: number | null = null;
  private isRebuilding = false;
  private isHopeless = false;

  constructor(parts: StoreHealthParts) {
    this.parts = parts;
  }

  condition(): StorageFacts['condition'] {
    if (this.isHopeless) return 'broken';
    return this.rebuiltAtMs === null ? 'fine' : 'rebuilt';
  }

  /** The store failed; rebuilds it unless that was just done. */
  suspect(error: unknown): void {
    const { platform, rebuild } = this.parts;
    if (this.isRebuilding) return;
    platform.report(error);
    // Nothing is broken, and a new store would have no room either.
    if (storageFailureOf(error)?.code === 'quota') return;
    if (this.rebuiltAtMs !== null && platform.elapsed() - this.rebuiltAtMs < AGAIN_MS) {
      this.isHopeless = true;
      return;
    }
    this.isRebuilding = true;
    this.isHopeless = false;
    this.rebuiltAtMs = platform.elapsed();
    rebuild()
      .catch((failure: unknown) => platform.report(failure))
      .finally(() => {
        this.isRebuilding = false;
      });
  }
}
