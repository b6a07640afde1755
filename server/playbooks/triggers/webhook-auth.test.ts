/** The four kinds of authentication of webhooks: the right caller gets in, whatever is changed of it doesn't. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from './webhook-auth.ts';
import type { WebhookAuthentication, WebhookCall } from './webhook-auth.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const SECRET = Buffer.from('the secret of the sender').toString('base64');
const body = Buffer.from('{"ref":"main"}');

const AUTHS: Readonly<Record<string, WebhookAuthentication>> = {
  basic: { kind: 'basic', username: 'hook', password: 'pa:ss' },
  github: { kind: 'github', token: 'token' },
  svix: { kind: 'svix', secret: `whsec_${SECRET}`, tolerance: '' },
  jwt: { kind: 'jwt', secret: 'a secret of thirty-two characters' },
};

async function callOf(kind: string, nowMs = NOW): Promise<WebhookCall> {
  const time = String(Math.floor(nowMs / 1000));
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text);
  const key = Buffer.from(SECRET, 'base64');
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setJti('one')
    .setExpirationTime(NOW / 1000 + 60)
    .sign(Buffer.from('a secret of thirty-two characters'));
  const headers: Record<string, Record<string, string>> = {
    basic: { authorization: `Basic ${Buffer.from('hook:pa:ss').toString('base64')}` },
    github: {
      'x-hub-signature-256': `sha256=${hmac('token', body.toString()).digest('hex')}`,
      'x-github-delivery': 'd1',
    },
    svix: {
      'svix-id': 'm1',
      'svix-timestamp': time,
      'svix-signature': `v1,AAAA v1,${hmac(key, `m1.${time}.${body.toString()}`).digest('base64')}`,
    },
    jwt: { authorization: `Bearer ${token}` },
  };
  return { headers: headers[kind] ?? {}, body, nowMs: NOW };
}

describe.each(Object.keys(AUTHS))('%s', (kind) => {
  const auth = AUTHS[kind];
  const verify = async (call: WebhookCall) => auth !== undefined && (await verifyWebhook(auth, call)).ok;

  it('lets the right caller in', async () => {
    expect(await verify(await callOf(kind))).toBe(true);
  });

  it('refuses a call without its headers, and any change of one of them', async () => {
    const call = await callOf(kind);
    expect(await verify({ ...call, headers: {} })).toBe(false);
    const signed = Object.keys(call.headers).filter((name) => name !== 'x-github-delivery');
    const change = fc.record({
      name: fc.constantFrom(...signed),
      at: fc.nat(300),
      to: fc.string({ minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ name, at, to }) => {
        const value = String(call.headers[name]);
        const place = at % value.length;
        const changed = value.slice(0, place) + to + value.slice(place + 1);
        // Spaces, the case of the scheme's name and the unused bits of base64 say nothing.
        fc.pre(!/[\s=]/.test(to) && changed.toLowerCase() !== value.toLowerCase());
        fc.pre(place < value.length - 3 && place > 6);
        if (name === 'svix-signature') fc.pre(place > 10);
        expect(await verify({ ...call, headers: { ...call.headers, [name]: changed } })).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('an empty secret lets nobody in', async () => {
    const call = await callOf(kind);
    const empty: Record<string, WebhookAuthentication> = {
      basic: { kind: 'basic', username: '', password: '' },
      github: { kind: 'github', token: '' },
      svix: { kind: 'svix', secret: '', tolerance: '' },
      jwt: { kind: 'jwt', secret: '' },
    };
    const without = empty[kind];
    expect(without !== undefined && (await verifyWebhook(without, call)).ok).toBe(false);
  });
});

describe('what is signed', () => {
  const isIn = async (kind: string, call: WebhookCall) => {
    const auth = AUTHS[kind];
    return auth !== undefined && (await verifyWebhook(auth, call)).ok;
  };

  it.each(['github', 'svix'])('%s: another body is refused', async (kind) => {
    expect(await isIn(kind, { ...(await callOf(kind)), body: Buffer.from('{"ref":"evil"}') })).toBe(false);
  });

  it('svix: a call that is too old, or from the future, is refused', async () => {
    for (const off of [-600_000, 600_000])
      expect(await isIn('svix', await callOf('svix', NOW + off))).toBe(false);
    expect(await isIn('svix', await callOf('svix', NOW - 60_000))).toBe(true);
  });

  it('jwt: an expired token and one that is not signed are refused', async () => {
    const call = await callOf('jwt');
    expect(await isIn('jwt', { ...call, nowMs: NOW + 3_600_000 })).toBe(false);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`;
    expect(await isIn('jwt', { ...call, headers: { authorization: `Bearer ${none}` } })).toBe(false);
  });

  it('the name of a delivery is told, so that its repetition can be known', async () => {
    const names = ['github', 'svix', 'jwt', 'basic'].map(async (kind) => {
      const auth = AUTHS[kind];
      const verdict = auth === undefined ? null : await verifyWebhook(auth, await callOf(kind));
      return verdict?.ok === true ? verdict.delivery : 'refused';
    });
    expect(await Promise.all(names)).toEqual(['d1', 'm1', 'one', null]);
  });
});
