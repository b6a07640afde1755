/** The care of a wall's screen: it stays on, asks often enough, and begins anew where that helps. Nobody is there to. */
import { useEffect } from 'react';
import { setPollInterval } from '../../../data/commands/commands.ts';
import {
  after,
  healWall,
  keepScreenOn,
  noteWallStands,
  openForMs,
  reloadIfServed,
  repeat,
} from '../../../data/device/platform-wall.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { isOwnFault, isWallStuck, wallPollMs } from '../../../domain/wall/screen-care.ts';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';

const CARE_EVERY_MS = 60_000;
/** Every page begins anew once a day, when nothing is new: whatever leaks ends there. */
const DAY_MS = 24 * 60 * 60_000;
/** What every page asks by. */
const USUAL_POLL_MS = 60_000;
/** A stream that is opened again and again behind a proxy that holds it back says nothing in between. */
const LIVE_FOR_MS = 60_000;

/** Asks by itself as long as the server's stream tells nothing: else the screen would be stale most of the time. */
function usePolling(staleSeconds: number): void {
  const { connection } = useSyncStatus();
  useEffect(() => {
    if (connection === 'polling') setPollInterval(wallPollMs(staleSeconds));
    if (connection !== 'live') return undefined;
    return after(LIVE_FOR_MS, () => setPollInterval(USUAL_POLL_MS));
  }, [connection, staleSeconds]);
  useEffect(() => () => setPollInterval(USUAL_POLL_MS), []);
}

/** Loads the page again when it is stuck, and once a day. */
function useHealing({ isStale, isCalm }: { isStale: boolean; isCalm: boolean }): void {
  const { asOfMs, lastError } = useSyncStatus();
  const isStuck =
    useTicking((nowMs) => String(isWallStuck({ asOfMs, nowMs, openForMs: openForMs() }))) === 'true';
  const isOld = useTicking(() => String(openForMs() > DAY_MS)) === 'true';
  const isOwn = isOwnFault(lastError);
  const isDue = isOld && isCalm;
  useEffect(() => {
    if (!isStale) noteWallStands();
  }, [isStale]);
  useEffect(() => {
    if (isStuck) return repeat(CARE_EVERY_MS, () => healWall({ isOwnFault: isOwn }));
    return isDue ? repeat(CARE_EVERY_MS, reloadIfServed) : undefined;
  }, [isStuck, isOwn, isDue]);
}

interface Care {
  isStale: boolean;
  /** Nothing new is being told: what is told would be cut short by a page that is loaded again. */
  isCalm: boolean;
  /** Lets a new version take over, where one waits. */
  update: (() => void) | null;
  staleSeconds: number;
}

/** See the head of this file. */
export function useScreenCare({ isStale, isCalm, update, staleSeconds }: Care): void {
  useEffect(keepScreenOn, []);
  usePolling(staleSeconds);
  useHealing({ isStale, isCalm });
  useEffect(() => {
    if (isCalm) update?.();
  }, [isCalm, update]);
}
