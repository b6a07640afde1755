/**
 * The server's clock as this page last knew it, where the main thread can read it at once: a start judges what is
 * kept by it before the worker has looked. The worker's own record decides (workers/sync/network/stored-server-clock.ts).
 */
import { isRecord } from '../../lib/is-record.ts';
import type { SyncStatus } from '../../contract/worker.ts';
import type { DataPlatform } from './platform.ts';
import { storedJson } from './stored-json.ts';

const KEY = 'holdfast.clock';
/** A kept time may be older than the newest by this. */
const KEEP_EVERY_MS = 5000;

type ClockPlatform = Pick<DataPlatform, 'now' | 'readStored' | 'writeStored' | 'report'>;

/** server − device, ms; never so that the server's time is before what it is known to have been. */
export function readStoredOffset(platform: ClockPlatform): number {
  const value = storedJson(platform, KEY);
  if (!isRecord(value) || typeof value.offsetMs !== 'number' || typeof value.asOfMs !== 'number') return 0;
  return Math.max(value.offsetMs, value.asOfMs - platform.now());
}

/** Notes what the worker tells of the clock. */
export function createOffsetKeeper(platform: ClockPlatform): (status: SyncStatus) => void {
  let keptMs = Number.NEGATIVE_INFINITY;
  let storedOffsetMs = 0;
  return ({ asOfMs, offsetMs }) => {
    if (asOfMs === null || (asOfMs - keptMs < KEEP_EVERY_MS && offsetMs === storedOffsetMs)) return;
    keptMs = asOfMs;
    storedOffsetMs = offsetMs;
    platform.writeStored(KEY, JSON.stringify({ offsetMs, asOfMs }));
  };
}
