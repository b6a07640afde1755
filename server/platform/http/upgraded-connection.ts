/** The connection of a request that is to change its protocol (server/http/proxied-upgrade.ts). */
import type { Duplex } from 'node:stream';

/** As the HTTP server hands it over. */
export interface UpgradedConnection {
  socket: Duplex;
  /** What came after the request's head. */
  head: Buffer;
  /** Takes the connection from the answer: from then on it is the caller's. */
  take: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the protocol stays. */
    upgraded: UpgradedConnection | null;
  }
}
