/** What a topology that people write in the app may not do on the server, on both databases. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { topologySetting, type TopologySetting } from './testing/topology-setting.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

forEachDatabase((_kind, open) => {
  describe('what people write in the app', () => {
    let db: Database;
    let setting: TopologySetting;
    let inside: Server;
    let asked = 0;

    beforeAll(async () => {
      db = await open();
      setting = await topologySetting(db);
      inside = createServer((_request, response) => {
        asked += 1;
        response.end('[{"name": "stolen"}]');
      });
      await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      await setting.stop();
      await new Promise((resolve) => inside.close(resolve));
    });

    test('runs no commands, reaches nothing on this machine, and reads no secrets that nobody granted', async () => {
      // A server that listens on TCP has an address with a port.
      const { port } = inside.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/`;
      await setting.add('curious', {
        components: [
          { name: 'command', lookup: { exec: [{ name: 'list', script: 'true' }] } },
          { name: 'inside', lookup: { http: [{ name: 'loop', url }] } },
          {
            name: 'secret',
            lookup: {
              http: [
                {
                  name: 'auth',
                  url: 'http://example.com/',
                  username: { value: 'a' },
                  password: { valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
                },
              ],
            },
          },
        ],
      });
      const { status, errors } = await setting.run('curious');
      expect(status).toBe('WARNING');
      expect(errors).toEqual([
        expect.stringContaining('exec checks are switched off'),
        expect.stringContaining('components[1].lookup: http "loop"'),
        expect.stringContaining('secret database is not granted to any host'),
      ]);
      expect(asked).toBe(0);
      expect((await setting.components('curious')).map(({ name }) => name)).toEqual([
        'command',
        'curious',
        'inside',
        'secret',
      ]);
    });
  });
});
