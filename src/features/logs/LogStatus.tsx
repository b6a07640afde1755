/** What is known about the lines: how many, how old, what could not be read, whether there are more. */
import { memo } from 'react';
import { MAX_HELD_LINES, type LogFrame } from '../../contract/logs/log-view.ts';
import type { LogLoad } from '../../data/queries/logs/log-reader.ts';
import { formatCount } from '../../domain/format-count.ts';
import type { LogLevel } from '../../domain/logs/log-level.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { CacheNote } from '../../ui/feedback/CacheNote.tsx';
import { LevelMark } from './LevelMark.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import type { Narrow } from './use-narrowing.ts';

interface StatusProps {
  load: LogLoad;
  frame: LogFrame;
  readAll: () => void;
  stop: () => void;
}

function More({ load, frame, readAll, stop }: StatusProps) {
  if (load.isReadingMore) {
    return (
      <>
        <span>{messages.reading(frame.totalCount)}</span>
        <Button look="quiet" onClick={stop}>
          {messages.stop}
        </Button>
      </>
    );
  }
  if (!load.hasMore) return null;
  if (frame.totalCount >= MAX_HELD_LINES) return <span>{messages.full(MAX_HELD_LINES)}</span>;
  return (
    <>
      <span>{messages.more}</span>
      <Button look="quiet" onClick={readAll}>
        {messages.readAll}
      </Button>
    </>
  );
}

/** See the head of this file. */
export function LogStatus(props: StatusProps) {
  const { load, frame } = props;
  const said = [...load.notes, ...(load.error === null ? [] : [messages.errorText(load.error)])];
  const isPartial = load.isPartial || load.gaps.length > 0;
  const notes = [...said, ...load.gaps.map((gap) => messages.gaps[gap])];
  return (
    <>
      <div className={classes.status}>
        <span role="status">{messages.count(frame.rowCount, frame.totalCount)}</span>
        <More {...props} />
        {load.source === 'device' && <span>{messages.keptQuestion(load.shown)}</span>}
        <CacheNote asOfMs={load.asOfMs} source={load.source} isPartial={false} />
      </div>
      {notes.length > 0 && (
        <ul className={classes.notes} aria-label={messages.notes}>
          {notes.map((note) => (
            <li key={note}>{isPartial ? `${messages.partial} ${note}` : note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LevelsProps {
  levels: LogFrame['levels'];
  chosen: readonly LogLevel[];
  narrow: Narrow;
}

/** The levels that there are, each to be shown alone or with others. Drawn anew only when they changed. */
export const LevelFilter = memo(function LevelFilter({ levels, chosen, narrow }: LevelsProps) {
  const known = new Map(levels.map(({ level, count }) => [level, count]));
  // A level that is chosen stays, also when the search leaves none of it.
  for (const level of chosen) if (!known.has(level)) known.set(level, 0);
  if (known.size === 0) return null;
  return (
    <div role="group" aria-label={messages.levelFilter} className={classes.levels}>
      {[...known].map(([level, count]) => {
        const isOn = chosen.includes(level);
        return (
          <Button
            key={level}
            look="quiet"
            isPressed={isOn}
            onClick={() =>
              narrow({ levels: isOn ? chosen.filter((one) => one !== level) : [...chosen, level] })
            }
          >
            <LevelMark level={level} />
            {messages.levels[level]} {formatCount(count)}
          </Button>
        );
      })}
    </div>
  );
});
