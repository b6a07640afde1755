/**
 * The status as the sync worker told it last. A worker that is gone (its process ran out of memory, or was ended) says
 * nothing, not even that: what it said last grows old here by the worker's own rule (design §4 law 11), so that no page
 * is called live for hours.
 */
import type { Freshness, SyncStatus } from '../../contract/worker.ts';
import { freshnessOf } from '../../contract/freshness.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';
import type { DataPlatform } from './platform.ts';

/** A worker that is there says it first. */
const GRACE_MS = 3000;

const WORSE: readonly Freshness[] = ['fresh', 'ageing', 'stale'];

export interface AgingStatus extends LiveValue<SyncStatus> {
  /** What it tells has become stale here, and the worker has not said so. */
  isSilent: () => boolean;
}

/** Freshness only gets worse here; what the worker tells is taken as it is. */
export function createAgingStatus(
  platform: Pick<DataPlatform, 'now' | 'later'>,
  first: SyncStatus,
): AgingStatus {
  const value = createLiveValue(first);
  let isWatched = false;
  let isSilent = false;
  const watch = () => {
    const { freshness, expectMs } = value.get();
    if (isWatched || freshness === 'stale') return;
    isWatched = true;
    platform.later(expectMs, () => {
      isWatched = false;
      const status = value.get();
      const nowMs = platform.now() + status.offsetMs - GRACE_MS;
      const freshness = freshnessOf({ ...status, nowMs });
      if (WORSE.indexOf(freshness) > WORSE.indexOf(status.freshness)) {
        isSilent = freshness === 'stale';
        value.set({ ...status, freshness });
      }
      watch();
    });
  };
  return {
    ...value,
    isSilent: () => isSilent,
    set(status) {
      isSilent = false;
      value.set(status);
      watch();
    },
  };
}
