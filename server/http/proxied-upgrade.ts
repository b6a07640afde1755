/**
 * Requests that change the protocol of their connection (WebSockets, SPDY), where a route passes them on or keeps them.
 * Node hands such a request to whoever listens for any upgrade, or to nobody: here only the paths of such routes are
 * upgrades; elsewhere the wish is ignored, as ever, and the body can be read. They go through the routes, so that all
 * that holds for requests holds for them.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UpgradedConnection } from '../platform/http/upgraded-connection.ts';

const UPGRADABLE = /^\/+(?:api\/+)?(?:kubeproxy\/|upstream\/+cluster(?:$|\?))/;

/** Make the server with it. */
export class UpgradableMessage extends IncomingMessage {
  private isWished = false;
  /** Asked by Node once the head was read. */
  get upgrade(): boolean {
    return this.isWished && UPGRADABLE.test(this.url ?? '');
  }
  set upgrade(isWished: boolean | null) {
    this.isWished = isWished === true;
  }
}

/** Gives each request its connection where it is to be upgraded. */
export function addUpgrades(app: FastifyInstance): void {
  const connections = new WeakMap<IncomingMessage, UpgradedConnection>();
  app.decorateRequest('upgraded', null);
  app.addHook('onRequest', async (request: FastifyRequest) => {
    request.upgraded = connections.get(request.raw) ?? null;
  });
  app.server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    const answer = new ServerResponse(raw);
    // The socket of an upgrade is the connection's own.
    const own = raw.socket;
    socket.on('error', () => socket.destroy());
    answer.shouldKeepAlive = false;
    answer.assignSocket(own);
    answer.once('finish', () => socket.end());
    connections.set(raw, {
      socket,
      head,
      take: () => {
        answer.removeAllListeners('finish');
        answer.detachSocket(own);
      },
    });
    app.routing(raw, answer);
  });
}
