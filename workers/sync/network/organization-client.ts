/**
 * Calls on behalf of a user who works in an organisation (contract §2.3). Each call says for which one it is meant,
 * so that an organisation that was chosen elsewhere meanwhile is neither read nor written by mistake. In direct mode
 * calls go to the organisation's backend with a token; what is about signing in and choosing stays where the app
 * came from. Invariants: a token is kept in memory only, used for no other organisation, renewed before it ends, and
 * once when it was refused.
 */
import { AppError, errorFacts, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { ORGANIZATION_HEADER } from '../../../src/contract/http/identity/organization-header.ts';
import { backendTokenSchema, ORGANIZATION_QUERY } from '../../../src/contract/http/identity/organizations.ts';
import type { SessionOrganization } from '../../../src/contract/session-user.ts';
import { readJson, type HttpAnswer, type HttpClient, type HttpRequest } from './http-client.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** A token that has less than this left may end on the way. */
const SPARE_MS = 10_000;
/** Never sent to a backend, whatever the mode. */
const OWN_PATH = /^\/api\/(?:auth\/(?:oidc|organizations|backend-token)|\.ory|identity)\b/;

export interface OrganizationClientParts {
  /** To the server that the app came from. */
  front: HttpClient;
  /** Where the user works; null outside of the hosted mode. */
  organization: () => SessionOrganization | null;
  /** ms since 1970, the server's clock. */
  serverNow: () => number;
}

interface HeldToken {
  organizationId: string;
  token: string;
  expiresAtMs: number;
}

/** The organisation's address before a path without `/api`: what its proxy calls, too. */
function baseOf(directUrl: string): string {
  return trimEnd(directUrl, '/');
}

/** The address of an event stream that ends when another organisation is chosen. */
export function meantFor(url: string, organization: SessionOrganization | undefined): string {
  if (organization === undefined) return url;
  const marked = new URL(url);
  marked.searchParams.set(ORGANIZATION_QUERY, organization.id);
  return marked.href;
}

class Tokens {
  private held: HeldToken | null = null;
  private readonly parts: OrganizationClientParts;

  constructor(parts: OrganizationClientParts) {
    this.parts = parts;
  }

  async get({ id }: SessionOrganization, signal: AbortSignal | undefined): Promise<string> {
    const { front, serverNow } = this.parts;
    const isGood = this.held?.organizationId === id && this.held.expiresAtMs - serverNow() > SPARE_MS;
    if (this.held !== null && isGood) return this.held.token;
    const answer = await front.json({
      path: '/api/auth/backend-token',
      headers: { [ORGANIZATION_HEADER]: id },
      ...(signal === undefined ? {} : { signal }),
    });
    const parsed = backendTokenSchema.safeParse(answer);
    if (!parsed.success)
      throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: parsed.error, retryable: true });
    const { token, expires_at: expiresAt } = parsed.data;
    this.held = { organizationId: id, token, expiresAtMs: Date.parse(expiresAt) };
    return token;
  }

  /** The backend refused it. */
  drop(token: string): void {
    if (this.held?.token === token) this.held = null;
  }
}

/** A client that knows where its user works at the moment of each call. */
export function createOrganizationClient(parts: OrganizationClientParts): HttpClient {
  const { front, organization } = parts;
  const tokens = new Tokens(parts);

  const sendDirect = async (
    request: HttpRequest,
    place: SessionOrganization,
    directUrl: string,
  ): Promise<HttpAnswer> => {
    const attempt = async (token: string) =>
      front.send({
        ...request,
        base: baseOf(directUrl),
        path: request.path.replace(/^\/api(?=\/)/, ''),
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      });
    const token = await tokens.get(place, request.signal);
    try {
      return await attempt(token);
    } catch (error) {
      if (errorFacts(error).status !== 401) throw error;
      tokens.drop(token);
      return attempt(await tokens.get(place, request.signal));
    }
  };

  const send = (request: HttpRequest): Promise<HttpAnswer> => {
    const place = organization();
    if (place === null) return front.send(request);
    if (place.directUrl !== null && !OWN_PATH.test(request.path))
      return sendDirect(request, place, place.directUrl);
    return front.send({ ...request, headers: { ...request.headers, [ORGANIZATION_HEADER]: place.id } });
  };

  return {
    send,
    json: async (request) => readJson(await send(request)),
  };
}
