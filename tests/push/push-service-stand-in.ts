/** For tests only: a push service over HTTPS as browsers name one, and a browser that can read what it gets. */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from '../../server/health/testing/test-certificate.ts';
import { pushMessageSchema, type PushMessage } from '../../src/contract/push.ts';

export interface Delivery {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface PushStandIn {
  origin: string;
  deliveries: Delivery[];
  /** Answers by path; 201 for the others. */
  answers: Map<string, { status: number; headers?: Record<string, string> }>;
  stop(): Promise<void>;
}

export async function startPushStandIn({ cert, key }: TestCertificate): Promise<PushStandIn> {
  const deliveries: Delivery[] = [];
  const answers: PushStandIn['answers'] = new Map();
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      deliveries.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      const { status, headers } = answers.get(path) ?? { status: 201 };
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    deliveries,
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const TAG_BYTES = 16;

/** Opens a message as RFC 8188 and RFC 8291 have it. */
function decrypt(body: Buffer, keys: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const senderBytes = body.readUInt8(20);
  const sender = body.subarray(21, 21 + senderBytes);
  const sealed = body.subarray(21 + senderBytes);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32);
  const part = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${use}\0`, bytes));
  const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

/** Who sent it, as the push service sees it (RFC 8292); throws where the signature isn't of that key. */
export function senderOf({ headers }: Delivery): { key: string; audience: unknown; subject: unknown } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), *k=(.+)$/.exec(String(headers.authorization)) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('signed by another key');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>;
  return { key, audience: claims.aud, subject: claims.sub };
}

/** A browser's side of a subscription (RFC 8291). */
export class PushedBrowser {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  private readonly keys: ECDH;
  private readonly path: string;
  private readonly service: PushStandIn;

  constructor(service: PushStandIn) {
    this.service = service;
    this.keys = createECDH('prime256v1');
    this.path = `/push/${randomBytes(8).toString('hex')}`;
    this.subscription = {
      endpoint: `${service.origin}${this.path}`,
      keys: {
        p256dh: this.keys.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    };
  }

  answer(status: number, headers?: Record<string, string>): void {
    this.service.answers.set(this.path, headers === undefined ? { status } : { status, headers });
  }

  deliveries(): Delivery[] {
    return this.service.deliveries.filter(({ path }) => path === this.path);
  }

  /** What this browser makes of what it got; only its own keys open it. */
  messages(): PushMessage[] {
    return this.deliveries().map(({ body }) => {
      const auth = Buffer.from(this.subscription.keys.auth, 'base64url');
      return pushMessageSchema.parse(JSON.parse(decrypt(body, this.keys, auth)));
    });
  }
}
