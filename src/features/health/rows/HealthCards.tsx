/** The same rows as cards: as many beside each other as fit, windowed by lines of cards. */
import { IconChevronRight } from '@tabler/icons-react';
import { Virtuoso } from 'react-virtuoso';
import type { CheckRow, GroupRow, HealthRow } from '../../../contract/worker.ts';
import type { HealthViewState } from '../../../data/client/health-view-client.ts';
import { lookOf } from '../../../domain/check/health.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { checkWords } from '../../../ui/marks/check-words.ts';
import { GroupRunHistory } from '../../../ui/marks/runs/GroupRunHistory.tsx';
import { HealthBar } from '../../../ui/marks/HealthBar.tsx';
import { HealthLabel, HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useWidth } from '../../../ui/hooks/use-width.ts';
import { moveBetweenRows } from '../../../ui/tables/row-keys.ts';
import { RunHistory } from '../../../ui/marks/runs/RunHistory.tsx';
import { TypeIcon } from '../../../ui/marks/TypeIcon.tsx';
import { UptimeMeter } from '../../../ui/marks/UptimeMeter.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import classes from './HealthCards.module.css';
import { messages } from '../messages.ts';
import { detailOf } from './row-line.ts';

const CARD_MIN_PX = 264;
const CARD_GAP_PX = 12;
const LINE_PX = 136;
const MAX_CARDS_PER_LINE = 12;

function GroupCard({ row, onPress }: { row: GroupRow; onPress: () => void }) {
  return (
    <button
      type="button"
      className={classes.card}
      aria-expanded={row.isExpanded}
      data-row-kind="group"
      data-health={row.health}
      onClick={onPress}
    >
      <span className={classes.top}>
        <HealthMark state={row.health} />
        <span className={classes.name}>{row.name}</span>
        <span className={classes.icon}>
          <IconChevronRight size={15} aria-hidden />
        </span>
      </span>
      <HealthBar counts={row.counts} />
      <GroupRunHistory runs={row.runs} />
      <span className={classes.bottom}>
        <span data-frame="health">{messages.fullyPassing(row)}</span>
        <span className={classes.end}>
          <Age at={row.lastTransition} />
        </span>
      </span>
    </button>
  );
}

function CheckCard({ row, onPress }: { row: CheckRow; onPress: () => void }) {
  const { check, health } = row;
  const latency = check.latency.p95;
  return (
    <button
      type="button"
      className={[
        classes.card,
        health.state === 'unhealthy' ? classes.unhealthy : '',
        health.isStale ? classes.stale : '',
      ].join(' ')}
      data-row-kind="check"
      data-health={health.state}
      data-stale={health.isStale}
      onClick={onPress}
    >
      <span className={classes.top}>
        <span className={classes.name}>{check.name}</span>
        <SilencedMark kind="check" id={check.id} />
        <span className={classes.icon}>
          <TypeIcon type={check.type} />
        </span>
      </span>
      <span className={classes.dim}>{detailOf(check) || check.canary_name}</span>
      <RunHistory runs={check.recent_runs} />
      <span className={classes.bottom}>
        <HealthLabel state={health.state} look={lookOf(check, health)} text={checkWords(check, health)} />
        <span className={classes.end}>
          <UptimeMeter uptime={check.uptime} hasBar={false} />
        </span>
        <span>{latency === null || latency === undefined ? ui.nothing : formatDuration(latency)}</span>
        <Age at={check.last_transition_time} />
      </span>
    </button>
  );
}

function perLineOf(width: number): number {
  const fitting = Math.floor((width - CARD_GAP_PX) / (CARD_MIN_PX + CARD_GAP_PX));
  return Math.max(1, Math.min(MAX_CARDS_PER_LINE, fitting));
}

/** Groups are cards, too. */
export function HealthCards({ view, onPress }: { view: HealthViewState; onPress: (row: HealthRow) => void }) {
  const { width, measure } = useWidth();
  const perLine = perLineOf(width);
  const { rowCount } = view.frame;
  const cardsOf = (line: number): HealthRow[] => {
    const cards: HealthRow[] = [];
    for (let at = line * perLine; at < Math.min(rowCount, (line + 1) * perLine); at++) {
      const row = view.getRow(at);
      if (row !== null) cards.push(row);
    }
    return cards;
  };
  return (
    <div
      ref={measure}
      className={classes.root}
      role="group"
      aria-label={messages.grid}
      onKeyDown={moveBetweenRows}
    >
      <Virtuoso
        tabIndex={-1}
        totalCount={Math.ceil(rowCount / perLine)}
        fixedItemHeight={LINE_PX}
        increaseViewportBy={LINE_PX * 2}
        rangeChanged={({ startIndex, endIndex }) =>
          view.setVisibleRange(startIndex * perLine, (endIndex + 1) * perLine)
        }
        itemContent={(line) => (
          <div
            className={classes.line}
            style={{ height: LINE_PX, gridTemplateColumns: `repeat(${perLine}, minmax(0, 1fr))` }}
          >
            {cardsOf(line).map((row) =>
              row.kind === 'group' ? (
                <GroupCard key={row.key} row={row} onPress={() => onPress(row)} />
              ) : (
                <CheckCard key={row.key} row={row} onPress={() => onPress(row)} />
              ),
            )}
          </div>
        )}
      />
    </div>
  );
}
