/**
 * The kubeconfig (schema §3.4): a file with which kubectl reaches clusters through this server's cluster proxy. Its
 * token opens that proxy and nothing else, ends after a day unless its owner asks for more, with the next download and
 * with a change of password. It is made by POST only, for a browser session whose owner showed lately who he is; GET,
 * the contract's address, is a page with the button for that.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { kubeconfigFileName, kubeconfigSlug } from '../../../src/domain/access/kubeconfig.ts';
import { refreshNeeded } from '../../access/identity/flows/refusals.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { refuse } from '../../access/identity/routes/refuse.ts';
import { visitorOf } from '../../access/identity/routes/visitor.ts';
import { parse } from '../../platform/http/parse.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { AccessTokens } from '../../access/identity/sessions/access-tokens.ts';
import type { Sessions } from '../../access/identity/sessions/sessions.ts';
import type { PageErrors } from '../../access/identity/accounts/page-errors.ts';
import { clusterAddress, PROXY_PATH } from './cluster-path.ts';
import type { NamedCluster } from './cluster-path.ts';
import { listClusters } from './cluster-query.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

interface KubeconfigParts {
  db: Database;
  accessTokens: Pick<AccessTokens, 'create'>;
  sessions: Pick<Sessions, 'find' | 'isPrivileged'>;
  pageErrors: Pick<PageErrors, 'idOf'>;
}

interface KubeconfigContext extends RouteContext<KubeconfigParts> {
  settings: { publicUrl: string | null };
}

const PATH = '/api/kubeconfig';
const TOKEN_NAME = 'kubeconfig';
const DAY_MS = 86_400_000;
/** How many days a token counts; the first where nobody says. */
const DAYS = [1, 7, 30] as const;
const lifeSchema = z.object({ days: z.coerce.number().pipe(z.literal(DAYS)).default(1) });
const FORM = 'application/x-www-form-urlencoded';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Download kubeconfig</title>
<h1>Download kubeconfig</h1>
<p>The file holds a new access token with which kubectl reaches clusters through this server, in your name.
It opens clusters and nothing else; the token of your last download ends now.</p>
<form method="post"><p><label>Valid for <select name="days">
<option value="1">1 day</option><option value="7">7 days</option><option value="30">30 days</option>
</select></label></p><button>Download kubeconfig file</button></form>
</html>
`;

/** Where people reach us: as the operator says, else as this browser does. */
function publicUrlOf(request: FastifyRequest, configured: string | null): URL {
  const url = configured ?? request.siteOrigin;
  if (!URL.canParse(url)) throw new AppError('invalid', 'Host: is no name of a server');
  return new URL(url);
}

/** One context for each cluster; the first, which names none, is for where there is but one. */
function kubeconfig({ slug, origin, token, clusters }: Kubeconfig): string {
  const user = `mission-control-${slug}`;
  const places = [
    { name: user, server: `${origin}${PROXY_PATH}` },
    ...clusters.map((cluster) => ({
      // No connection's name can make it that of an agent.
      name: `${user}${cluster.kind === 'agent' ? '@' : '-'}${cluster.name}`,
      server: `${origin}${clusterAddress(cluster)}`,
    })),
  ];
  const current = clusters.length > 1 ? places[1] : places[0];
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: places.map(({ name, server }) => ({ name, cluster: { server } })),
    users: [{ name: user, user: { username: 'token', password: token } }],
    contexts: places.map(({ name }) => ({ name, context: { cluster: name, user } })),
    'current-context': current?.name,
  });
}

interface Kubeconfig {
  slug: string;
  origin: string;
  token: string;
  clusters: readonly NamedCluster[];
}

/** The person who may have one now; null when the refusal was sent. */
async function allowedPerson(
  context: KubeconfigContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const principal = await context.authenticate(request);
  authorize(principal, 'kubernetes-proxy', 'create');
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
  const { days } = parse(lifeSchema, request.body ?? {});
  const expiresAt = new Date(context.platform.now() + days * DAY_MS);
  const { accessTokens, db } = context.backend();
  const token = await accessTokens.create({ personId, name: TOKEN_NAME, expiresAt, scope: 'cluster-proxy' });
  const slug = kubeconfigSlug(url.hostname);
  const origin = trimEnd(url.href, '/');
  const clusters = await listClusters(db);
  return reply
    .type('text/yaml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${kubeconfigFileName(url.hostname)}"`)
    .send(kubeconfig({ slug, origin, token, clusters }));
}

/** `/api/kubeconfig`: the page by GET, the file by POST. */
export function registerKubeconfigRoutes(app: FastifyInstance, context: KubeconfigContext): void {
  app.get(PATH, async (request, reply) => {
    const personId = await allowedPerson(context, request, reply);
    return personId === null ? reply : reply.type('text/html; charset=utf-8').send(PAGE);
  });

  // The page's button sends a form, so its type is taken here.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.post(PATH, { config: { isFormAllowed: true } }, async (request, reply) => {
      const personId = await allowedPerson(context, request, reply);
      return personId === null ? reply : answerFile(context, { request, personId }, reply);
    });
  });
}
