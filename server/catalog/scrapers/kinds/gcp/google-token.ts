/**
 * The token with which a service account of Google Cloud reads: its key signs a request for one (RFC 7523), which goes to
 * the address that the key names. By `jose` and the guarded transport (decision 0044).
 */
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import { callService, jsonOf } from '../services/service-call.ts';
import type { CallContext } from '../services/service-call.ts';
import { jsonOrNull } from '../../../../../src/lib/json-or-null.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const LIVES_S = 600;

const keySchema = z.looseObject({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default(TOKEN_URI),
});

function keyOf(credentials: string) {
  // What is no JSON is no key, and its text is secret: no word of it is told.
  const parsed = keySchema.safeParse(jsonOrNull(credentials));
  if (!parsed.success)
    throw new AppError('invalid', 'credentials: is not the key of a service account, as JSON');
  return parsed.data;
}

/** A token that may do what the scope says for ten minutes; throws one sentence. */
export async function googleToken(
  credentials: string,
  scope: string,
  context: CallContext & { now: () => number | Date },
): Promise<string> {
  const {
    client_email: email,
    private_key: secret,
    private_key_id: kid,
    token_uri: uri,
  } = keyOf(credentials);
  const key = await importPKCS8(secret, 'RS256').catch(() => {
    throw new AppError('invalid', 'credentials: its private_key can not be read');
  });
  const nowS = Math.floor(Number(context.now()) / 1000);
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .setIssuer(email)
    .setAudience(uri)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + LIVES_S)
    .sign(key);
  const answer = await callService(context, {
    method: 'POST',
    url: new URL(uri),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
  });
  const parsed = z
    .looseObject({ access_token: z.string().min(1) })
    .safeParse(jsonOf('Sign-in at Google', answer));
  if (!parsed.success) throw new AppError('bad_payload', 'Sign-in at Google: the answer has no token');
  return parsed.data.access_token;
}
