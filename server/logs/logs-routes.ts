/** `POST /logs` (contract §11, schema §8.6): checks the component and its selector; no log service answers yet. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { answerNotImplemented } from '../platform/http/not-implemented.ts';
import { parse } from '../platform/http/parse.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { readLogSelectors } from './logs-query.ts';

const MAX_TEXT = 10_000;
const text = z.string().max(MAX_TEXT).nullish();

const bodySchema = z.object({
  id: z.guid({ error: 'must be the id of a component' }),
  name: text,
  query: text,
  start: text,
  labels: z.record(z.string(), z.string()).nullish(),
});

/** `/api/logs`. */
export function registerLogsRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/api/logs', async (request, reply) => {
    authorize(await context.authenticate(request), 'logs', 'read');
    const { id, name } = parse(bodySchema, request.body ?? {});
    const selectors = await readLogSelectors(context.callerDatabase(request), id);
    if (selectors === null) throw new AppError('invalid', `id: there is no component ${id}`);
    const isKnown = name ? selectors.includes(name) : selectors.length > 0;
    if (!isKnown) {
      const known = selectors.length === 0 ? 'it has none' : `it has ${selectors.join(', ')}`;
      throw new AppError('invalid', `name: the component has no log selector "${name ?? ''}"; ${known}`);
    }
    return answerNotImplemented(reply, 'This version has no log service to ask yet.');
  });
}
