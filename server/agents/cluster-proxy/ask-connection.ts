/**
 * A call to the cluster of a connection. The connection's credentials go to its own servers only (docs/security.md).
 */
import type { Readable } from 'node:stream';
import { AppError } from '../../../src/contract/errors.ts';
import { openCluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { findConnection } from '../../connections/connection-query.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { MESSAGES } from '../messages.ts';
import { sendToCluster } from './send-to-cluster.ts';
import type { ClusterAnswer, ClusterCall } from './send-to-cluster.ts';

export interface ClusterParts {
  db: Database;
  outside: { guard: EgressGuard; secret: SecretReader; sealer: Opener };
}

/** `id` is the connection's. */
export async function askConnection(
  { db, outside }: ClusterParts,
  { id, call, body }: { id: string; call: ClusterCall; body: Readable | undefined },
): Promise<ClusterAnswer> {
  const { guard, secret: mounted, sealer } = outside;
  const trust = 'user';
  const scope = createSecretScope({
    author: trust,
    findConnection: (wanted) => findConnection(db, sealer, wanted),
    mounted,
    guard,
    redactor: createRedactor(),
  });
  const connection = await scope.connection(id);
  if (connection === null) throw new AppError('not_found', MESSAGES.noSuchCluster);
  const cluster = await openCluster(connection.certificate, {
    guard: scope.guard,
    trust,
    signal: call.signal,
    secret: async () => connection.certificate,
  });
  return sendToCluster({ cluster, guard: scope.guard, trust }, call, body);
}
