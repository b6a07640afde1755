/**
 * A call to a cluster, as a stream in both directions. The connection's credentials go to its own servers only
 * (docs/security.md), to an address that the guard has judged; redirects are not followed.
 */
import { request as requestPlain } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError } from '../../../src/contract/errors.ts';
import { openCluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { findConnection } from '../../connections/connection-query.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressGuard, EgressTarget } from '../../platform/egress/egress-guard.ts';
import { MESSAGES } from '../messages.ts';
import { headersToCluster } from './proxied-headers.ts';
import type { ProxiedPerson } from './proxied-headers.ts';

export interface ClusterParts {
  db: Database;
  outside: { guard: EgressGuard; secret: SecretReader; sealer: Opener };
}

/** What is passed on. */
export interface ClusterCall {
  /** Of the connection. */
  id: string;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  person: ProxiedPerson;
  isUpgrade: boolean;
  signal: AbortSignal;
}

/** A cluster that says nothing for so long, before it has begun to answer, does not. */
const ANSWER_MS = 60_000;

function pinnedTo({ addresses }: EgressTarget): LookupFunction {
  const [first] = addresses;
  return (_host, options, done) => {
    if (options.all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}

/** The request, whose body is the caller's to write. */
export async function openClusterCall(
  { db, outside }: ClusterParts,
  call: ClusterCall,
): Promise<ClientRequest> {
  const { guard, secret: mounted, sealer } = outside;
  const scope = createSecretScope({
    author: 'user',
    findConnection: (id) => findConnection(db, sealer, id),
    mounted,
    guard,
    redactor: createRedactor(),
  });
  const connection = await scope.connection(call.id);
  if (connection === null) throw new AppError('not_found', MESSAGES.noSuchCluster);
  const { server, headers, tls } = await openCluster(connection.certificate, {
    guard: scope.guard,
    trust: 'user',
    signal: call.signal,
    secret: async () => connection.certificate,
  });
  const base = new URL(server);
  const isTls = base.protocol === 'https:';
  const port = base.port === '' ? (isTls ? 443 : 80) : Number(base.port);
  const target = await scope.guard.check(base.hostname, port, 'user');
  const options = {
    host: base.hostname.replaceAll(/^\[|\]$/g, ''),
    port,
    method: call.method,
    path: `${base.pathname.replace(/\/$/, '')}${call.path}`,
    headers: headersToCluster(call.headers, { own: headers, ...call }),
    lookup: pinnedTo(target),
    agent: false,
    signal: call.signal,
  } as const;
  const { ca, cert, key, isInsecure } = tls;
  const sent = isTls
    ? requestTls({ ...options, ca, cert, key, rejectUnauthorized: isInsecure !== true })
    : requestPlain(options);
  sent.setTimeout(ANSWER_MS, () => sent.destroy(new AppError('timeout', MESSAGES.clusterSilent)));
  const heard = () => sent.setTimeout(0);
  sent.once('response', heard);
  sent.once('upgrade', heard);
  return sent;
}
