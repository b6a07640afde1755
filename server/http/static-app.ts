/**
 * The built app: hashed files for ever, everything else asked for anew, and the page itself for every path that
 * a browser may open (the app has its own router). The page is written anew for each answer, because its
 * nonce must be.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform/platform.ts';
import { isApiPath } from '../platform/http/api-path.ts';

const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NONCE_BYTES = 16;
const YEAR_SECONDS = 31_536_000;
/** The bundler puts a hash of the content into these names. */
const HASHED_FOLDER = `${sep}assets${sep}`;

const NOT_BUILT = 'The app is not built yet. Run "npm run build", then start the server again.\n';

function isPageRequest(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  return (
    (method === 'GET' || method === 'HEAD') && !isApiPath(url) && (headers.accept ?? '').includes('text/html')
  );
}

interface Page {
  send(reply: FastifyReply): FastifyReply;
}

async function readPage(appDir: string, platform: Platform): Promise<Page> {
  const file = join(appDir, 'index.html');
  const html = existsSync(file) ? await readFile(file, 'utf8') : null;
  return {
    send(reply) {
      reply.header('cache-control', 'no-cache');
      if (html === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
      reply.cspNonce = platform.secret(NONCE_BYTES);
      return reply.type('text/html; charset=utf-8').send(html.replaceAll(NONCE_PLACEHOLDER, reply.cspNonce));
    },
  };
}

/** Without a built app every page is a 503 that says how to build it. */
export async function serveApp(
  app: FastifyInstance,
  deps: { appDir: string; platform: Platform },
): Promise<void> {
  const page = await readPage(deps.appDir, deps.platform);
  app.get('/', async (_request, reply) => page.send(reply));
  app.get('/index.html', async (_request, reply) => page.send(reply));
  if (existsSync(deps.appDir)) {
    await app.register(fastifyStatic, {
      root: deps.appDir,
      index: false,
      dotfiles: 'deny',
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashed = path.includes(HASHED_FOLDER);
        reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (isPageRequest(request)) return page.send(reply);
    return reply.code(404).send({ error: 'Not found', message: 'Not Found' });
  });
}
