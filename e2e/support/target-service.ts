/** A small real HTTP service that a check watches; it can stop and come back on the same port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { freePort } from '../../tests/security/support/free-port.ts';

export interface TargetService {
  url: string;
  port: number;
  up(): Promise<void>;
  down(): Promise<void>;
  /** Answers every request with this status from now on. */
  answer(status: number): void;
}

export async function prepareTarget(): Promise<TargetService> {
  const port = await freePort();
  let server: Server | null = null;
  let status = 200;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    async up() {
      server = createServer((_request, response) => response.writeHead(status).end('hello')).listen(
        port,
        '127.0.0.1',
      );
      await once(server, 'listening');
    },
    async down() {
      const running = server;
      server = null;
      if (running === null) return;
      running.closeAllConnections();
      running.close();
      await once(running, 'close');
    },
    answer(next) {
      status = next;
    },
  };
}
