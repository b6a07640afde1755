/**
 * The app in front of an existing backend: /api goes there, with the rewrites that the original web server
 * makes (contract §1.2). Nothing is changed in what passes through.
 */
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { trimEnd } from '../../src/lib/trim-end.ts';

/** The backend's slowest answers (runs, snapshots) take minutes. */
const TIMEOUT_MS = 600_000;

interface Rewrite {
  prefix: string;
  rewritePrefix: string;
}

function rewrites(basePath: string, isChecksOnly: boolean): Rewrite[] {
  const base = trimEnd(basePath, '/');
  return [
    // The health service alone has no /canary in front of its paths.
    { prefix: '/api/canary', rewritePrefix: isChecksOnly ? `${base}/` : `${base}/canary` },
    { prefix: '/api/.ory', rewritePrefix: `${base}/kratos` },
    { prefix: '/api', rewritePrefix: `${base}/` },
  ];
}

/** Answers `network` when the backend doesn't answer in time. */
export async function proxyApi(
  app: FastifyInstance,
  settings: { backendUrl: string; isChecksOnly: boolean },
): Promise<void> {
  const { origin, pathname } = new URL(settings.backendUrl);
  for (const { prefix, rewritePrefix } of rewrites(pathname, settings.isChecksOnly)) {
    await app.register(httpProxy, {
      upstream: origin,
      prefix,
      rewritePrefix,
      undici: { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
      replyOptions: {
        timeout: TIMEOUT_MS,
        onError(reply, { error }) {
          void reply.send(new AppError('network', 'The backend does not answer', { cause: error }));
        },
      },
    });
  }
}
