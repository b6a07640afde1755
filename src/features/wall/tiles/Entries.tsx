/** Entries of a tile: as many as fit, each with its shape, its name and a word or number. */
import type { ReactNode } from 'react';
import type { CheckLook, HealthState } from '../../../domain/check/health.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { messages } from '../messages.ts';
import classes from './tiles.module.css';
import type { Fitting } from './use-fitting.ts';

interface EntryProps {
  state: HealthState;
  /** Of a check: that it is not run, or overdue. */
  look?: CheckLook | null;
  name: string;
  /** The check that it is, where it is one. */
  checkId?: string;
  aside?: ReactNode;
}

/** One thing with its health. */
export function Entry({ state, look = null, name, checkId, aside }: EntryProps) {
  return (
    <li className={classes.entry} data-health={state} data-look={look}>
      <HealthMark state={state} look={look} />
      <span className="visually-hidden">{ui.health[state]}</span>
      <span className={classes.name}>{name}</span>
      {checkId !== undefined && <SilencedMark kind="check" id={checkId} />}
      <span className={classes.aside}>{aside}</span>
    </li>
  );
}

/** In the last place: how many there are besides; nothing where all are shown. */
export function More({ count }: { count: number }) {
  return count > 0 ? <li className={classes.more}>{messages.tiles.more(count)}</li> : null;
}

/** Columns of a tile that has place for so many entries; one that fits alone has the count beside it. */
export const columnsOf = (columns: number, capacity: number, more: number): string =>
  capacity === 1 && more > 0 ? 'minmax(0, 1fr) auto' : `repeat(${columns}, minmax(0, 1fr))`;

interface EntriesProps {
  fitting: Pick<Fitting, 'measure' | 'isTall' | 'capacity'>;
  columns: number;
  /** So many don't fit. */
  more: number;
  /** Said where there is nothing. */
  empty: string | null;
  children: ReactNode;
}

/** The list that is measured; never scrolled. */
export function Entries({ fitting, columns, more, empty, children }: EntriesProps) {
  const { measure, isTall, capacity } = fitting;
  return (
    <div ref={measure} className={classes.fitting}>
      {empty === null ? (
        <ul
          className={classes.entries}
          data-tall={isTall}
          style={{ gridTemplateColumns: columnsOf(columns, capacity, more) }}
        >
          {children}
          {capacity > 0 && <More count={more} />}
        </ul>
      ) : (
        <p className={classes.empty}>{empty}</p>
      )}
    </div>
  );
}
