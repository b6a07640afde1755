/** Which playbooks suit a resource, their parameters, and runs (contract §7, schema §7.4). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Transactions } from '../../platform/db/database.ts';
import { readPlaybook, readPlaybooks, readResource, readRun } from '../requests/playbook-query.ts';
import type { PlaybookRow } from '../requests/playbook-query.ts';
import {
  playbooksFor,
  shownParameters,
  specOfPlaybook,
  templatedParameters,
} from '../requests/runnable-playbooks.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import {
  dryRunSchema,
  paramsSchema,
  runSchema,
  targetOf,
  targetSchema,
} from '../requests/playbook-request.ts';
import type { Target } from '../requests/playbook-request.ts';
import { requestCancel } from '../running/cancel-query.ts';
import type { PlaybookService } from '../running/playbook-service.ts';
import { dryRun } from '../running/dry-run.ts';
import { variablesOf } from '../running/run-scope.ts';
import { factsBefore, startRun } from '../running/start-run.ts';
import type { StartDeps } from '../running/start-run.ts';

const idSchema = z.object({ id: z.string() });
const isId = (id: string) => z.guid().safeParse(id).success;

/** What these routes need of the running program. */
interface RunParts {
  playbooks: PlaybookService;
  outside: { sealer: Pick<Sealer, 'seal'> };
  notify: (table: string) => void;
}

/** Throws `not_found`. */
export async function playbookOf(db: Transactions, id: string): Promise<PlaybookRow> {
  const playbook = isId(id) ? await readPlaybook(db, id) : null;
  if (playbook === null) throw new AppError('not_found', `playbook ${id} not found`);
  return playbook;
}

async function resourceOf(db: Transactions, target: Target): Promise<Record<string, unknown>> {
  const resource = await readResource(db, target.kind, target.id);
  if (resource === null) throw new AppError('not_found', `${target.word} ${target.id} not found`);
  return resource;
}

async function runOf(db: Transactions, params: unknown): Promise<string> {
  const { id } = parse(idSchema, params);
  const run = isId(id) ? await readRun(db, id) : null;
  if (run === null) throw new AppError('not_found', `run ${id} not found`);
  return run;
}

/** What there is to look at. */
export function registerPlaybookRoutes(
  app: FastifyInstance,
  context: RouteContext,
  expressions: Expressions,
): void {
  const { platform } = context;
  app.get('/api/playbook/list', async (request) => {
    authorize(await context.authenticate(request), 'playbooks', 'read');
    const target = targetOf(parse(targetSchema, request.query));
    if (target === null) throw new AppError('invalid', 'give one of config_id, component_id and check_id');
    const db = context.callerDatabase(request);
    await resourceOf(db, target);
    const found = await playbooksFor({ db, logger: request.log }, await readPlaybooks(db), target);
    return found.map((playbook) => ({ id: playbook.id, name: playbook.name, ...shownParameters(playbook) }));
  });

  app.post('/api/playbook/:id/params', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'run');
    const { id } = parse(idSchema, request.params);
    const body = parse(paramsSchema, request.body ?? {});
    const target = targetOf(body);
    const db = context.callerDatabase(request);
    const playbook = await playbookOf(db, id);
    if (target !== null) await resourceOf(db, target);
    const spec = specOfPlaybook(playbook);
    const facts = factsBefore({ playbook, target, person: { id: principal.personId } }, platform.now());
    const variables = { ...(await variablesOf(db, facts, spec)), params: body.params ?? {} };
    const { parameters = [] } = spec;
    return { params: await templatedParameters(expressions, parameters, variables) };
  });

  app.get('/api/playbook/run/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'playbooks', 'read');
    const run = await runOf(context.callerDatabase(request), request.params);
    return reply.type('application/json; charset=utf-8').send(run);
  });
}

const keySchema = z.string().trim().min(1).max(200).nullable();

/** Starts runs, ends them, shows what they write. */
export function registerPlaybookRunRoutes(app: FastifyInstance, context: RouteContext<RunParts>): void {
  const { platform } = context;
  const startDeps = (request: FastifyRequest): StartDeps => ({
    db: context.callerDatabase(request),
    expressions: context.backend().playbooks.expressions,
    newId: () => platform.newId(),
    now: () => platform.now(),
    secret: (sizeBytes) => platform.secret(sizeBytes),
    sealer: context.backend().outside.sealer,
  });

  app.post('/api/playbook/run', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'run');
    const body = parse(runSchema, request.body);
    const target = targetOf(body);
    const deps = startDeps(request);
    const playbook = await playbookOf(deps.db, body.id);
    if (target !== null) await resourceOf(deps.db, target);
    const person = { id: principal.personId, roles: principal.roles };
    const requestKey = parse(keySchema, request.headers['idempotency-key'] ?? null);
    const { params, agent_id: agentId, confirm = null } = body;
    const asked = { playbook, target, params: params ?? {}, agentId: agentId || null };
    const run = await startRun({ ...asked, person, requestKey, confirm }, deps);
    const { notify, playbooks } = context.backend();
    playbooks.wake();
    for (const table of ['playbook_runs', 'config_changes']) notify(table);
    return reply.code(201).send({ run_id: run.id, starts_at: run.scheduled_time });
  });

  app.post('/api/playbook/:id/dry-run', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'run');
    const body = parse(dryRunSchema, request.body ?? {});
    const target = targetOf(body);
    const deps = startDeps(request);
    const playbook = await playbookOf(deps.db, parse(idSchema, request.params).id);
    if (target !== null) await resourceOf(deps.db, target);
    const person = { id: principal.personId, roles: principal.roles };
    const { params, agent_id: agentId } = body;
    return dryRun({ playbook, target, params: params ?? {}, agentId: agentId || null, person }, deps);
  });

  app.post('/api/playbook/run/:id/cancel', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'run');
    const db = context.callerDatabase(request);
    await runOf(db, request.params);
    const { id: runId } = parse(idSchema, request.params);
    const cancel = { runId, personId: principal.personId, now: new Date(platform.now()) };
    const outcome = await db.transaction((tx) => requestCancel(tx, cancel));
    if (outcome === 'over') throw new AppError('conflict', 'the run is over already');
    const { notify, playbooks } = context.backend();
    playbooks.cancel(runId);
    for (const table of ['playbook_runs', 'playbook_run_actions']) notify(table);
    return { message: outcome === 'asked' ? 'ending' : 'cancelled' };
  });
}
