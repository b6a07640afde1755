import { useLiveAnswer } from '../../data/queries/use-live-answer.ts';
import { waitsFor } from '../../domain/playbook/approval.ts';

const MOST = 100;

export interface WaitingRun {
  id: string;
  playbookId: string;
  /** When it was asked for, ISO. */
  at: string;
}

/** Runs of playbooks that wait for this person's approval, newest first; null until they are known, and for nobody. */
export function useApprovals(userId: string | null): readonly WaitingRun[] | null {
  const answer = useLiveAnswer(
    userId === null
      ? null
      : {
          collection: 'playbook_runs',
          where: [{ field: 'status', op: 'in', values: ['pending_approval'] }],
          search: '',
          sort: [{ field: 'created_at', isDescending: true }],
          groupBy: null,
          window: { start: 0, end: MOST },
        },
  );
  if (answer === null || userId === null || !answer.isLoaded) return null;
  return answer.rows
    .filter(({ row }) => waitsFor(row.approval ?? {}, userId))
    .map(({ id, row }) => ({ id, playbookId: row.playbook_id, at: row.created_at ?? '' }));
}
