import { useState } from 'react';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { useIncident } from '../incident-context.tsx';
import pageClasses from '../page.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';
import { CommentComposer } from './CommentComposer.tsx';
import { CommentList } from './CommentList.tsx';
import classes from './comments.module.css';
import { messages } from './messages.ts';
import { useFocusedStart } from './use-focused-start.ts';

interface CommentsProps {
  /** The comment that a link leads to: shown on its page, marked and scrolled to. */
  focusedComment?: string | null;
}

/** What was said, newest first, and the place to say more. */
export function Comments({ focusedComment = null }: CommentsProps) {
  const { incidentId } = useIncident();
  const focused = useFocusedStart(incidentId, focusedComment);
  const [turned, setTurned] = useState<{ start: number; from: string | null } | null>(null);
  // A new link leads away from the page that was turned to.
  const start = turned?.from === focusedComment ? turned.start : focused.start;
  const comments = useRecords(incidentId, 'comment', { isNewestFirst: true, start });
  const hypotheses = useRecords(incidentId, 'hypothesis');
  return (
    <div className={classes.comments}>
      <CommentComposer hypotheses={hypotheses.rows} isLoaded={hypotheses.isLoaded} />
      {focused.isMissing && (
        <p className={pageClasses.none} role="status">
          {messages.notThere}
        </p>
      )}
      {!comments.isLoaded && <SkeletonRows text={messages.loading} />}
      {comments.isLoaded && comments.total === 0 && <p className={pageClasses.none}>{messages.none}</p>}
      <CommentList rows={comments.rows} hypotheses={hypotheses.rows} focusedComment={focusedComment} />
      <Pager
        start={comments.start}
        count={comments.rows.length}
        total={comments.total}
        pageSize={PAGE_ROWS}
        onStart={(next) => setTurned({ start: next, from: focusedComment })}
      />
    </div>
  );
}
