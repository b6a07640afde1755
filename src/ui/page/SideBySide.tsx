import type { ReactNode } from 'react';
import { BESIDE, Pane, useMedia } from '../hooks/use-media.ts';
import classes from './side-by-side.module.css';

/** What was chosen in a list, and on a tablet that lies the list beside it; elsewhere it stands alone. */
export function SideBySide({ list, children }: { list: ReactNode; children: ReactNode }) {
  const isBeside = useMedia(BESIDE);
  if (!isBeside) return children;
  return (
    <div className={classes.both}>
      <div className={classes.list} data-pane="list">
        <Pane value="narrow">{list}</Pane>
      </div>
      <div className={classes.detail} data-pane="detail">
        {children}
      </div>
    </div>
  );
}
