/** redis: PING has to be answered (schema §4.1), by the client that Redis keeps. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { connectLimitMs, judged, tlsOptions } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import { common, connection, count, limits, namesPlace, tlsSchema } from '../../kind/spec-fields.ts';

const redisSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    /** The old name of url. */
    addr: z.string().optional(),
    db: count.optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'addr', 'connection']), { path: ['url'], message: 'is required' });
type RedisSpec = z.output<typeof redisSchema>;

const DEFAULT_PORT = 6379;
const SIGN_IN_CODES = new Set(['WRONGPASS', 'NOAUTH', 'NOPERM']);

function run(spec: RedisSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { createClient, ErrorReply } = await import('@redis/client');
    const service = await servicePlace({ ...spec, url: spec.url ?? spec.addr }, context);
    const url = placeUrl(service.address, ['redis', 'rediss']);
    const place = await judged(at, url.hostname, Number(url.port || DEFAULT_PORT));
    if (url.protocol === 'rediss:') agreeOnTls(service.wantsTls, true);
    const isSecure =
      url.protocol === 'rediss:' || (spec.tlsConfig !== undefined && spec.tlsConfig.enable !== false);
    const { username, password } = signInAt(url, service);
    const where = {
      host: place.address,
      port: place.port,
      connectTimeout: isSecure ? connectLimitMs(at, service.tls) : at.limitMs,
      reconnectStrategy: false as const,
    };
    const client = createClient({
      socket: isSecure ? { ...where, tls: true, ...tlsOptions(place, service.tls) } : where,
      // Servers of all ages speak it.
      RESP: 2,
      database: spec.db ?? Number(url.pathname.slice(1) || service.properties['db'] || 0),
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
    });
    // One that breaks later is no news; without a listener it would end the process.
    client.on('error', () => undefined);
    const stop = () => client.destroy();
    at.signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
      const answer = await client.ping();
      return {
        data: { results: { answer } },
        error: answer === 'PONG' ? null : `PING was answered with ${answer}`,
      };
    } catch (error) {
      // The first word of a refusal is its code.
      const [code = ''] = error instanceof ErrorReply ? error.message.split(' ') : [];
      if (!SIGN_IN_CODES.has(code)) throw error;
      throw new AppError('unauthorized', reasonOf(error), { cause: error });
    } finally {
      at.signal.removeEventListener('abort', stop);
      if (client.isOpen) client.destroy();
    }
  });
}

/** A Redis that answers. */
export const redisKind = registeredKind({
  key: 'redis',
  title: 'Redis',
  needs: 'nothing',
  testedAgainst: 'real client over a local server',
  example: { name: 'session store', url: 'redis://cache.example.com:6379', db: 0 },
  schema: redisSchema,
  run,
});
