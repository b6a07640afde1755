/** The rows and summaries of the store that is attached, kept up to date; tells when any answer may differ. */
import type { StoreChange } from '../../src/contract/worker.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { isTimeRange, type TimeRange } from '../../src/domain/time/ranges.ts';
import type { CachedDocument } from '../store/store-facts.ts';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import type { BoardInput } from '../../src/contract/health-board/health-board.ts';
import type { ComputePlatform } from './platform.ts';
import { overlayOf, readChecks, readSummary, type StoreSnapshot } from './read-store.ts';
import { createStoreFollower, type StoreFollower } from './store-follower.ts';
import { createSummaryOverlays } from './summary-overlays.ts';

/** Checks become overdue by the passing of time alone. */
const TICK_MS = 10_000;
const SUMMARY_PREFIX = 'summary:';

/** One for the worker; `onChange` tells that any answer may differ. */
export class ComputeModel {
  readonly index = createCheckIndex();
  private readonly platform: ComputePlatform;
  private readonly onChange: () => void;
  private readonly overlays = createSummaryOverlays(this.index);
  private readonly follower: StoreFollower;
  private attached: string | null = null;
  private offsetMs = 0;
  private isWhole = false;

  constructor(platform: ComputePlatform, onChange: () => void) {
    this.platform = platform;
    this.onChange = onChange;
    this.follower = createStoreFollower<StoreSnapshot>({
      listen: (listener) => platform.listen(listener),
      later: (delayMs, callback) => platform.later(delayMs, callback),
      target: {
        concerns: (collection) => collection === 'checks' || collection === 'documents',
        load: (storeName) => readChecks(platform.idb, storeName),
        onLoaded: (snapshot) => this.load(snapshot),
        onChange: (change) => this.apply(change),
        onFailure: (error) => {
          platform.report(error);
          if (this.attached !== null && error instanceof SyntaxError)
            platform.announce({ type: 'damaged', storeName: this.attached });
        },
      },
    });
    platform.every(TICK_MS, () => this.retime());
  }

  /** The server's clock, ms. */
  nowMs(): number {
    return this.platform.now() + this.offsetMs;
  }

  /** False until the checks of the attached store were read. */
  isLoaded(): boolean {
    return this.isWhole;
  }

  /** Reads another store, or none. */
  attach(storeName: string | null): void {
    if (storeName === this.attached) return;
    this.attached = storeName;
    this.isWhole = false;
    this.overlays.clear();
    this.index.replaceAll([], this.nowMs());
    this.follower.follow(storeName);
    this.onChange();
  }

  setOffset(offsetMs: number): void {
    this.offsetMs = offsetMs;
    this.retime();
  }

  /** What a board is made of, with uptime and latency of that range where they are kept. */
  read(range: TimeRange): BoardInput {
    this.fetchSummary(range);
    return { isLoaded: this.isWhole, facets: this.index.facets(), ...this.overlays.entriesFor(range) };
  }

  private load({ isWhole, checks }: StoreSnapshot): void {
    this.index.replaceAll(checks, this.nowMs());
    this.isWhole = isWhole;
    this.onChange();
  }

  private apply(change: StoreChange): void {
    if (change.collection === 'documents') this.applyDocuments(change.upserts);
    if (change.collection !== 'checks') return;
    // Rows were parsed when they came in from the server.
    this.index.apply({ upserts: change.upserts as Check[], deletedIds: change.deletedIds }, this.nowMs());
    this.onChange();
  }

  private applyDocuments(documents: readonly unknown[]): void {
    for (const document of documents as CachedDocument[]) {
      const range = document.id.slice(SUMMARY_PREFIX.length);
      if (document.id.startsWith(SUMMARY_PREFIX) && isTimeRange(range))
        this.overlays.set(range, overlayOf(document));
    }
    this.onChange();
  }

  private fetchSummary(range: TimeRange): void {
    const storeName = this.attached;
    if (storeName === null || this.overlays.isKnown(range)) return;
    this.overlays.markAsked(range);
    readSummary(this.platform.idb, storeName, range).then(
      (overlay) => {
        if (overlay === null || storeName !== this.attached) return;
        this.overlays.set(range, overlay);
        this.onChange();
      },
      (error: unknown) => this.platform.report(error),
    );
  }

  private retime(): void {
    if (this.index.reevaluate(this.nowMs())) this.onChange();
  }
}
