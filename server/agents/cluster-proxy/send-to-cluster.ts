/**
 * A call to a cluster, as a stream in both directions, to an address that the guard has judged; redirects are not
 * followed. Knows neither where the cluster's credentials are from nor who passes the answer on.
 */
import { request as requestPlain } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../src/contract/errors.ts';
import type { Cluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { EgressGuard, EgressTrust } from '../../platform/egress/egress-guard.ts';
import { pinnedTo } from '../../platform/egress/pinned-to.ts';
import { MESSAGES } from '../messages.ts';
import { headersToCluster } from './proxied-headers.ts';
import type { ProxiedPerson } from './proxied-headers.ts';

/** What is passed on. */
export interface ClusterCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  person: ProxiedPerson;
  isUpgrade: boolean;
  signal: AbortSignal;
}

/** A cluster that says nothing for so long, before it has begun to answer, does not. */
const ANSWER_MS = 60_000;

/** Whose place it is: the guard asks. */
interface ClusterPlace {
  cluster: Pick<Cluster, 'server' | 'headers' | 'tls'>;
  guard: EgressGuard;
  trust: EgressTrust;
}

async function opened({ cluster, guard, trust }: ClusterPlace, call: ClusterCall): Promise<ClientRequest> {
  const { server, headers, tls } = cluster;
  const base = new URL(server);
  const isTls = base.protocol === 'https:';
  const port = base.port === '' ? (isTls ? 443 : 80) : Number(base.port);
  const target = await guard.check(base.hostname, port, trust);
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

/** As it comes from the cluster. */
export type ClusterAnswer =
  | { kind: 'answer'; statusCode: number; headers: IncomingHttpHeaders; body: Readable }
  /** The connection changed its protocol. */
  | { kind: 'upgrade'; statusCode: number; headers: IncomingHttpHeaders; socket: Duplex; head: Buffer };

/** Resolves when the answer begins. `body` is left alone where the protocol is to change. */
export async function sendToCluster(
  place: ClusterPlace,
  call: ClusterCall,
  body: Readable | undefined,
): Promise<ClusterAnswer> {
  const sent = await opened(place, call);
  const answered = new Promise<ClusterAnswer>((resolve, reject) => {
    sent.once('response', (answer) =>
      resolve({
        kind: 'answer',
        statusCode: answer.statusCode ?? 0,
        headers: answer.headers,
        body: answer,
      }),
    );
    sent.once('error', reject);
    if (call.isUpgrade)
      sent.once('upgrade', ({ statusCode = 101, headers }, socket, head) =>
        resolve({ kind: 'upgrade', statusCode, headers, socket, head }),
      );
  });
  // Its failure is that of the request.
  if (body === undefined || call.isUpgrade) sent.end();
  else pipeline(body, sent).catch(() => undefined);
  return answered;
}
