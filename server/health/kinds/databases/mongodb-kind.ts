/** mongodb: ping at the primary (schema §4.1), by MongoDB's own client. */
import type { MongoClientOptions } from 'mongodb';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { connectLimitMs, judged, tlsOptions } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, servicePlace } from '../../kind/service-place.ts';
import type { ServicePlace } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, tlsSchema } from '../../kind/spec-fields.ts';

const mongodbSchema = z
  .strictObject({ ...common, ...connection, ...limits, tlsConfig: tlsSchema.optional() })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type MongodbSpec = z.output<typeof mongodbSchema>;

const DEFAULT_PORT = 27_017;
/** ms that the server is waited for (schema §4.1). */
const LIMIT_MS = 5000;
const ADDRESS = /^mongodb:\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

interface MongoAddress {
  hosts: string[];
  username: string;
  password: string;
  authSource: string;
  isSecure: boolean;
}

/** Names of servers that are kept in DNS; a place that is asked about there would be nobody's to judge. */
const SRV_NOT_RUN = 'mongodb+srv:// is not looked up by this server; name the servers in mongodb://';
const isSrv = (address: string): boolean => /^mongodb\+srv:/i.test(address);

function addressOf(place: ServicePlace): MongoAddress {
  const text = place.address.includes('://') ? place.address : `mongodb://${place.address}`;
  const [, user = '', hosts = '', database = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (hosts === '')
    throw new AppError('invalid', 'url: must be an address such as mongodb://db.example.com:27017');
  const options = new URLSearchParams(query);
  const colon = user.indexOf(':');
  const own = colon < 0 ? [user, ''] : [user.slice(0, colon), user.slice(colon + 1)];
  const [username = '', password = ''] = own.map(decodeURIComponent);
  return {
    hosts: hosts.split(','),
    username: username || place.username,
    password: password || place.password,
    authSource: options.get('authSource') ?? (database || 'admin'),
    isSecure: options.get('tls') === 'true' || options.get('ssl') === 'true',
  };
}

/** One server, asked directly: others that it names are not called, as nobody judged them. */
async function ask(
  at: Probe,
  host: string,
  { address, place, spec }: { address: MongoAddress; place: ServicePlace; spec: MongodbSpec },
) {
  const { MongoClient } = await import('mongodb');
  const [, name = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host) ?? [];
  const target = await judged(at, name, Number(port ?? DEFAULT_PORT));
  // Ends before the probe does, so that the client says why.
  const isSecure = address.isSecure || (spec.tlsConfig !== undefined && spec.tlsConfig.enable !== false);
  if (address.isSecure) agreeOnTls(place.wantsTls, true);
  const connectMs = isSecure ? connectLimitMs(at, place.tls) : at.limitMs;
  const limitMs = Math.min(at.limitMs * 0.8, LIMIT_MS, connectMs);
  const options: MongoClientOptions = {
    directConnection: true,
    serverSelectionTimeoutMS: limitMs,
    connectTimeoutMS: limitMs,
    socketTimeoutMS: limitMs,
    appName: 'holdfast',
    ...(isSecure ? { tls: true, ...tlsOptions(target, place.tls) } : {}),
    ...(address.username === ''
      ? {}
      : { auth: { username: address.username, password: address.password }, authSource: address.authSource }),
  };
  const literal = target.address.includes(':') ? `[${target.address}]` : target.address;
  const client = new MongoClient(`mongodb://${literal}:${target.port}/`, options);
  const stop = () => void client.close(true);
  at.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    await admin.command({ ping: 1 });
    return { isPrimary: hello['isWritablePrimary'] !== false, setName: hello['setName'] ?? null };
  } finally {
    at.signal.removeEventListener('abort', stop);
    await client.close(true);
  }
}

function run(spec: MongodbSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const place = await servicePlace(spec, context);
    // A connection's address is known here first.
    if (isSrv(place.address)) throw new AppError('forbidden', SRV_NOT_RUN);
    const address = addressOf(place);
    let reason = 'none of the servers is the primary';
    for (const host of address.hosts) {
      try {
        const answer = await ask(at, host, { address, place, spec });
        if (answer.isPrimary) return { data: { results: { host, ...answer } } };
      } catch (error) {
        if (error instanceof AppError || address.hosts.length === 1) throw error;
        reason = reasonOf(error);
      }
    }
    return { data: { results: {} }, error: reason };
  });
}

/** A MongoDB whose primary answers. */
export const mongodbKind = registeredKind({
  key: 'mongodb',
  aliases: ['mongo'],
  title: 'MongoDB',
  needs: 'mongodb://; names of mongodb+srv:// are not looked up',
  testedAgainst: 'real client over a local server',
  example: {
    name: 'catalogue store',
    url: 'mongodb://$(username):$(password)@db.example.com:27017/?authSource=admin',
    username: { value: 'monitor' },
    password: { valueFrom: { secretKeyRef: { name: 'mongodb', key: 'password' } } },
  },
  schema: mongodbSchema,
  notRun: ({ url = '' }) => (isSrv(url) ? SRV_NOT_RUN : null),
  run,
});
