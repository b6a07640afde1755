/**
 * The data API alone over HTTP, for one schema of any database: no sign-in, no policy, loopback only. For checking
 * the engine against the published syntax; the product's own door is data-routes.ts.
 */
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DataApiError } from '../parse/api-error.ts';
import { answerError } from '../answer/answer.ts';
import type { DataApi } from '../data-api.ts';
import type { DataApiRequest } from '../answer/engine.ts';
import { decodePercent } from '../parse/query-string.ts';
import { plainHeaders } from './plain-headers.ts';

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Other sites' pages must not reach it by a name that leads to loopback. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

function invalidPath(): DataApiError {
  return new DataApiError(404, { code: 'PGRST125', message: 'Invalid path specified in request URL' });
}

function readTarget(url: string): Pick<DataApiRequest, 'target' | 'search'> {
  const [path = '', ...query] = url.split('?');
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decodePercent);
  const [first = '', second] = segments;
  const search = query.join('?');
  if (segments.length === 1 && first !== '') return { target: { kind: 'table', name: first }, search };
  if (segments.length === 2 && first === 'rpc' && second !== undefined)
    return { target: { kind: 'rpc', name: second }, search };
  throw first === ''
    ? new DataApiError(404, { code: 'PGRST126', message: 'Root endpoint metadata is disabled' })
    : invalidPath();
}

async function answerRequest(dataApi: DataApi, request: FastifyRequest) {
  if (!LOOPBACK_HOST.test(request.headers.host ?? '')) throw invalidPath();
  const { body } = request;
  return dataApi.handle({
    ...readTarget(request.url),
    method: request.method,
    headers: plainHeaders(request),
    body: typeof body === 'string' ? body : undefined,
    roles: [],
  });
}

function acceptedType(type: string | undefined): boolean {
  return type === undefined || /^application\/(?:json|vnd\.pgrst\.(?:object|array)\+json)/.test(type);
}

/** The server, not yet listening. */
export function createOpenDataServer(dataApi: DataApi): FastifyInstance {
  const app = Fastify({ bodyLimit: BODY_LIMIT_BYTES });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.route({
    method: METHODS,
    url: '/*',
    exposeHeadRoute: false,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const type = request.headers['content-type'];
      if (request.body !== undefined && request.body !== '' && !acceptedType(type)) {
        throw new DataApiError(400, { code: 'PGRST102', message: `Content-Type not acceptable: ${type}` });
      }
      const answer = await answerRequest(dataApi, request);
      return reply
        .code(answer.status)
        .headers(answer.headers)
        .send(answer.body === '' ? undefined : answer.body);
    },
  });
  app.setErrorHandler((error: unknown, _request, reply) => {
    if (!(error instanceof DataApiError)) throw error;
    const answer = answerError(error);
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  return app;
}
