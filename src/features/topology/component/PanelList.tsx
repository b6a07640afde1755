/** The rows of a panel, a page after the other as they are scrolled to (spec 2 §9). */
import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { useNearEnd } from '../../../ui/hooks/use-near-end.ts';
import classes from './component.module.css';
import { messages } from './messages.ts';
import { PANEL_ROWS } from './panels.ts';

/** Spec 2 §9. */
const LOAD_AHEAD_PX = 300;

/** The next page comes by itself when its place comes near, or by a press. */
function More({ left, onMore }: { left: number; onMore: () => void }) {
  const near = useNearEnd(LOAD_AHEAD_PX, onMore);
  return (
    <div ref={near}>
      <Button look="quiet" className={classes.fold ?? ''} onClick={onMore}>
        {messages.more(left)}
      </Button>
    </div>
  );
}

interface PanelListProps {
  label: string;
  /** As many there are; null while that isn't known. */
  total: number | null;
  empty: ReactNode;
  /** The rows of one page, from 0. */
  page: (page: number) => ReactNode;
}

/** See the head of this file. */
export function PanelList({ label, total, empty, page }: PanelListProps) {
  const [pages, setPages] = useState(1);
  if (total === null) return null;
  if (total === 0) return typeof empty === 'string' ? <p className={classes.none}>{empty}</p> : empty;
  const left = total - pages * PANEL_ROWS;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {Array.from({ length: Math.min(pages, Math.ceil(total / PANEL_ROWS)) }, (_, at) => page(at))}
      </ul>
      {left > 0 && <More key={pages} left={left} onMore={() => setPages(pages + 1)} />}
    </>
  );
}

/** One row. */
export function PanelRow({ children }: { children: ReactNode }) {
  return <li className={classes.row}>{children}</li>;
}
