/** grpc: the health service that gRPC publishes (grpc.health.v1), one call over HTTP/2. */
import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { judged, openSocket, openTls } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, tlsOf } from '../../kind/service-place.ts';
import { common, limits, required, text, tlsSchema } from '../../kind/spec-fields.ts';
import { endpointOf } from './endpoint.ts';

const grpcSchema = z.strictObject({
  ...common,
  ...limits,
  endpoint: required,
  /** The server as a whole unless given. */
  service: text.optional(),
  /** Without TLS. */
  plaintext: z.boolean().optional(),
  tlsConfig: tlsSchema.optional(),
});
type GrpcSpec = z.output<typeof grpcSchema>;

const PORT = 443;
const PATH = '/grpc.health.v1.Health/Check';
const MAX_BYTES = 64 * 1024;
const MAX_NAME = 127;
const STATES: Readonly<Record<number, string>> = {
  0: 'UNKNOWN',
  1: 'SERVING',
  2: 'NOT_SERVING',
  3: 'SERVICE_UNKNOWN',
};

/** HealthCheckRequest { string service = 1 }, with gRPC's frame around it. */
function messageOf(service: string): Buffer {
  const name = Buffer.from(service);
  if (name.length > MAX_NAME) throw new AppError('invalid', `service: may have ${MAX_NAME} bytes`);
  const body = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** HealthCheckResponse { ServingStatus status = 1 }; a zero is not written. */
function stateIn(answer: Buffer): string {
  const at = answer.indexOf(0x08, 5);
  const state = answer.length > 5 && at === 5 ? (answer[6] ?? 0) : 0;
  return STATES[state] ?? String(state);
}

function call(session: ClientHttp2Session, spec: GrpcSpec, at: Probe): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${Math.round(at.limitMs)}m`,
    });
    const parts: Buffer[] = [];
    let size = 0;
    const status = new Map<string, string>();
    const note = (headers: object) => {
      for (const [name, value] of Object.entries(headers))
        if (typeof value === 'string' || typeof value === 'number') status.set(name, String(value));
    };
    stream.on('error', reject);
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_BYTES) stream.destroy(new AppError('network', 'the answer is too long'));
      else parts.push(part);
    });
    stream.on('end', () => {
      const code = status.get('grpc-status') ?? (status.get(':status') === '200' ? '0' : 'none');
      const told = decodeURIComponent(status.get('grpc-message') ?? '');
      if (code === '0') resolve(stateIn(Buffer.concat(parts)));
      else
        reject(
          new AppError(
            'network',
            `gRPC status ${code} (HTTP ${status.get(':status') ?? 'none'}) ${told}`.trim(),
          ),
        );
    });
    stream.end(messageOf(spec.service ?? ''));
  });
}

function run(spec: GrpcSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { host, port } = endpointOf(spec.endpoint, PORT);
    agreeOnTls(spec.tlsConfig?.enable, spec.plaintext !== true);
    const place = await judged(at, host, port);
    const authority = `${spec.plaintext === true ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const socket =
      spec.plaintext === true
        ? await openSocket(at, place)
        : await openTls(at, place, { tls: await tlsOf(spec.tlsConfig, null, context), alpn: ['h2'] });
    const session = connectHttp2(authority, { createConnection: () => socket });
    const stop = () => session.destroy();
    at.signal.addEventListener('abort', stop, { once: true });
    try {
      const status = await call(session, spec, at);
      return {
        data: { results: { status } },
        error: status === 'SERVING' ? null : `it is ${status}`,
        message: status,
      };
    } finally {
      at.signal.removeEventListener('abort', stop);
      session.destroy();
      socket.destroy();
    }
  });
}

/** A gRPC server that serves. */
export const grpcKind = registeredKind({
  key: 'grpc',
  title: 'gRPC health',
  needs: 'a server with grpc.health.v1.Health',
  testedAgainst: 'stand-in',
  example: { name: 'orders', endpoint: 'orders.example.com:443', service: 'shop.Orders' },
  schema: grpcSchema,
  run,
});
