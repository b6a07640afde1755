/** websocket: opens a connection (RFC 6455), sends what is to be sent and waits for what is to come back. */
import { Agent, WebSocket } from 'undici';
import { z } from 'zod';
import { pinnedLookup } from '../../../platform/egress/egress-http.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { authorization, USER_AGENT } from '../../kind/http-call.ts';
import { connectLimitMs, tlsOptions } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, tlsSchema } from '../../kind/spec-fields.ts';

const websocketSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    protocols: z.array(z.string()).optional(),
    /** Sent once it is open. */
    body: z.string().optional(),
    /** Has to be in the first message that comes. */
    responseContent: z.string().optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type WebsocketSpec = z.output<typeof websocketSchema>;

const MAX_BYTES = 64 * 1024;

/** The first message, or an empty text where none is waited for. */
function talk(socket: WebSocket, spec: WebsocketSpec, at: Probe): Promise<string> {
  return new Promise((resolve, reject) => {
    at.signal.addEventListener('abort', () => socket.close(), { once: true });
    socket.addEventListener('error', (event) => {
      reject(
        event.error instanceof Error ? event.error : new Error(event.message || 'the connection was refused'),
      );
    });
    socket.addEventListener('close', ({ code }) => reject(new Error(`it was closed with code ${code}`)));
    socket.addEventListener('open', () => {
      if (spec.body !== undefined) socket.send(spec.body);
      if (spec.responseContent === undefined && spec.body === undefined) resolve('');
    });
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      resolve(typeof data === 'string' ? data.slice(0, MAX_BYTES) : '');
    });
  });
}

function run(spec: WebsocketSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const service = await servicePlace(spec, context);
    const url = placeUrl(service.address, ['wss', 'ws']);
    const isSecure = url.protocol === 'wss:';
    const port = Number(url.port || (isSecure ? 443 : 80));
    const target = await at.guard.check(url.hostname, port, at.trust);
    at.watch.restart();
    const signIn = signInAt(url, service);
    url.username = '';
    url.password = '';
    const place = { host: target.host, port, address: target.addresses[0].address };
    agreeOnTls(service.wantsTls, isSecure);
    const timeout = isSecure ? connectLimitMs(at, service.tls) : at.limitMs;
    const dispatcher = new Agent({
      connect: { ...pinnedLookup(target), ...tlsOptions(place, service.tls), timeout },
    });
    const headers = { 'user-agent': USER_AGENT, ...authorization({ ...signIn, bearer: service.bearer }) };
    const socket = new WebSocket(url, { dispatcher, headers, protocols: spec.protocols ?? [] });
    try {
      const content = await talk(socket, spec, at);
      const wanted = spec.responseContent ?? '';
      const error = content.includes(wanted) ? null : `the first message does not contain "${wanted}"`;
      return { data: { results: { content, protocol: socket.protocol } }, error };
    } finally {
      socket.close();
      await dispatcher.destroy();
    }
  });
}

/** A connection that stays open. */
export const websocketKind = registeredKind({
  key: 'websocket',
  title: 'WebSocket',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: {
    name: 'live prices',
    url: 'wss://prices.example.com/feed',
    body: '{"ping": 1}',
    responseContent: 'pong',
  },
  schema: websocketSchema,
  run,
});
