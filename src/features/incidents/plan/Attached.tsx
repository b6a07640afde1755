import { useState } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { CommentList } from '../comments/CommentList.tsx';
import { EvidenceItem } from '../evidence/EvidenceItem.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords, type RecordOf } from '../use-records.ts';
import { messages } from './messages.ts';

interface AttachedProps<Kind extends 'evidence' | 'comment'> {
  hypothesisId: string;
  /** What of it is in the window that all cards share. */
  shared: readonly LiveRow<RecordOf<Kind>>[];
  count: number;
}

function EvidenceRows({ rows }: { rows: readonly LiveRow<RecordOf<'evidence'>>[] }) {
  return (
    <ul className={classes.evidences} aria-label={messages.evidence}>
      {rows.map((found) => (
        <EvidenceItem key={found.id} found={found} />
      ))}
      {rows.length === 0 && <li className={classes.none}>{messages.noEvidence}</li>}
    </ul>
  );
}

/** A window of its own, where the shared one doesn't hold all of it. */
function useOwn<Kind extends 'evidence' | 'comment'>(kind: Kind, hypothesisId: string) {
  const { incidentId } = useIncident();
  const [start, setStart] = useState(0);
  const answer = useRecords(incidentId, kind, {
    start,
    isNewestFirst: kind === 'comment',
    where: [{ field: 'hypothesis_id', op: 'eq', value: hypothesisId }],
  });
  const pager = (
    <Pager
      {...(kind === 'evidence' ? { isOldestFirst: true } : {})}
      start={answer.start}
      count={answer.rows.length}
      total={answer.total}
      pageSize={PAGE_ROWS}
      onStart={setStart}
    />
  );
  return { rows: answer.rows, pager };
}

function OwnEvidences({ hypothesisId }: { hypothesisId: string }) {
  const { rows, pager } = useOwn('evidence', hypothesisId);
  return (
    <>
      <EvidenceRows rows={rows} />
      {pager}
    </>
  );
}

function OwnComments({ hypothesisId }: { hypothesisId: string }) {
  const { rows, pager } = useOwn('comment', hypothesisId);
  return (
    <>
      <CommentList rows={rows} />
      {pager}
    </>
  );
}

/** What speaks for or against a hypothesis, oldest first. */
export function Evidences({ hypothesisId, shared, count }: AttachedProps<'evidence'>) {
  return count > shared.length ? (
    <OwnEvidences hypothesisId={hypothesisId} />
  ) : (
    <EvidenceRows rows={shared} />
  );
}

/** What was said about a hypothesis, newest first. */
export function HypothesisComments({ hypothesisId, shared, count }: AttachedProps<'comment'>) {
  return count > shared.length ? <OwnComments hypothesisId={hypothesisId} /> : <CommentList rows={shared} />;
}
