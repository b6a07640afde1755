/**
 * The kubeconfig (schema §3.4): a file with which kubectl reaches clusters through this server's cluster proxy. Its
 * token opens that proxy and nothing else, ends after ninety days, with the next download and with a change of
 * password. It is made by POST only, for a browser session whose owner showed lately who he is; GET, the contract's
 * address, is a page with the button for that. A server without the proxy makes none: the file would open nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { AppError } from '../../src/contract/errors.ts';
import { kubeconfigFileName, kubeconfigSlug } from '../../src/domain/access/kubeconfig.ts';
import { refreshNeeded } from '../access/identity/flows/refusals.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { refuse } from '../access/identity/routes/refuse.ts';
import { visitorOf } from '../access/identity/routes/visitor.ts';
import { answerNotImplemented } from '../platform/http/not-implemented.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { AccessTokens } from '../access/identity/sessions/access-tokens.ts';
import type { Sessions } from '../access/identity/sessions/sessions.ts';
import type { PageErrors } from '../access/identity/accounts/page-errors.ts';
import { NO_CLUSTER_PROXY } from './messages.ts';

interface KubeconfigParts {
  accessTokens: Pick<AccessTokens, 'create'>;
  sessions: Pick<Sessions, 'find' | 'isPrivileged'>;
  pageErrors: Pick<PageErrors, 'idOf'>;
}

interface KubeconfigContext extends RouteContext<KubeconfigParts> {
  /** Whether calls are passed on to clusters. */
  hasClusterProxy: boolean;
  settings: { publicUrl: string | null };
}

const PATH = '/api/kubeconfig';
const TOKEN_NAME = 'kubeconfig';
const TOKEN_LIFE_MS = 90 * 86_400_000;
const FORM = 'application/x-www-form-urlencoded';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Download kubeconfig</title>
<h1>Download kubeconfig</h1>
<p>The file holds a new access token with which kubectl reaches clusters through this server, in your name.
It is valid for 90 days; the token of your last download ends now.</p>
<form method="post"><button>Download kubeconfig file</button></form>
</html>
`;

/** Where people reach us: as the operator says, else as this browser does. */
function publicUrlOf(request: FastifyRequest, configured: string | null): URL {
  const url = configured ?? request.siteOrigin;
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

/** The person who may have one now; null when the refusal was sent. */
async function allowedPerson(
  context: KubeconfigContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const principal = await context.authenticate(request);
  authorize(principal, 'kubernetes-proxy', 'create');
  if (!context.hasClusterProxy) {
    answerNotImplemented(reply, NO_CLUSTER_PROXY);
    return null;
  }
  const visitor = await visitorOf(context, request);
  const { session } = visitor;
  if (session === null || principal.sessionId !== session.session_id) {
    throw new AppError('forbidden', 'A kubeconfig is made for a browser session only: sign in at the app');
  }
  if (!context.backend().sessions.isPrivileged(session)) {
    await refuse({ context, request, reply }, refreshNeeded(visitor, PATH));
    return null;
  }
  return principal.personId;
}

async function answerFile(
  context: KubeconfigContext,
  { request, personId }: { request: FastifyRequest; personId: string },
  reply: FastifyReply,
) {
  const url = publicUrlOf(request, context.settings.publicUrl);
  const expiresAt = new Date(context.platform.now() + TOKEN_LIFE_MS);
  const { accessTokens } = context.backend();
  const token = await accessTokens.create({ personId, name: TOKEN_NAME, expiresAt, scope: 'cluster-proxy' });
  const slug = kubeconfigSlug(url.hostname);
  const server = `${url.href.replace(/\/+$/, '')}/api/kubeproxy`;
  return reply
    .type('text/yaml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${kubeconfigFileName(url.hostname)}"`)
    .send(kubeconfig({ slug, server, token }));
}

/** `/api/kubeconfig`: the page by GET, the file by POST. */
export function registerKubeconfigRoutes(app: FastifyInstance, context: KubeconfigContext): void {
  app.get(PATH, async (request, reply) => {
    const personId = await allowedPerson(context, request, reply);
    return personId === null ? reply : reply.type('text/html; charset=utf-8').send(PAGE);
  });

  // The page's button sends an empty form, so its type is taken here; what is in it is not read.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, _body, done) => done(null));
    scope.post(PATH, { config: { isFormAllowed: true } }, async (request, reply) => {
      const personId = await allowedPerson(context, request, reply);
      return personId === null ? reply : answerFile(context, { request, personId }, reply);
    });
  });
}
