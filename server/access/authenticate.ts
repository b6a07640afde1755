/** The second step of every route: who asks? By session cookie, else HTTP Basic or a bearer's token, else nobody. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { parseBasic, parseTokenBearer } from './identity/sessions/basic-sign-in.ts';
import { ANONYMOUS_VIEWER, isAgent, isWall } from './identity/sessions/principal.ts';
import { parseBearer } from './hosted/bearer-sign-in.ts';
import type { TokenScope } from './identity/queries/access-token-query.ts';
import type { Principal } from './identity/sessions/principal.ts';
import { principalOf, suffices } from './identity/sessions/sessions.ts';
import { sessionTokenOf } from './identity/routes/cookies.ts';
import { frontOf } from '../platform/http/public-site.ts';
import type { Sessions } from './identity/sessions/sessions.ts';
import type { HostedParts } from './hosted/hosted-parts.ts';
import type { BasicSignIn } from './identity/sessions/basic-sign-in.ts';

/** The ways in. */
export interface SignInParts {
  sessions: Pick<Sessions, 'find'>;
  basic: BasicSignIn;
  hosted: Pick<HostedParts, 'bearer'> | null;
}

async function authenticateBasic(backend: SignInParts, request: FastifyRequest): Promise<Principal | null> {
  const header = request.headers.authorization ?? '';
  const credentials = parseBasic(header) ?? parseTokenBearer(header);
  if (credentials === null) return null;
  const result = await backend.basic.check({ ...credentials, ip: request.ip });
  if (result.kind === 'limited')
    throw new AppError('rate_limited', 'Too many attempts. Please wait a moment.');
  return result.kind === 'signed-in' ? result.principal : null;
}

/** At an organisation's backend in hosted mode (schema §3.4). */
async function authenticateBearer(backend: SignInParts, request: FastifyRequest): Promise<Principal | null> {
  const token = parseBearer(request.headers.authorization ?? '');
  return token === null ? null : ((await backend.hosted?.bearer?.check(token)) ?? null);
}

/** The route that a token of a scope is taken at. */
const ROUTE_OF_SCOPE: Readonly<Record<TokenScope, string>> = {
  'cluster-proxy': '/api/kubeproxy/*',
};

function refuseOutOfScope({ tokenScope }: Principal, request: FastifyRequest): void {
  if (tokenScope === undefined || request.routeOptions.url === ROUTE_OF_SCOPE[tokenScope]) return;
  throw new AppError('forbidden', 'This token opens the cluster proxy only');
}

/** An agent sends and fetches what is its own, and nothing else, whatever its role would allow. */
function refuseToAgent(principal: Principal, request: FastifyRequest): void {
  const isOpen = request.routeOptions.url?.startsWith('/api/upstream/') === true;
  if (isAgent(principal) && !isOpen) throw new AppError('forbidden', 'An agent may only call /upstream');
}

/** What a wall shows comes from here; `/api/db/*` by reading only. */
const WALL_ROUTES: ReadonlySet<string> = new Set([
  '/api/auth/whoami',
  '/api/capabilities',
  '/api/canary/api',
  '/api/canary/api/graph',
  '/api/canary/api/summary',
  '/api/catalog/changes',
  '/api/db/*',
  '/api/events',
  '/api/first-visit',
  '/api/properties',
  '/api/walls',
  '/api/walls/boards',
]);
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A wall reads what its boards show, and nothing else, whatever its role would allow. */
function refuseToWall(principal: Principal, request: FastifyRequest): void {
  const url = request.routeOptions.url ?? '';
  const isOpen = READING.has(request.method) && (WALL_ROUTES.has(url) || url.startsWith('/api/sync/'));
  if (isWall(principal) && !isOpen) throw new AppError('forbidden', 'A wall display may only read');
}

/** Makes the step; a health-only deployment has no sign-in and knows one viewer only. */
export function createAuthenticate(
  settings: { isChecksOnly: boolean; publicUrl: string | null },
  { backend, onFront }: { backend: () => SignInParts; onFront: (address: string) => void },
): (request: FastifyRequest) => Promise<Principal> {
  /** Where links in mails lead: what an administrator's browser uses, never what a stranger's request names. */
  function noteFront({ roles }: Principal, request: FastifyRequest): void {
    const front = settings.publicUrl === null && roles.includes('admin') ? frontOf(request) : null;
    if (front !== null) onFront(front);
  }
  return async (request) => {
    if (settings.isChecksOnly) return ANONYMOUS_VIEWER;
    const parts = backend();
    const token = sessionTokenOf(request);
    const session = token === null ? null : await parts.sessions.find(token);
    if (session !== null) {
      if (!suffices(session)) throw new AppError('unauthorized', 'Sign in with your second factor');
      const principal = principalOf(session);
      refuseToWall(principal, request);
      noteFront(principal, request);
      return principal;
    }
    const principal = (await authenticateBearer(parts, request)) ?? (await authenticateBasic(parts, request));
    if (principal === null) throw new AppError('unauthorized', 'Not logged in');
    refuseOutOfScope(principal, request);
    refuseToAgent(principal, request);
    return principal;
  };
}
