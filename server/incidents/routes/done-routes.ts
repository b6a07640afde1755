/**
 * `POST /incidents/{id}/definition-of-done/try`: what a script would say about a subject now, for the script editor.
 * Changes nothing. For those who may write evidences: a script sees whole rows of its subject.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { may } from '../../../src/domain/access/matrix.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { isIncident, subjectOfEvidence } from '../rules/done-query.ts';
import type { ScriptSubject } from '../rules/done-query.ts';
import { evaluateScript } from '../rules/evaluate-script.ts';
import { authorize, refuseUnless } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';

const SCRIPT_LENGTH = 50_000;

const subjectId = z.guid().nullish();
const trySchema = z.object({
  script: z.string().trim().min(1, 'Please write a script').max(SCRIPT_LENGTH),
  /** The evidence that it is for; what else is given counts more. */
  evidence_id: subjectId,
  component_id: subjectId,
  config_id: subjectId,
  check_id: subjectId,
  config_analysis_id: subjectId,
  config_change_id: subjectId,
});

function subjectOf(
  incidentId: string,
  asked: z.output<typeof trySchema>,
  of: ScriptSubject | null,
): ScriptSubject {
  return {
    incidentId,
    evidenceId: of?.evidenceId ?? null,
    componentId: asked.component_id ?? of?.componentId ?? null,
    configId: asked.config_id ?? of?.configId ?? null,
    checkId: asked.check_id ?? of?.checkId ?? null,
    analysisId: asked.config_analysis_id ?? of?.analysisId ?? null,
    changeId: asked.config_change_id ?? of?.changeId ?? null,
  };
}

/** Tries a definition of done that nobody has saved yet. */
export function registerDoneRoutes(
  app: FastifyInstance,
  context: RouteContext,
  expressions: Expressions,
): void {
  const { platform } = context;
  app.post<{ Params: { id: string } }>('/api/incidents/:id/definition-of-done/try', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'incident', 'read');
    const mayWrite = may(principal.roles, 'evidences', 'write');
    refuseUnless(mayWrite, { subject: principal.personId, object: 'incident', action: 'update' });
    const asked = parse(trySchema, request.body);
    const db = context.callerDatabase(request);
    const { id } = request.params;
    if (!z.guid().safeParse(id).success || !(await isIncident(db, id)))
      throw new AppError('not_found', `incident ${id} not found`);
    const of = asked.evidence_id ? await subjectOfEvidence(db, asked.evidence_id) : null;
    if (of !== null && of.incidentId !== id.toLowerCase())
      throw new AppError('invalid', 'evidence_id: this evidence is of another incident');
    const now = () => platform.now();
    const verdict = await evaluateScript({ db, expressions, now }, asked.script, subjectOf(id, asked, of));
    if (verdict.kind === 'done') return { done: verdict.done };
    return verdict.kind === 'text' ? { text: verdict.text } : { error: verdict.error };
  });
}
