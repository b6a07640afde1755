/** Approving runs (schema §7.4), and who is asked. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mayAct } from '../../../src/domain/access/objects.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { parse } from '../../platform/http/parse.ts';
import { approveRun, readApproval } from './approve-run.ts';
import type { ApprovalOutcome } from './approve-run.ts';

const idSchema = z.object({ id: z.guid({ error: 'must be the id of a run' }) });

const MESSAGES: Readonly<Record<ApprovalOutcome, string>> = {
  approved: 'approved; the run begins',
  waiting: 'approved; others are still to approve',
  'given-before': 'your approval counts already; others are still to approve',
};

interface ApprovalParts {
  playbooks: { wake: () => void };
  notify: (table: string) => void;
}

/** `POST …/approve/{id}` is the contract's, `GET …/{id}/approval` an extra. */
export function registerApprovalRoutes(app: FastifyInstance, context: RouteContext<ApprovalParts>): void {
  app.post('/api/playbook/run/approve/:id', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'approve');
    const { id: runId } = parse(idSchema, request.params);
    const { personId } = principal;
    const decision = { runId, personId, now: new Date(context.platform.now()) };
    const outcome = await context.callerDatabase(request).transaction((tx) => approveRun(tx, decision));
    context.logger.info({ run: runId, person: personId, outcome }, 'a run of a playbook was approved');
    const { notify, playbooks } = context.backend();
    if (outcome === 'approved') playbooks.wake();
    for (const table of ['playbook_approvals', 'playbook_runs']) notify(table);
    return { message: MESSAGES[outcome] };
  });

  app.get('/api/playbook/run/:id/approval', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'read');
    const { id: runId } = parse(idSchema, request.params);
    const { personId, roles } = principal;
    const approval = await context
      .callerDatabase(request)
      .transaction((tx) => readApproval(tx, { runId, personId }));
    return { ...approval, may_approve: approval.may_approve && mayAct(roles, 'playbooks', 'approve') };
  });
}
