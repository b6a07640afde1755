/**
 * `GET /kubeconfig`: a file with which kubectl reaches the cluster through us (schema §3.4). It holds a token that
 * doesn't expire; the next download of the same person ends it.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { AppError } from '../../../src/contract/errors.ts';
import { kubeconfigFileName, kubeconfigSlug } from '../../../src/domain/access/kubeconfig.ts';
import { authorize } from '../../policies/refuse-unless.ts';
import type { RouteContext } from '../route-context.ts';

const TOKEN_NAME = 'kubeconfig';

/** Where people reach us: as the operator says, else as this browser does. */
function publicUrlOf(request: FastifyRequest, configured: string | null): URL {
  const url = configured ?? `${request.protocol}://${request.host}`;
  if (!URL.canParse(url)) throw new AppError('invalid', 'Host: is no name of a server');
  return new URL(url);
}

function kubeconfig({ slug, server, token }: { slug: string; server: string; token: string }): string {
  const name = `mission-control-${slug}`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { username: 'token', password: token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

export function registerKubeconfigRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/api/kubeconfig', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'kubernetes-proxy', 'create');
    // A read that makes something: another site must not be able to end somebody's token by a link.
    const site = request.headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site')
      throw new AppError('forbidden', 'The request comes from another site');
    const url = publicUrlOf(request, context.settings.publicUrl);
    const token = await context
      .backend()
      .accessTokens.create({ personId: principal.personId, name: TOKEN_NAME, expiresAt: null });
    const slug = kubeconfigSlug(url.hostname);
    const server = `${url.href.replace(/\/+$/, '')}/api/kubeproxy`;
    return reply
      .type('text/yaml; charset=utf-8')
      .header('content-disposition', `attachment; filename="${kubeconfigFileName(url.hostname)}"`)
      .send(kubeconfig({ slug, server, token }));
  });
}
