import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { parse } from '../../platform/http/parse.ts';
import { fetchParameterSchema } from '../requests/parameter-schema.ts';
import { readAuthor } from '../requests/playbook-query.ts';
import { playbookOf } from './playbook-routes.ts';

const config = { rateLimit: { max: 60, timeWindow: '1 minute' } };
const idSchema = z.object({ id: z.string() });
const questionSchema = z.object({ parameter: z.string().min(1).max(256) });

/** `GET /playbook/{id}/parameter-schema?parameter=`, an extra: the JSON schema that a code parameter names. */
export function registerParameterSchemaRoutes(
  app: FastifyInstance,
  context: RouteContext<{ outside: { guard: EgressGuard } }>,
): void {
  app.get('/api/playbook/:id/parameter-schema', { config }, async (request) => {
    authorize(await context.authenticate(request), 'playbooks', 'run');
    const { id } = parse(idSchema, request.params);
    const { parameter } = parse(questionSchema, request.query);
    const db = context.callerDatabase(request);
    const playbook = await playbookOf(db, id);
    const author = await readAuthor(db, id);
    return fetchParameterSchema({ playbook, author, parameter }, context.backend().outside.guard);
  });
}
