/**
 * `POST /canary/webhook/{id}`: a stranger posts the result of a webhook check, by the check's own token (schema §4.1).
 * Invariants: one answer for unknown checks and wrong tokens; what the caller signed in with is not kept.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { deepJsonRefusal } from '../../platform/http/json-depth.ts';
import type { CheckService } from '../check-service.ts';

const MOST_BYTES = 512 * 1024;
const config = { rateLimit: { max: 120, timeWindow: '1 minute' } };
const UNKNOWN = 'there is no such webhook, or the token is not its own';
/** Of the request, what scripts may see. */
const KEPT = /^(content-type|user-agent|x-(?!forwarded|api-key|auth)[\w-]+)$/;
const paramsSchema = z.object({ id: z.guid() });
const querySchema = z.object({ token: z.string().optional() });

function tokenOf({ headers, query }: FastifyRequest): string {
  const [, bearer = ''] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer !== '') return bearer;
  const read = querySchema.safeParse(query);
  return read.success ? (read.data.token ?? '') : '';
}

function jsonOf(content: string): unknown {
  if (content === '') return null;
  const refusal = deepJsonRefusal(content);
  if (refusal !== null) throw refusal;
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new AppError('invalid', 'the body is not JSON', { cause: error });
  }
}

function keptHeaders({ headers }: FastifyRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => KEPT.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Whoever calls has no account here. */
export function registerCheckWebhookRoutes(
  app: FastifyInstance,
  context: RouteContext<{ checks: Pick<CheckService, 'takePosted'> }>,
): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: MOST_BYTES },
      (_request, body, next) => next(null, body),
    );
    scope.post('/api/canary/webhook/:id', { config, bodyLimit: MOST_BYTES }, async (request) => {
      const params = paramsSchema.safeParse(request.params);
      if (!params.success) throw new AppError('unauthorized', UNKNOWN);
      const content = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
      const { id: checkId } = params.data;
      const posted = () => ({ content, json: jsonOf(content), headers: keptHeaders(request) });
      const outcome = await context.backend().checks.takePosted({ checkId, token: tokenOf(request), posted });
      if (outcome === 'unknown') throw new AppError('unauthorized', UNKNOWN);
      return { message: 'ok' };
    });
    done();
  });
}
