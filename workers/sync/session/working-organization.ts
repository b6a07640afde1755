/** Who is signed in, and in hosted mode where they work: one organisation at a time (contract §2.1, §2.3). */
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { whoamiSchema } from '../../../src/contract/http/identity/identity.ts';
import { ORGANIZATION_HEADER } from '../../../src/contract/http/identity/organization-header.ts';
import { organizationsSchema } from '../../../src/contract/http/identity/organizations.ts';
import type { SessionOrganization, SessionUser } from '../../../src/contract/session-user.ts';
import { storeNameOf } from '../../../src/domain/store-name.ts';
import { readJson, type HttpClient } from '../network/http-client.ts';

function unexpected(cause: unknown): AppError {
  return new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause, retryable: true });
}

/** The organisation with that id, which the server just named as the session's. */
async function readOrganization(front: HttpClient, id: string): Promise<SessionOrganization> {
  const parsed = organizationsSchema.safeParse(await front.json({ path: '/api/auth/organizations' }));
  if (!parsed.success) throw unexpected(parsed.error);
  const place = parsed.data.organizations.find((one) => one.id === id);
  // Another tab chose another one between the two calls: asked again, both agree.
  if (place === undefined || parsed.data.active !== id) throw unexpected(new Error('chosen anew meanwhile'));
  const { slug, name, public_metadata: facts } = place;
  return { id, slug, name, directUrl: facts.direct ? facts.backend_url : null };
}

/**
 * Asks the server that the app came from. Person ids are the backend's own and may be alike in two organisations,
 * so the store's name has both.
 */
export async function readUser(front: HttpClient, origin: string): Promise<SessionUser> {
  const answer = await front.send({ path: '/api/auth/whoami' });
  const parsed = whoamiSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unexpected(parsed.error);
  const { user, roles } = parsed.data.payload;
  const organizationId = answer.headers.get(ORGANIZATION_HEADER);
  if (organizationId === null) return { ...user, roles, storeName: storeNameOf(origin, user.id) };
  return {
    ...user,
    roles,
    storeName: storeNameOf(origin, `${organizationId}\n${user.id}`),
    organization: await readOrganization(front, organizationId),
  };
}
