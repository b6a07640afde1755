import { useState } from 'react';
import { Pager } from '../../ui/Pager.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { CommentComposer } from './CommentComposer.tsx';
import { CommentList } from './CommentList.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { PAGE_ROWS, useRecords } from './use-records.ts';

/** What was said, newest first, and the place to say more. */
export function Comments() {
  const { incidentId, access } = useIncident();
  const [start, setStart] = useState(0);
  const comments = useRecords(incidentId, 'comment', { isNewestFirst: true, start });
  const hypotheses = useRecords(incidentId, 'hypothesis');
  return (
    <div className={classes.comments}>
      {access.comments && <CommentComposer hypotheses={hypotheses.rows} />}
      {!comments.isLoaded && <SkeletonRows text={messages.comments.loading} />}
      {comments.isLoaded && comments.total === 0 && <p className={classes.none}>{messages.comments.none}</p>}
      <CommentList rows={comments.rows} hypotheses={hypotheses.rows} />
      <Pager
        start={comments.start}
        count={comments.rows.length}
        total={comments.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </div>
  );
}
