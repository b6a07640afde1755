/**
 * Approvals of runs (schema §7.4). Invariants: decisions about a run come one after the other; the rule is that of the
 * specification which the run has a copy of, whatever became of the playbook; who approves is judged with his teams of
 * this moment, and so is everybody who approved before.
 */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookApproval } from '../../../src/contract/http/playbooks/playbook-approval.ts';
import {
  approvalPlaces,
  chooseApproval,
  filledPlaces,
  isApproved,
} from '../../../src/domain/playbook/approval.ts';
import type { ApprovalRule } from '../../../src/domain/playbook/approval.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { insertApproval, lockRun, readApprovals, readApprover, releaseRun } from './approval-query.ts';
import type { AskedRun } from './approval-query.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

export type ApprovalOutcome = 'approved' | 'waiting' | 'given-before';

interface Decision {
  runId: string;
  personId: string;
  now: Date;
}

const names = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).default([]);
const ruleSchema = z.object({
  type: z.enum(['any', 'all']).default('any'),
  approvers: z.object({ people: names, teams: names }),
});

/** Null where the specification asks for none. Throws `invalid` for one that can't be read: it is never skipped. */
export function approvalRule(approval: unknown): ApprovalRule | null {
  if (approval === null || approval === undefined) return null;
  const parsed = ruleSchema.safeParse(approval);
  if (!parsed.success) throw new AppError('invalid', 'approval: can not be read; save the playbook again');
  const { type, approvers } = parsed.data;
  return { type, ...approvers };
}

const ENDED = lookupTable<string>({
  cancelled: 'the run was cancelled',
  failed: 'the run has failed already',
  completed: 'the run is done already',
});

async function ruleOf(run: AskedRun): Promise<ApprovalRule> {
  const rule = approvalRule(run.approval);
  if (rule === null) throw new AppError('invalid', 'this run needs no approval');
  if (run.status !== 'pending_approval')
    throw new AppError('conflict', ENDED[run.status] ?? 'the run was approved already');
  return rule;
}

/** Counts the person's approval, and releases the run once that is enough. */
export async function approveRun(
  tx: Queryable,
  { runId, personId, now }: Decision,
): Promise<ApprovalOutcome> {
  const run = await lockRun(tx, runId);
  if (run === null) throw new AppError('not_found', `run ${runId} not found`);
  const rule = await ruleOf(run);
  const approver = await readApprover(tx, personId);
  const given = await readApprovals(tx, runId);
  const choice =
    approver === null ? { kind: 'not-an-approver' as const } : chooseApproval(rule, approver, given);
  if (choice.kind === 'not-an-approver' || approver === null)
    throw new AppError('forbidden', 'you are not an approver of this run');
  if (choice.kind === 'fills') {
    await insertApproval(tx, { runId, personId, teamId: choice.teamId, now });
    given.push({ approver, teamId: choice.teamId, name: null, createdAt: now.toISOString() });
  }
  // Also where it fills nothing: somebody may have left a team, and come back.
  if (isApproved(rule, given)) {
    await releaseRun(tx, runId, now);
    return 'approved';
  }
  return choice.kind === 'fills' ? 'waiting' : 'given-before';
}

/** Whoever asks for a run and may approve it has done so (schema §7.4). */
export async function approveOwnRun(tx: Queryable, decision: Decision): Promise<void> {
  try {
    await approveRun(tx, decision);
  } catch (error) {
    // Others will be asked.
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
  }
}

/** Who is asked for the run, and who has approved it. */
export async function readApproval(
  tx: Queryable,
  { runId, personId }: { runId: string; personId: string },
): Promise<PlaybookApproval> {
  const run = await lockRun(tx, runId);
  if (run === null) throw new AppError('not_found', `run ${runId} not found`);
  const rule = approvalRule(run.approval);
  if (rule === null) throw new AppError('invalid', 'this run needs no approval');
  const given = await readApprovals(tx, runId);
  const approver = await readApprover(tx, personId);
  const places = approvalPlaces(rule).map((place) => {
    const by = given.find((one) =>
      filledPlaces(rule, [one]).some(({ kind, name }) => kind === place.kind && name === place.name),
    );
    return { ...place, approved_by: by?.name ?? null, approved_at: by?.createdAt ?? null };
  });
  const isOpen = run.status === 'pending_approval' && approver !== null;
  return {
    status: run.status,
    type: rule.type,
    places,
    may_approve: isOpen && chooseApproval(rule, approver, given).kind === 'fills',
  };
}
