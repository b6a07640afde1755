/**
 * No caller holds up the server: while the worst that can be asked for is under way, readyz answers, others read
 * and write, and what nobody waits for any more is ended.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seedDatabase } from '../../../server/app/seed/seed-query.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { openPgliteDatabase } from '../../../server/platform/db/pglite-database.ts';
import { openMigratedDatabase, type DatabaseKind } from '../../../server/platform/db/test-databases.ts';
import { preparedDatabases } from '../../prepared-databases.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const HUB = '20000000-0000-4000-8000-00000000beef';
const NESTED = 'config_changes(config_items(config_changes(config_items(config_changes(config_items(id))))))';
const encoded = encodeURIComponent;
/** Each takes minutes where nothing ends it. */
const ENDLESS = {
  'deep embeds': `/api/db/config_items?id=eq.${HUB}&select=id,${NESTED}`,
  'deep embeds, counted': `/api/db/config_items?id=eq.${HUB}&select=id,${NESTED}&order=name&offset=0`,
};
const HEAVY = {
  ...ENDLESS,
  'back references': `/api/db/people?name=match.${encoded(`^(a*)(a*)(a*)(a*)(a*)(a*)(a*)\\1\\2\\3\\4\\5\\6\\7 b$`)}`,
  'many patterns': `/api/db/config_items?or=(${Array.from({ length: 200 }, (_, at) => `config->>a.match.(x+)+${at}$`).join(',')})`,
  'the widest view': '/api/db/config_detail?limit=2000',
  relatives: `/api/db/rpc/related_changes_recursive?lookup_id=${HUB}&type_filter=all&max_depth=1000000`,
  'children without end': `/api/db/rpc/lookup_config_children?id=${HUB}&max_depth=1000000`,
  'a wide range': '/api/canary/api/summary?start=2000-01-01',
};
const ANSWERED = [200, 206, 400, 413, 429, 504];

/**
 * PGlite in a folder, as a server has it: a thread that doesn't stop in time is ended here, and one in memory would begin
 * anew with nobody signed in.
 */
async function openFolder(folder: string) {
  cpSync((await preparedDatabases()).pgliteData, folder, { recursive: true });
  return openPgliteDatabase({ folder: join(folder, 'pglite'), logger: pino({ level: 'silent' }) });
}

describe.each<DatabaseKind>(['pglite', 'postgres'])('on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-held-up-'));
  let db: Database;
  let server: TestServer;
  let viewer: SignedIn;
  let other: SignedIn;
  let editor: SignedIn;

  beforeAll(async () => {
    db = kind === 'pglite' ? await openFolder(folder) : await openMigratedDatabase(kind);
    await seedDatabase(db, {
      checks: 100,
      configs: 1000,
      components: 100,
      changes: 3000,
      relationships: 2000,
      seed: 1,
      nowMs: Date.now(),
    });
    await db.run(
      "insert into config_items (id, name, type, config_class, config) values ($1, 'hub', 'Test', 'Test', '{}')",
      [HUB],
    );
    await db.run(
      `insert into config_changes (config_id, change_type, external_change_id, summary)
       select $1::uuid, 'diff', n::text, n::text from generate_series(1, 400) as n`,
      [HUB],
    );
    server = await startTestServer(db);
    [viewer, other, editor] = await Promise.all([
      signInAs(server, 'viewer'),
      signInAs(server, 'viewer'),
      signInAs(server, 'editor'),
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Starts requests; `isOver` tells whether all of them were answered. */
  const start = (paths: readonly string[], by: SignedIn = viewer) => {
    const statuses: number[] = [];
    const all = Promise.all(
      paths.map(async (path) => {
        const answer = await by.browser.get(path);
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }),
    );
    return { all, isOver: () => statuses.length === paths.length, statuses };
  };
  const readyz = async () => (await fetch(`${server.url}/api/readyz`)).status;

  describe('while one caller asks for the worst', () => {
    it.each(Object.entries(HEAVY))('%s: the request is answered or ended', async (_what, path) => {
      const asked = start([path]);
      expect(await readyz()).toBe(200);
      await asked.all;
      expect(ANSWERED).toContain(asked.statuses[0]);
    });

    it('readyz answers many times, others read and write, before it is through', async () => {
      const asked = start(Array.from({ length: 6 }, () => Object.values(ENDLESS)).flat());
      let isSaid = 0;
      for (; isSaid < 5; isSaid += 1) expect(await readyz()).toBe(200);
      expect((await other.browser.get('/api/db/config_items?limit=5&select=id')).status).toBe(200);
      const body = { name: 'written meanwhile', type: 'Test', namespace: 'default' };
      const written = await editor.browser.post('/api/db/saved_query', { query: body.name });
      expect(written.status).toBe(201);
      expect(asked.isOver()).toBe(false);
      await asked.all;
      expect(new Set(asked.statuses)).toEqual(new Set([504]));
    });
  });

  it('what nobody waits for any more is ended and leaves the queue', async () => {
    const gone = new AbortController();
    const cookie = [...viewer.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const abandoned = Promise.allSettled(
      Array.from({ length: 60 }, (_, at) =>
        fetch(`${server.url}${ENDLESS['deep embeds']}&offset=0&limit=${at + 1}`, {
          headers: { cookie, accept: 'application/json' },
          signal: gone.signal,
        }),
      ),
    );
    expect(await readyz()).toBe(200);
    gone.abort();
    await abandoned;
    // Both have their turns: behind the sixty, the one would wait until long after the ten.
    const after = start(
      Array.from({ length: 10 }, () => ENDLESS['deep embeds']),
      other,
    );
    expect((await viewer.browser.get('/api/db/config_items?limit=1&select=id')).status).toBe(200);
    expect(after.isOver()).toBe(false);
    await after.all;
  });
});
