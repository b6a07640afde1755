/** `/api/db/*`: the door to the data API, which parses, authorises and answers itself (contract §16). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../../src/contract/errors.ts';
import type { DataApiRequest } from '../answer/engine.ts';
import { deepJsonRefusal } from '../../../platform/http/json-depth.ts';
import type { RouteContext } from '../../../access/request/route-context.ts';
import type { DataApi } from '../data-api.ts';
import { keepAuthors } from './author-guard.ts';
import { keepThisServer } from './keep-this-server.ts';
import { plainHeaders } from './plain-headers.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TARGET = /^\/api\/db\/(rpc\/)?(\w+)$/;

/** Table or function, and the query as it was sent: the data API has its own reading of both. */
function splitUrl(url: string): Pick<DataApiRequest, 'target' | 'search'> {
  const [path = '', ...query] = url.split('?');
  const [, rpc, name] = TARGET.exec(path) ?? [];
  if (name === undefined) throw new AppError('not_found', 'Not found');
  return { target: { kind: rpc === undefined ? 'table' : 'rpc', name }, search: query.join('?') };
}

/**
 * What a partial answer says of itself. The compressor takes Content-Range and 206 for ranges of bytes and leaves
 * such answers as they are; here they count rows, and a page of checks is ten times smaller compressed. So both
 * are put on after it.
 */
interface RowRange {
  status: number;
  contentRange: string | undefined;
}

const PARTIAL = 206;
const COMPLETE = 200;

/** Throws what a request is refused with; reads are let through. */
export type RequestGuard = (request: DataApiRequest) => Promise<void> | void;

/** The data API behind what the areas have to say about a write; the guards are asked in their order. */
export function registerDataRoutes(
  app: FastifyInstance,
  context: RouteContext<{ dataApi: DataApi }>,
  guards: readonly RequestGuard[],
): void {
  const ranges = new WeakMap<FastifyRequest, RowRange>();
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const principal = await context.authenticate(request);
    const { body } = request;
    const { dataApi } = context.backend();
    const asked = {
      ...splitUrl(request.url),
      method: request.method,
      headers: plainHeaders(request),
      body: typeof body === 'string' ? body : undefined,
      roles: principal.roles,
      subject: principal.personId,
      signal: context.closed(request),
    } satisfies DataApiRequest;
    for (const guard of guards) await guard(asked);
    const answer = await dataApi.handle(keepThisServer(keepAuthors(asked)));
    const { 'content-range': contentRange, ...headers } = answer.headers;
    ranges.set(request, { status: answer.status, contentRange });
    return (
      reply
        .code(answer.status === PARTIAL ? COMPLETE : answer.status)
        .headers(headers)
        // An empty text would get a content type of its own.
        .send(answer.body === '' ? undefined : answer.body)
    );
  };
  const putRangeOn = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const range = ranges.get(request);
    if (range?.contentRange !== undefined) void reply.header('content-range', range.contentRange);
    if (range?.status === PARTIAL) void reply.code(PARTIAL);
    return payload;
  };

  void app.register((scope, _options, done) => {
    // Bodies go on as they came: the database reads JSON better than a detour over objects would.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => {
      parsed(deepJsonRefusal(String(body)), body);
    });
    // Hooks of a route run in the order in which they were put on it; the compressor's is there by now.
    scope.addHook('onRoute', (route) => {
      route.onSend = [...(Array.isArray(route.onSend) ? route.onSend : []), putRangeOn];
    });
    scope.route({ method: METHODS, url: '/api/db/*', exposeHeadRoute: false, handler: handle });
    done();
  });
}
