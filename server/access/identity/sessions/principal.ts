import type { TokenScope } from '../queries/access-token-query.ts';

/** Who makes a request, with the roles of this moment: read again for every request, never kept (spec 1 §6). */
export interface Principal {
  personId: string;
  /** null for HTTP Basic and for health-only deployments, which have no session. */
  sessionId: string | null;
  name: string;
  email: string | null;
  avatar: string | null;
  type: string | null;
  externalId: string | null;
  roles: string[];
  /** Of who came with a token: until when it counts. */
  tokenEndsMs?: number;
  /** Of who came with an access token that opens only a part of the API: which. */
  tokenScope?: TokenScope;
}

/** Somebody behind an app: here, or at a front that vouches. Not a script with a password or an access token. */
export function isInApp(principal: Principal): boolean {
  return principal.sessionId !== null || principal.tokenEndsMs !== undefined;
}

/** A paired screen, which may only read (docs/decisions/0046). */
export function isWall({ type }: Pick<Principal, 'type'>): boolean {
  return type === 'wall';
}

/** The account of an agent, which is for what agents send and fetch (docs/decisions/0048). */
export function isAgent({ type }: Pick<Principal, 'type'>): boolean {
  return type === 'agent';
}

/** Nobody in particular: the reader of a health-only deployment, which has no sign-in. */
export const ANONYMOUS_VIEWER: Principal = {
  personId: '00000000-0000-0000-0000-000000000000',
  sessionId: null,
  name: 'Viewer',
  email: null,
  avatar: null,
  type: null,
  externalId: null,
  roles: ['viewer'],
};
