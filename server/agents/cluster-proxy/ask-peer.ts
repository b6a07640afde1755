/**
 * A call to the cluster of an agent whose line leads to another server of this database: passed on to that one, and cut
 * once it is known that it does not live, or has the line no longer.
 */
import type { Readable } from 'node:stream';
import { AppError } from '../../../src/contract/errors.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import type { Platform } from '../../platform/platform.ts';
import { hasLine } from '../channel/channel-query.ts';
import { MESSAGES } from '../messages.ts';
import { clusterAddress } from './cluster-path.ts';
import { PEER_CALL, sealPeerCall } from './peer-call.ts';
import { sendToCluster } from './send-to-cluster.ts';
import type { ClusterAnswer, ClusterCall } from './send-to-cluster.ts';

/** The server that has the line of an agent. */
export interface LinePeer {
  agent: { id: string; name: string };
  server: string;
  /** As that server said it. */
  address: string;
}

export interface PeerParts {
  db: Database;
  outside: { guard: EgressGuard; sealer: Pick<Sealer, 'seal'> };
  platform: Pick<Platform, 'now' | 'sleep' | 'secret'>;
}

/** Sooner than a lease ends. */
const LOOK_EVERY_MS = 2000;
const UNAVAILABLE = 503;

const lost = (name: string, cause?: unknown) =>
  new AppError('server', MESSAGES.peerLost(name), { status: UNAVAILABLE, cause });

/** Aborts once that server is gone, or the line from it. */
function watchPeer({ db, platform }: PeerParts, { agent, server }: LinePeer, call: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const look = async () => {
    while (!call.aborted && !gone.signal.aborted) {
      await platform.sleep(LOOK_EVERY_MS, call);
      // A database that is away for a moment ends nothing.
      const isThere = call.aborted || (await hasLine(db, agent.id, server).catch(() => true));
      if (!isThere) gone.abort(lost(agent.name));
    }
  };
  void look();
  return gone.signal;
}

/** Resolves when the answer begins; throws where that server does not answer. */
export async function askPeer(
  parts: PeerParts,
  peer: LinePeer,
  { call, body }: { call: ClusterCall; body: Readable | undefined },
): Promise<ClusterAnswer> {
  const { outside, platform } = parts;
  const { agent, server, address } = peer;
  const mount = clusterAddress({ kind: 'agent', name: agent.name });
  const { method, headers } = call;
  const said = sealPeerCall(
    { sealer: outside.sealer, platform },
    { server, method, url: `${mount}${call.path}`, authorization: headers.authorization ?? '' },
  );
  const gone = watchPeer(parts, peer, call.signal);
  const signal = AbortSignal.any([call.signal, gone]);
  const cluster = { server: `${address}${mount}`, headers: { [PEER_CALL]: said }, tls: {} };
  try {
    const place = { cluster, guard: outside.guard, trust: 'operator' } as const;
    const answer = await sendToCluster(place, { ...call, signal }, body);
    // Its request is over, so that ending that ends nothing.
    if (answer.kind === 'upgrade') gone.addEventListener('abort', () => answer.socket.destroy());
    return answer;
  } catch (error) {
    if (gone.aborted || !(call.signal.aborted || error instanceof AppError)) throw lost(agent.name, error);
    throw error;
  }
}
