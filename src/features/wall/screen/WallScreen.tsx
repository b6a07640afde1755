/** A wall's whole screen: its boards in turn, what is new, how old it all is, and the care of the screen itself. */
import { IconAlertTriangle, IconClockExclamation } from '@tabler/icons-react';
import type { WallSettings } from '../../../contract/http/walls.ts';
import { localTime } from '../../../data/device/platform-wall.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { formatAge, formatClock } from '../../../domain/time/format.ts';
import { isDimmed, isWallStale, pixelShift } from '../../../domain/wall/screen-care.ts';
import type { RedNews } from '../../../domain/wall/red-news.ts';
import { useMedia } from '../../../ui/hooks/use-media.ts';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { messages } from '../messages.ts';
import { wallSearch } from '../search-schemas.ts';
import { BoardView } from './BoardView.tsx';
import classes from './screen.module.css';
import { StatusStrip } from './StatusStrip.tsx';
import { useBoards } from './use-boards.ts';
import { useNews, useRotation } from './use-news.ts';
import { useScreenCare } from './use-screen-care.ts';

const words = messages.screen;
const NAMES_SHOWN = 4;
const LARGE_SCALE = 1.35;

function Banner({ news }: { news: RedNews }) {
  const count = news.fresh.length + news.more;
  const names = news.fresh.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = names.length === 0 ? 0 : count - names.length;
  return (
    <div className={classes.banner} role="alert" data-testid="wall-news">
      <IconAlertTriangle aria-hidden />
      <strong>{names.length === 0 ? words.moreRed(count, news.total ?? count) : words.newRed(count)}</strong>
      <span className={classes.names}>{names.join(', ')}</span>
      {more > 0 && <span>{words.andMore(more)}</span>}
    </div>
  );
}

function Stale({ asOfMs }: { asOfMs: number | null }) {
  const text = useTicking((nowMs) =>
    asOfMs === null
      ? words.neverHeard
      : words.staleSince(formatClock(asOfMs, nowMs), formatAge(nowMs - asOfMs)),
  );
  return (
    <div className={classes.stale} role="alert" data-testid="wall-stale">
      <p>
        <IconClockExclamation aria-hidden />
        <strong>{words.stale}</strong>
        <span>{text}</span>
      </p>
    </div>
  );
}

/** How the screen looks now, as attributes of its root. */
function useLook(settings: WallSettings, asOfMs: number | null, isTold: boolean) {
  const isStale = useTicking((nowMs) => String(isWallStale(asOfMs, nowMs, settings.staleSeconds))) === 'true';
  const isDark = useTicking((nowMs) => String(isDimmed(settings.dim, localTime(nowMs)))) === 'true';
  const shift = useTicking((nowMs) =>
    pixelShift(nowMs)
      .map((px) => `${px}px`)
      .join(' '),
  );
  return { isStale, isDark: isDark && !isTold, shift };
}

interface WallScreenProps {
  /** Who looks: a wall by its id, or a person who looks at a board first. */
  viewerId: string;
  /** Lets a new version take over, where one waits. */
  update: (() => void) | null;
}

/** See the head of this file. */
export function WallScreen({ viewerId, update }: WallScreenProps) {
  const [{ board: boardId }] = useSearchState(wallSearch);
  const shown = useBoards(viewerId, boardId);
  const { isKnown, boards, settings } = shown;
  const { asOfMs } = useSyncStatus();
  const { frame, news, isTold } = useNews(viewerId, shown);
  const at = useRotation(boards.length, settings.rotateSeconds, news);
  const { isStale, isDark, shift } = useLook(settings, asOfMs, isTold);
  useScreenCare({ isStale, isCalm: !isTold, update, staleSeconds: settings.staleSeconds });
  const wantsContrast = useMedia('(prefers-contrast: more)');
  const board = boards[at];
  const scale = settings.isLargeType ? LARGE_SCALE : 1;
  return (
    <main
      className={classes.wall}
      aria-label={words.label}
      data-stale={isStale}
      data-dimmed={isDark}
      data-told={isTold}
      data-contrast={settings.isHighContrast || wantsContrast ? 'high' : 'normal'}
      data-large={settings.isLargeType}
      data-testid="wall"
    >
      <div className={classes.picture} style={{ translate: shift }}>
        {isKnown && board !== undefined ? (
          <BoardView key={board.id} board={board} scale={scale} />
        ) : (
          <p className={classes.loading}>{words.loading}</p>
        )}
        {isTold && <Banner news={news} />}
        <StatusStrip
          frame={frame}
          asOfMs={asOfMs}
          place={{ at, count: boards.length, name: board?.name ?? '' }}
        />
      </div>
      {isStale && <Stale asOfMs={asOfMs} />}
    </main>
  );
}
