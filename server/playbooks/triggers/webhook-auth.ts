/**
 * Who may set a playbook off over HTTP (schema §7.4): basic, the signatures of GitHub and Svix, a signed token. Nothing
 * is compared in a way whose time tells how much of it was right, and nothing of the body is read before it is sure.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { jwtVerify } from 'jose';
import { parseDuration } from '../../../src/domain/check/duration.ts';

/** With the values themselves in place of references. */
export type WebhookAuthentication =
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'github'; token: string }
  | { kind: 'svix'; secret: string; tolerance: string }
  | { kind: 'jwt'; secret: string };

export interface WebhookCall {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  nowMs: number;
}

/** `delivery`: the sender's name for this very call, the same when it is repeated; null where there is none. */
export type WebhookVerdict = { ok: true; delivery: string | null } | { ok: false };

const REFUSED: WebhookVerdict = { ok: false };
const TOLERANCE_MS = 5 * 60_000;
const LONGEST_DELIVERY = 200;
const SVIX_PREFIX = 'whsec_';

const digest = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();

/** Equal length first would tell the length: both are hashed. */
function isSame(given: string | Buffer, wanted: string | Buffer): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function headerOf({ headers }: WebhookCall, ...names: readonly string[]): string {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return '';
}

function basic(
  call: WebhookCall,
  { username, password }: { username: string; password: string },
): WebhookVerdict {
  const [, encoded = ''] = /^Basic\s+([\w+/=-]+)$/i.exec(headerOf(call, 'authorization')) ?? [];
  const isRight = isSame(Buffer.from(encoded, 'base64'), Buffer.from(`${username}:${password}`));
  return isRight ? { ok: true, delivery: null } : REFUSED;
}

function github(call: WebhookCall, token: string): WebhookVerdict {
  const wanted = `sha256=${createHmac('sha256', token).update(call.body).digest('hex')}`;
  if (!isSame(headerOf(call, 'x-hub-signature-256'), wanted)) return REFUSED;
  const delivery = headerOf(call, 'x-github-delivery');
  return { ok: true, delivery: delivery === '' ? null : delivery.slice(0, LONGEST_DELIVERY) };
}

function svix(
  call: WebhookCall,
  { secret, tolerance }: { secret: string; tolerance: string },
): WebhookVerdict {
  const id = headerOf(call, 'svix-id', 'webhook-id');
  const timestamp = headerOf(call, 'svix-timestamp', 'webhook-timestamp');
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  const toleranceMs = parseDuration(tolerance) ?? TOLERANCE_MS;
  const key = Buffer.from(
    secret.startsWith(SVIX_PREFIX) ? secret.slice(SVIX_PREFIX.length) : secret,
    'base64',
  );
  const wanted = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), call.body]))
    .digest('base64');
  // A sender that changes its key signs with both.
  const isSigned = headerOf(call, 'svix-signature', 'webhook-signature')
    .split(' ')
    .slice(0, 10)
    .map((one) => isSame(one, `v1,${wanted}`))
    .includes(true);
  const isFresh = Math.abs(call.nowMs - sentMs) <= toleranceMs;
  return isSigned && isFresh && id !== '' ? { ok: true, delivery: id.slice(0, LONGEST_DELIVERY) } : REFUSED;
}

async function jwt(call: WebhookCall, secret: string): Promise<WebhookVerdict> {
  const [, token = ''] = /^Bearer\s+(\S+)$/i.exec(headerOf(call, 'authorization')) ?? [];
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256', 'HS384', 'HS512'],
      currentDate: new Date(call.nowMs),
    });
    const { jti } = payload;
    return {
      ok: true,
      delivery: typeof jti === 'string' && jti !== '' ? jti.slice(0, LONGEST_DELIVERY) : null,
    };
  } catch {
    // Whatever is wrong with it is the caller's business alone.
    return REFUSED;
  }
}

/** An empty secret lets nobody in. */
export async function verifyWebhook(auth: WebhookAuthentication, call: WebhookCall): Promise<WebhookVerdict> {
  switch (auth.kind) {
    case 'basic':
      return auth.password === '' ? REFUSED : basic(call, auth);
    case 'github':
      return auth.token === '' ? REFUSED : github(call, auth.token);
    case 'svix':
      return auth.secret === '' ? REFUSED : svix(call, auth);
    case 'jwt':
      return auth.secret === '' ? REFUSED : jwt(call, auth.secret);
  }
}
