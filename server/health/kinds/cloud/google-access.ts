/**
 * How checks sign in at Google: an access token as it is, or the key of a service account, for which its token server
 * gives one (RFC 7523). Every call goes through the guard; the private key never leaves this process.
 */
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { callJson } from '../../kind/http-call.ts';
import type { Probe } from '../../kind/probe.ts';
import { readValue } from '../../kind/secret-values.ts';
import { connectionOf } from '../../kind/service-place.ts';
import { valueSchema } from '../../kind/spec-fields.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

/** Of every kind that calls Google. */
export const googleConnection = z.strictObject({
  connection: z.string().optional(),
  /** Another place than Google's own, such as an emulator. */
  endpoint: z.string().optional(),
  /** The key of a service account (JSON), or an access token. */
  credentials: valueSchema.optional(),
  skipTLSVerify: z.boolean().optional(),
});
type GoogleConnection = z.output<typeof googleConnection>;

const keySchema = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});
const tokenSchema = z.object({ access_token: z.string().min(1) });
const TOKEN_SECONDS = 600;
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

async function tokenOfKey(key: z.output<typeof keySchema>, scope: string, at: Probe): Promise<string> {
  const issuedAt = Math.floor(at.platform.now() / 1000);
  let assertion: string;
  try {
    assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(key.client_email)
      .setAudience(key.token_uri)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .sign(await importPKCS8(key.private_key, 'RS256'));
  } catch (error) {
    throw new AppError('invalid', 'credentials: private_key is no RSA key in PEM', { cause: error });
  }
  const answer = tokenSchema.safeParse(
    await callJson(at, {
      url: new URL(key.token_uri),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    }),
  );
  if (!answer.success) throw new AppError('network', 'the token server sent no access_token');
  return answer.data.access_token;
}

/** What was given, as a token. */
async function tokenOf(given: string, scope: string, at: Probe): Promise<string> {
  if (!given.trimStart().startsWith('{')) return given.trim();
  let read: unknown;
  try {
    read = JSON.parse(given);
  } catch (error) {
    throw new AppError('invalid', 'credentials: is no JSON', { cause: error });
  }
  const key = keySchema.safeParse(read);
  if (!key.success)
    throw new AppError(
      'invalid',
      'credentials: must be the key of a service account, with client_email and private_key',
    );
  return tokenOfKey(key.data, scope, at);
}

/** Calls below `host` (or the endpoint that is given instead), signed in for `scope`. */
export async function openGoogle(
  spec: GoogleConnection,
  { host, scope }: { host: string; scope: string },
  at: Probe,
) {
  const connection = await connectionOf(spec, at);
  const own = spec.credentials === undefined ? '' : await readValue(spec.credentials, at);
  const given = own || connection?.certificate || connection?.password || '';
  if (given === '')
    throw new AppError(
      'invalid',
      "credentials: are needed, or a connection that has them; the server's own are not used",
    );
  const endpoint = trimEnd(spec.endpoint || connection?.url || `https://${host}`, '/');
  if (!URL.canParse(endpoint)) throw new AppError('invalid', `endpoint: "${endpoint}" is no address`);
  const token = await tokenOf(given, scope, at);
  const isInsecure = connection?.isInsecureTls ?? spec.skipTLSVerify;
  return (path: string, body?: unknown): Promise<unknown> =>
    callJson(at, {
      url: new URL(`${endpoint}${path}`),
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      tls: { isInsecure },
    });
}
