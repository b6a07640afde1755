/** Joins a person's connection with that of a cluster which changed its protocol, byte for byte. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { joinConnections } from '../../platform/http/join-connections.ts';
import type { UpgradedConnection } from '../../platform/http/upgraded-connection.ts';
import { headersFromCluster } from './proxied-headers.ts';
import type { ClusterAnswer } from './send-to-cluster.ts';

type ClusterSide = Extract<ClusterAnswer, { kind: 'upgrade' }>;

function headText({ statusCode, headers }: ClusterSide): string {
  const lines = Object.entries(headersFromCluster(headers, { mount: '', isUpgrade: true })).map(
    ([name, value]) => `${name}: ${String(value)}`,
  );
  return [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`, ...lines, '', ''].join('\r\n');
}

interface PersonSide {
  upgraded: UpgradedConnection;
  reply: FastifyReply;
  /** Cuts both: the request to the cluster is over for Node once its protocol changed, so ending that ends nothing. */
  signal: AbortSignal;
}

/** Until both have ended. */
export async function passUpgrade(
  cluster: ClusterSide,
  { upgraded, reply, signal }: PersonSide,
): Promise<void> {
  reply.hijack();
  upgraded.take();
  const person = upgraded.socket;
  person.write(headText(cluster));
  if (cluster.head.length > 0) person.write(cluster.head);
  if (upgraded.head.length > 0) cluster.socket.write(upgraded.head);
  await joinConnections({ one: cluster.socket, other: person, signal });
}
