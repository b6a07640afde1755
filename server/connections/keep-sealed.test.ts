/** Kept literals are sealed at rest, work as before, and say what to do where they can't be opened. On both databases. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLeases } from '../platform/jobs/leases.ts';
import { createChangeNotifier } from '../platform/jobs/change-notifier.ts';
import { createCheckService } from '../health/create-check-service.ts';
import { databaseCanaries } from '../health/canaries/canary-query.ts';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { exportData } from '../app/transfer/export-data.ts';
import { importData } from '../app/transfer/import-data.ts';
import { createSealer } from '../platform/crypto/sealing.ts';
import { nodePlatform } from '../platform/platform.ts';
import { teamSecrets } from '../incidents/responders/adapters/call-query.ts';
import { databaseScrapers } from '../catalog/scrapers/specs/scraper-query.ts';
import { parseSettings } from '../platform/settings/settings.ts';
import { findConnectionByReference } from './connection-query.ts';
import { holding } from './testing/holding-query.ts';
import { keepSealed, sealStored } from './keep-sealed.ts';
import { tryOpenContent } from '../platform/crypto/sealed-values.ts';

const MARK = 'b4dger-mark';
const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);
const otherKey = createSealer(Buffer.alloc(32, 2), nodePlatform);
const logger = pino({ level: 'silent' });
const CANARY = {
  schedule: '@never',
  http: [{ name: 'shop', url: `https://me:${MARK}@shop.example/x`, password: { value: MARK } }],
};
const SCRAPER = { schedule: '@never', http: [{ url: `https://me:${MARK}@cmdb.example/`, token: MARK }] };
const TEAM = {
  responder_clients: { webhook: { url: `https://u:${MARK}@hook.example/in`, password: MARK } },
  notifications: [
    {
      name: 'desk',
      url: `slack://xoxb:${MARK}@channel`,
      properties: { password: MARK, room: '7' },
    },
  ],
};
const CONNECTION = {
  type: 'http',
  url: `https://me:${MARK}@db.example/x`,
  password: MARK,
  properties: { bearer: MARK, region: 'r' },
};

async function fill(db: Database): Promise<void> {
  await db.run(`insert into canaries (name, namespace, spec) values ('c', 'default', $1::jsonb)`, [
    JSON.stringify(CANARY),
  ]);
  await db.run(`insert into config_scrapers (name, source, spec) values ('default/s', 'UI', $1::jsonb)`, [
    JSON.stringify(SCRAPER),
  ]);
  await db.run(
    `insert into teams (name, spec, created_by) select 'ops', $1::jsonb, id from people where name = 'System'`,
    [JSON.stringify(TEAM)],
  );
  await db.run(
    `insert into notifications (name, events, custom_services) values ('n', '{check.failed}', $1::jsonb)`,
    [JSON.stringify([{ name: 'x', url: `slack://xoxb:${MARK}@chan` }])],
  );
  await db.run(
    `insert into connections (name, type, url, username, password, certificate, properties)
     values ('prod', 'http', $1, 'me', $2, $2, $3::jsonb)`,
    [CONNECTION.url, MARK, JSON.stringify(CONNECTION.properties)],
  );
}

const clear = async (db: Database) => {
  for (const table of ['checks', 'canaries', 'config_scrapers', 'notifications', 'connections', 'teams'])
    await db.run(`delete from ${table}`);
};
const teamId = async (db: Database) => (await db.text('select id::text from teams')) ?? '';
const teamValues = async (db: Database, client: string) =>
  [...(await teamSecrets(db, sealer, { teamId: await teamId(db), client }))].map(
    ([path, { value }]) => [path, value] as const,
  );

async function expectToWork(db: Database): Promise<void> {
  expect(await findConnectionByReference(db, sealer, 'prod')).toMatchObject(CONNECTION);
  const [canary] = await databaseCanaries(db);
  const [scraper] = await databaseScrapers(db);
  for (const [row, spec] of [
    [canary, CANARY],
    [scraper, SCRAPER],
  ] as const) {
    if (row === undefined) throw new Error('no row');
    expect(
      tryOpenContent(sealer, { id: row.id, owner: row.name, content: row.spec, sealed: row.sealed }),
    ).toEqual({ content: spec, problem: null });
  }
  expect(Object.fromEntries(await teamValues(db, 'webhook'))).toEqual({
    'webhook/url': TEAM.responder_clients.webhook.url,
    'webhook/password': MARK,
  });
}

forEachDatabase((_name, openDatabase) => {
  describe('kept literals', () => {
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      await clear(db);
      await fill(db);
    });

    it('are in no table once they are sealed, and work before and after', async () => {
      expect(await holding(db, MARK)).toEqual(['spec_secrets', 'team_secrets']);
      await expectToWork(db);
      expect(await sealStored(db, sealer)).toBeGreaterThan(9);
      expect(await holding(db, MARK)).toEqual([]);
      await expectToWork(db);
      expect(await sealStored(db, sealer)).toBe(0);
    });

    it('stay where what is shown is sent back, also of an entry’s address, and only for it', async () => {
      await sealStored(db, sealer);
      const sealed = () =>
        db.rows(
          z.unknown(),
          'select path, value from spec_secrets union all select path, value from team_secrets order by 1, 2',
        );
      const before = await sealed();
      await db.run('update canaries set spec = spec');
      await db.run('update config_scrapers set spec = spec');
      await db.run('update teams set spec = spec');
      await db.run(
        `update connections set url = url, password = '***', certificate = '***', properties = properties, username = '***'`,
      );
      expect(await sealed()).toEqual(before);
      await expectToWork(db);
      await db.run(
        `update teams set spec = jsonb_set(spec, '{notifications,0,url}', '"slack://xoxb:other@evil"')`,
      );
      expect((await teamValues(db, '~notifications:desk#1')).map(([path]) => path)).toEqual([
        '~notifications:desk#1/secret-url',
      ]);
    });

    it('are sealed as soon as the server is told of a write', async () => {
      const notifier = createChangeNotifier(nodePlatform);
      const stopping = new AbortController();
      const running = keepSealed({ db, sealer, notifier, platform: nodePlatform, logger }, stopping.signal);
      const isSealed = () =>
        expect.poll(() => holding(db, MARK), { timeout: 60_000, interval: 200 }).toEqual([]);
      await isSealed();
      await db.run(`update connections set password = $1`, [`new-${MARK}`]);
      notifier.notify('connections');
      await isSealed();
      stopping.abort();
      await running;
      expect(await findConnectionByReference(db, sealer, 'prod')).toMatchObject({ password: `new-${MARK}` });
    });

    it('that were sealed with another key say whose they are and what to do, and nothing else stops', async () => {
      await sealStored(db, otherKey);
      const what = /can't be opened.*identity\.key.*restore.*or enter the secret again/;
      const failure = findConnectionByReference(db, sealer, 'prod');
      await expect(failure).rejects.toThrow(/^connection "prod": the secret at \w+ can't/);
      await expect(failure).rejects.toThrow(what);
      await expect(teamValues(db, 'webhook')).rejects.toThrow(
        /^team "ops": the secret at webhook\/\w+ can't/,
      );
      await db.run(`insert into canaries (name, namespace, spec) values ('plain', 'default', $1::jsonb)`, [
        JSON.stringify({ schedule: '@never', http: [{ name: 'plain', url: 'https://shop.example/' }] }),
      ]);
      const checks = createCheckService({
        db,
        notifier: createChangeNotifier(nodePlatform),
        leases: createLeases({ db, platform: nodePlatform, logger, isAlone: true }),
        settings: parseSettings({ DATA_DIR: tmpdir() }, []),
        logger,
        platform: nodePlatform,
        sealer,
        url: 'http://127.0.0.1:1',
      });
      await checks.start();
      const errors = () =>
        db.text(
          `select details::text from job_history join canaries on canaries.id::text = resource_id::text
            where canaries.name = 'c' and status = 'FAILED' limit 1`,
        );
      await expect.poll(errors, { timeout: 60_000 }).toMatch(what);
      await expect
        .poll(() => db.text(`select name from checks where name in ('plain', 'shop')`), { timeout: 60_000 })
        .toBe('plain');
      await checks.stop(1000);
      await db.run(
        `update connections set url = $1, username = 'me', password = $2, certificate = $2, properties = $3::jsonb`,
        [CONNECTION.url, MARK, JSON.stringify(CONNECTION.properties)],
      );
      await sealStored(db, sealer);
      expect(await findConnectionByReference(db, sealer, 'prod')).toMatchObject(CONNECTION);
    });

    it('go out opened with secrets, come in, and are sealed with the key that is there', async () => {
      await sealStored(db, sealer);
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-sealed-'));
      const other = await openDatabase();
      try {
        const set = join(folder, 'set');
        await exportData(db, { folder: set, withSecrets: true, sealer });
        expect(await readFile(join(set, 'spec_secrets.json'), 'utf8')).toContain(MARK);
        await importData(other, { folder: set, skipUnknown: false });
        await sealStored(other, otherKey);
        expect(await holding(other, MARK)).toEqual([]);
        expect(await findConnectionByReference(other, otherKey, 'prod')).toMatchObject(CONNECTION);
        const another = { folder: join(folder, 'not'), withSecrets: true, sealer: otherKey };
        await expect(exportData(db, another)).rejects.toThrow(/can't be opened/);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});
