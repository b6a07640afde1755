/** Who sends a body too slowly is cut off when its time is over, not whenever somebody looks. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

let db: Database;
let server: TestServer;
beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  server = await startTestServer(db, { requestTimeoutMs: 500 });
});
afterAll(async () => {
  await server.stop();
  await db.close();
});

it('a body that never ends is refused with 408', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    'POST /api/catalog/changes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{',
  );
  let said = '';
  socket.on('data', (part) => (said += String(part)));
  // Node's own look every 30 s would come after this.
  const ended = await Promise.race([
    once(socket, 'close').then(() => 'cut off'),
    sleep(20_000, 'still open'),
  ]);
  socket.destroy();
  expect(ended).toBe('cut off');
  expect(said).toContain('408');
});
