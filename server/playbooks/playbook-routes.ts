/** Which playbooks suit a resource, their parameters, and runs (contract §7, schema §7.4). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import type { Transactions } from '../platform/db/database.ts';
import { readPlaybook, readPlaybooks, readResource, readRun } from './playbook-query.ts';
import type { PlaybookRow } from './playbook-query.ts';
import { parametersOf, playbooksFor, templatedParameters } from './runnable-playbooks.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { answerNotImplemented } from '../platform/http/not-implemented.ts';
import { parse } from '../platform/http/parse.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { checkParameters, paramsSchema, runSchema, targetOf, targetSchema } from './playbook-request.ts';
import type { Target } from './playbook-request.ts';

const idSchema = z.object({ id: z.string() });
const isId = (id: string) => z.guid().safeParse(id).success;

const NO_RUNNER = 'This version shows playbooks and their runs; it cannot run them yet.';

async function playbookOf(db: Transactions, id: string): Promise<PlaybookRow> {
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
  app.get('/api/playbook/list', async (request) => {
    authorize(await context.authenticate(request), 'playbooks', 'read');
    const target = targetOf(parse(targetSchema, request.query));
    if (target === null) throw new AppError('invalid', 'give one of config_id, component_id and check_id');
    const db = context.callerDatabase(request);
    await resourceOf(db, target);
    const found = await playbooksFor({ db, logger: request.log }, await readPlaybooks(db), target);
    return found.map((playbook) => {
      const parameters = parametersOf(playbook);
      return { id: playbook.id, name: playbook.name, ...(parameters.length > 0 ? { parameters } : {}) };
    });
  });

  app.post('/api/playbook/:id/params', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'playbooks', 'run');
    const { id } = parse(idSchema, request.params);
    const body = parse(paramsSchema, request.body ?? {});
    const target = targetOf(body);
    const db = context.callerDatabase(request);
    const playbook = await playbookOf(db, id);
    const resource = target === null ? {} : { [target.word]: await resourceOf(db, target) };
    const about = { id: playbook.id, name: playbook.name, title: playbook.title };
    const variables = {
      ...resource,
      playbook: about,
      params: body.params ?? {},
      user: { id: principal.personId },
    };
    return { params: await templatedParameters(expressions, parametersOf(playbook), variables) };
  });

  app.get('/api/playbook/run/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'playbooks', 'read');
    const run = await runOf(context.callerDatabase(request), request.params);
    return reply.type('application/json; charset=utf-8').send(run);
  });
}

/** What would run them: everything is checked that will be checked then. */
export function registerPlaybookRunRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/api/playbook/run', async (request, reply) => {
    authorize(await context.authenticate(request), 'playbooks', 'run');
    const body = parse(runSchema, request.body);
    const target = targetOf(body);
    const db = context.callerDatabase(request);
    const playbook = await playbookOf(db, body.id);
    if (target !== null) await resourceOf(db, target);
    checkParameters(parametersOf(playbook), body.params ?? {});
    return answerNotImplemented(reply, NO_RUNNER);
  });

  app.post('/api/playbook/run/approve/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'playbooks', 'approve');
    await runOf(context.callerDatabase(request), request.params);
    return answerNotImplemented(reply, NO_RUNNER);
  });

  // Whoever calls has no account here; the playbook's own authentication comes with what runs it.
  app.post('/api/playbook/webhook/*', (_request, reply) => answerNotImplemented(reply, NO_RUNNER));
}
