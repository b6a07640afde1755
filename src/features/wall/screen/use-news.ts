/** What is new on a wall: which checks have become red, and the board that is held because of it. */
import { useEffect, useRef, useState } from 'react';
import { soundAlert, speak } from '../../../data/device/platform-wall.ts';
import { MAX_WINDOW_ROWS } from '../../../contract/worker.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useSilenced } from '../../../data/queries/notifications/use-silences.ts';
import { useHealthView } from '../../../data/queries/health/use-health-view.ts';
import {
  newsAfter,
  remember,
  withoutReds,
  withReds,
  type Red,
  type RedNews,
} from '../../../domain/wall/red-news.ts';
import { hold, HOLD_MS, startRotation, turn } from '../../../domain/wall/rotation.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { messages } from '../messages.ts';
import { ALL_CHECKS } from '../tiles/wall-queries.ts';
import type { Shown } from './use-boards.ts';

/** A window of the worker: of more failing checks only their number is news. */
const WATCHED = MAX_WINDOW_ROWS;
const NAMES_SPOKEN = 3;

/** The checks that fail now, by name as far as they are watched. */
function useReds() {
  const { frame, getRow, setVisibleRange } = useHealthView(ALL_CHECKS);
  const silenced = useSilenced('check');
  const count = Math.min(WATCHED, frame.counts.unhealthy);
  useEffect(() => setVisibleRange(0, Math.max(1, count)), [setVisibleRange, count]);
  const { firstLoad } = useSyncStatus();
  const rows = Array.from({ length: count }, (_, at) => getRow(at));
  const isComplete = frame.isLoaded && rows.every((row) => row !== null);
  const named = rows.flatMap((row): Red[] =>
    row?.kind === 'check' && row.health.state === 'unhealthy'
      ? [{ id: row.check.id, name: row.check.name, isSilent: silenced[row.check.id] !== undefined }]
      : [],
  );
  const reds = { named, total: frame.counts.unhealthy };
  return { frame, reds, isComplete, isWatched: firstLoad === null };
}

export interface News {
  frame: ReturnType<typeof useReds>['frame'];
  news: RedNews;
  /** True for as long as the new red checks are told. */
  isTold: boolean;
}

function spokenOf({ fresh, more, total }: Pick<RedNews, 'fresh' | 'more' | 'total'>): string {
  const words = messages.screen;
  if (fresh.length === 0) return words.spokenMore(more, total ?? more);
  const names = fresh.slice(0, NAMES_SPOKEN).map(({ name }) => name);
  return words.spoken(names, fresh.length - names.length + more);
}

/** The news, which outlive this page for as long as the viewer stays signed in. */
function useRedNews(viewerId: string) {
  const device = useDevice();
  const key = `wall-reds:${viewerId}`;
  const [news, setNews] = useState(() => newsAfter(device.readTabSetting(key)));
  useEffect(() => device.writeTabSetting(key, remember(news)), [device, key, news]);
  useEffect(() => () => device.writeTabSetting(key, ''), [device, key]);
  return [news, setNews] as const;
}

/** Once for each time that something is new; not before the settings are known, which say whether it is heard. */
function useAlarm(
  { fresh, more, total, sinceMs }: RedNews,
  { isKnown, settings: { hasSound, hasSpeech } }: Pick<Shown, 'isKnown' | 'settings'>,
): void {
  const toldMs = useRef(0);
  useEffect(() => {
    if (!isKnown || sinceMs === toldMs.current) return;
    toldMs.current = sinceMs;
    if (hasSound) soundAlert();
    if (hasSpeech) speak(spokenOf({ fresh, more, total }));
  }, [isKnown, sinceMs, fresh, more, total, hasSound, hasSpeech]);
}

/** Tells what is new by sound and speech, where the wall's settings say so. */
export function useNews(viewerId: string, shown: Pick<Shown, 'isKnown' | 'settings'>): News {
  const device = useDevice();
  const { frame, reds, isComplete, isWatched } = useReds();
  const [news, setNews] = useRedNews(viewerId);
  const told = isComplete ? withReds(news, reds, device.now()) : news;
  const next = isWatched ? told : withoutReds(news);
  if (next !== news) setNews(next);
  useAlarm(news, shown);
  const { sinceMs } = news;
  const isTold = useTicking((nowMs) => String(sinceMs > 0 && nowMs < sinceMs + HOLD_MS)) === 'true';
  return { frame, news, isTold };
}

/** The place of the board that is shown, of `count`; what is new holds it. */
export function useRotation(count: number, rotateSeconds: number, news: RedNews): number {
  const device = useDevice();
  const [rotation, setRotation] = useState(() => startRotation(device.now()));
  const [heldFor, setHeldFor] = useState(news.sinceMs);
  if (news.sinceMs !== heldFor) {
    setHeldFor(news.sinceMs);
    setRotation(hold(rotation, news.sinceMs));
  }
  useEffect(
    () =>
      device.onTick(() =>
        setRotation((now) => turn(now, device.now(), { count, everyMs: rotateSeconds * 1000 })),
      ),
    [device, count, rotateSeconds],
  );
  return Math.min(rotation.at, count - 1);
}
