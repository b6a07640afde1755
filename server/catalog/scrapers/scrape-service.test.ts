/** The scrape service on real folders and real databases: files and rows become items, edits become changes. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createSecretReader } from '../../health/kind/secret-values.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { createSealer } from '../../platform/crypto/sealing.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createScrapeService } from './scrape-service.ts';
import type { ScrapeService } from './scrape-service.ts';

const silent = pino({ level: 'silent' });
const NEVER = '@never';
/** Real work on a shared machine. */
const WITHIN = { timeout: 45_000, interval: 50 };

const spec = (name: string, body: string, schedule = NEVER) =>
  `apiVersion: configs.flanksource.com/v1\nkind: ScrapeConfig\nmetadata:\n  name: ${name}\nspec:\n  schedule: '${schedule}'\n${body}`;
const carSpec = (schedule = NEVER) =>
  spec('cars', '  file:\n    - type: Car\n      id: $.reg_no\n      paths: [data/*.json]\n', schedule);

interface Job {
  status: string;
  details: { errors?: string[]; scrape_summary?: Record<string, unknown> };
}

forEachDatabase((_kind, open) => {
  let db: Database;
  let folder: string;
  let service: ScrapeService;

  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-scrapers-'));
    service = serviceOf();
  });
  afterEach(async () => {
    await service.stop(5000);
    await db.run('delete from config_changes');
    await db.run('update config_items set parent_id = null');
    await db.run('delete from config_items');
    await db.run('delete from config_scrapers');
    await db.run('delete from job_history');
    await db.run('delete from connections');
    await rm(folder, { recursive: true, force: true });
  });

  const serviceOf = (more: { isExecAllowed?: boolean; egressAllow?: string[] } = {}) =>
    createScrapeService({
      db,
      settings: { scrapersDir: folder, isExecAllowed: more.isExecAllowed ?? false },
      platform: nodePlatform,
      leases: createLeases({ db, platform: nodePlatform, logger: silent, isAlone: true }),
      logger: silent,
      guard: createServerGuard({ egressAllow: more.egressAllow ?? [], egressDeny: [], databaseUrl: null }),
      secret: createSecretReader(folder),
      sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
      notify: () => undefined,
    });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const items = () =>
    db.rows(
      z.custom<{ name: string; type: string; config: unknown; deleted: boolean }>(),
      'select name, type, config, deleted_at is not null as deleted from config_items order by name',
    );
  const scraperId = async (name: string) =>
    (await db.text(`select id::text from config_scrapers where name = $1 and deleted_at is null`, [name])) ??
    '';
  const jobs = (id: string) =>
    db.rows(
      z.custom<Job>(),
      `select status, details from job_history where resource_id = $1 and name = 'Scrape' and status <> 'RUNNING' order by time_start desc`,
      [id],
    );
  const userScraper = async (name: string, body: object) => {
    await db.run(`insert into config_scrapers (name, source, spec) values ($1, 'UI', $2::jsonb)`, [
      name,
      JSON.stringify({ schedule: NEVER, ...body }),
    ]);
    return scraperId(name);
  };
  const run = async (id: string) => {
    const result = await service.runNow(id);
    if (typeof result === 'string') throw new Error(result);
    return result;
  };

  describe('files', () => {
    test('a scraper of a file runs, and an edit of what it reads is a change with its diff', async () => {
      await write('cars.yaml', carSpec());
      await write('data/car.json', JSON.stringify({ reg_no: 'A123', color: 'red' }));
      await service.start();
      const id = await scraperId('default/cars');
      expect(await run(id)).toEqual({ scrape_summary: { Car: { added: 1, updated: 0, unchanged: 0 } } });
      await write('data/car.json', JSON.stringify({ reg_no: 'A123', color: 'blue' }));
      expect(await run(id)).toMatchObject({ scrape_summary: { Car: { added: 0, updated: 1 } } });
      expect(await items()).toEqual([
        { name: 'A123', type: 'Car', config: { reg_no: 'A123', color: 'blue' }, deleted: false },
      ]);
      const changes = await db.rows(
        z.custom<{ change_type: string; diff: string; patches: unknown; source: string }>(),
        `select change_type, diff, patches, source from config_changes where change_type = 'diff'`,
      );
      expect(changes).toMatchObject([{ patches: { color: 'blue' }, source: 'file' }]);
      expect(changes[0]?.diff).toMatch(/-\s+"color": "red".*\+\s+"color": "blue"/s);
      expect(await jobs(id)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]);
    });

    test('a specification that is added, changed and removed while the server runs is followed', async () => {
      await service.start();
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      await write('cars.yaml', carSpec('@every 1h'));
      await vi.waitFor(async () => expect(await items()).toMatchObject([{ type: 'Car' }]), WITHIN);
      await write('cars.yaml', carSpec('@every 1h').replace('type: Car', 'type: Auto'));
      await vi.waitFor(async () => expect(await items()).toMatchObject([{}, { type: 'Auto' }]), WITHIN);
      await rm(join(folder, 'cars.yaml'));
      await vi.waitFor(
        async () => expect(await items()).toMatchObject([{ deleted: true }, { deleted: true }]),
        WITHIN,
      );
    }, 60_000);

    test('a file that vanished fails no run, and its item is deleted once it counts as stale', async () => {
      await write('cars.yaml', carSpec());
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      await service.start();
      const id = await scraperId('default/cars');
      await run(id);
      await rm(join(folder, 'data/car.json'));
      const seenAgo = (hours: number) =>
        db.run(`update config_items set last_scraped_time = now() - make_interval(hours => $1)`, [hours]);
      await seenAgo(23);
      const warnings = [expect.stringMatching(/^file\[0\]\.paths: no file matches data\/\*\.json any more$/)];
      expect(await run(id)).toEqual({ scrape_summary: {}, warnings });
      expect(await items()).toMatchObject([{ deleted: false }]);
      await seenAgo(25);
      expect(await run(id)).toMatchObject({ scrape_summary: { Car: { deleted: 1 } } });
      expect(await items()).toMatchObject([{ deleted: true }]);
      expect(await jobs(id)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }, {}]);
    });

    test('a folder that is gone fails the run and empties nothing', async () => {
      await write('cars.yaml', carSpec());
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      await service.start();
      const id = await scraperId('default/cars');
      await run(id);
      await rm(join(folder, 'data'), { recursive: true });
      await db.run(`update config_items set last_scraped_time = now() - interval '2 days'`);
      expect(await run(id)).toMatchObject({ errors: [expect.stringMatching(/there is no folder data$/)] });
      expect(await items()).toMatchObject([{ deleted: false }]);
    });

    test('a document that is refused keeps its row and says why, by file, line and field', async () => {
      await write('bad.yaml', spec('bad', '  file: []\n', 'sometimes'));
      await service.start();
      const id = await scraperId('default/bad');
      const [row] = await db.rows(
        z.custom<Job>(),
        `select status, details from job_history where resource_id = $1 and name = 'SyncScraper'`,
        [id],
      );
      expect(row?.status).toBe('FAILED');
      expect(row?.details.errors?.[0]).toMatch(/^bad\.yaml:6: spec\.schedule: "sometimes" is not a schedule/);
      expect(await service.runNow(id)).toBe('refused');
    });

    test('YAML below a folder named data is data, even where it looks like a specification', async () => {
      await write('data/aws.yaml', 'aws:\n  - region: eu-west-1\n');
      await service.start();
      expect(await db.rows(z.unknown(), 'select id from config_scrapers')).toEqual([]);
    });

    test('entries that are refused or unknown are told, and the others run', async () => {
      await write(
        'mixed.yaml',
        spec(
          'mixed',
          '  file:\n    - type: Car\n      id: $.reg_no\n      paths: [data/*.json]\n    - type: Car\n      paths: 3\n  pubsub:\n    - type: X\n',
        ),
      );
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      await service.start();
      const id = await scraperId('default/mixed');
      const { errors } = await run(id);
      expect(errors).toEqual([
        'file[1].paths: must be a list',
        expect.stringMatching(/^pubsub\[0\].*messages of a queue are gone/),
      ]);
      expect(await items()).toHaveLength(1);
      expect(await jobs(id)).toMatchObject([{ status: 'WARNING' }]);
    });
  });

  describe('users', () => {
    test('read files below SCRAPERS_DIR/data and nothing else', async () => {
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      await write('secret.json', JSON.stringify({ reg_no: 'stolen' }));
      await symlink(join(folder, 'secret.json'), join(folder, 'data/link.json'));
      await symlink(folder, join(folder, 'data/up'));
      const from = (...paths: string[]) => ({ file: [{ type: 'Car', id: '$.reg_no', paths }] });
      const good = await run(await userScraper('good', from('car.json')));
      expect(good).toEqual({ scrape_summary: { Car: { added: 1, updated: 0, unchanged: 0 } } });
      for (const path of [
        '/etc/passwd',
        '../secret.json',
        'x/../../secret.json',
        '{..,.}/secret.json',
        'link.json',
        'up/secret.json',
      ]) {
        const { errors = [], scrape_summary: summary } = await run(
          await userScraper(`bad ${path}`, from(path)),
        );
        expect([path, summary]).toEqual([path, {}]);
        expect(errors[0]).toMatch(/leads out of SCRAPERS_DIR\/data|no file matches (?:link|up)/);
      }
      expect(await items()).toHaveLength(1);
    });

    test('run no commands unless the server allows it, and then in a clean environment', async () => {
      const exec = {
        exec: [
          {
            type: 'T',
            id: '$.id',
            script: `echo "{\\"id\\": \\"$HOME$ADMIN_PASSWORD$GREETING\\"}"`,
            env: [{ name: 'GREETING', value: 'hello' }],
          },
        ],
      };
      const id = await userScraper('exec', exec);
      expect((await run(id)).errors).toEqual([
        'exec[0].script: commands are switched off; start the server with ALLOW_EXEC=true',
      ]);
      await service.stop(5000);
      service = serviceOf({ isExecAllowed: true });
      await run(id);
      expect(await items()).toMatchObject([{ name: expect.stringMatching(/holdfast-exec-\w+hello$/) }]);
    });

    test('a scraper that is deleted takes its items along', async () => {
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      const id = await userScraper('gone', { file: [{ type: 'Car', id: '$.reg_no', paths: ['car.json'] }] });
      await run(id);
      await db.run('update config_scrapers set deleted_at = now() where id = $1', [id]);
      expect(await items()).toMatchObject([{ deleted: true }]);
      expect(await service.runNow(id)).toBe('unknown');
    });
  });

  describe('runs', () => {
    test('rules for changes also name and leave out what storing finds', async () => {
      const id = await userScraper('mapped', {
        file: [
          {
            type: 'Car',
            id: '$.reg_no',
            paths: ['car.json'],
            transform: {
              changes: {
                mapping: [
                  {
                    filter: 'change_type == "diff" && patch.color == "blue"',
                    type: 'Painted',
                    severity: 'low',
                  },
                ],
                exclude: ['change_type == "diff" && summary == "miles"'],
              },
            },
          },
        ],
      });
      for (const car of [{ color: 'red' }, { color: 'blue' }, { color: 'blue', miles: 1 }]) {
        await write('data/car.json', JSON.stringify({ reg_no: 'A123', ...car }));
        await run(id);
      }
      const changes = await db.rows(z.unknown(), 'select change_type, severity, source from config_changes');
      expect(changes).toEqual([{ change_type: 'Painted', severity: 'low', source: 'file' }]);
      expect((await jobs(id))[0]?.details.scrape_summary).toMatchObject({ Car: { change: { ignored: 1 } } });
    });

    test('two of one scraper never go on together, whichever server is asked', async () => {
      await service.stop(5000);
      service = serviceOf({ isExecAllowed: true });
      const other = serviceOf({ isExecAllowed: true });
      const id = await userScraper('slow', { exec: [{ type: 'T', id: 'x', script: 'sleep 1; echo "{}"' }] });
      const first = run(id);
      await vi.waitFor(async () => {
        const running = await db.rows(z.unknown(), `select id from job_history where status = 'RUNNING'`);
        expect(running).toHaveLength(1);
      }, WITHIN);
      expect(await other.runNow(id)).toBe('busy');
      await first;
      expect(await other.runNow(id)).toMatchObject({ scrape_summary: { T: { unchanged: 1 } } });
      await other.stop(1000);
    });

    test('the stop of the server ends a run within its grace and says so', async () => {
      await service.stop(5000);
      service = serviceOf({ isExecAllowed: true });
      const id = await userScraper('long', { exec: [{ type: 'T', id: 'x', script: 'sleep 60' }] });
      const asked = service.runNow(id);
      await vi.waitFor(async () => {
        expect(
          await db.rows(z.unknown(), `select id from job_history where status = 'RUNNING'`),
        ).toHaveLength(1);
      }, WITHIN);
      const from = performance.now();
      await service.stop(30_000);
      expect(performance.now() - from).toBeLessThan(25_000);
      await asked;
      expect(await jobs(id)).toMatchObject([
        { status: 'FAILED', details: { errors: ['the run was stopped before it was done'] } },
      ]);
    });

    test('three runs of each outcome are kept', async () => {
      const id = await userScraper('kept', { file: [{ type: 'Car', id: '$.reg_no', paths: ['car.json'] }] });
      await write('data/car.json', 'no json');
      for (let round = 0; round < 4; round += 1) await run(id);
      await write('data/car.json', JSON.stringify({ reg_no: 'A123' }));
      for (let round = 0; round < 5; round += 1) await run(id);
      expect((await jobs(id)).map(({ status }) => status)).toEqual([
        ...Array.from({ length: 3 }, () => 'SUCCESS'),
        ...Array.from({ length: 3 }, () => 'FAILED'),
      ]);
    });

    test('a run that a dead server left is ended in the history', async () => {
      const id = await userScraper('left', {});
      await db.run(
        `insert into job_history (name, resource_type, resource_id, status, time_start) values ('Scrape', 'config_scraper', $1, 'RUNNING', now())`,
        [id],
      );
      await service.start();
      expect(await jobs(id)).toMatchObject([{ status: 'FAILED', details: { errors: [expect.any(String)] } }]);
    });

    test('secrets appear neither in errors nor in the history', async () => {
      await write('secrets/db/password', 'mounted-hush');
      await write('secrets/db/allowed-hosts', 'x:27017');
      const id = await userScraper('secrets', {
        sql: [
          { type: 'T', id: 'x', query: 'select 1', connection: 'postgres://me:literal-hush@127.0.0.1:1/x' },
          {
            type: 'T',
            id: 'x',
            query: 'select 1',
            connection: 'mongo://$(password)@x',
            auth: { password: { valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } } },
          },
        ],
        http: [
          { type: 'T', id: 'x', url: 'https://mounted-hush.invalid/', bearer: { value: 'bearer-hush' } },
        ],
      });
      const result = await run(id);
      expect(result.errors?.length).toBe(3);
      expect(JSON.stringify([result, await jobs(id)])).not.toContain('hush');
    });

    test('a password that is an everyday word is hidden where it stands, and no sentence loses the word', async () => {
      const connection = 'postgres://postgres:postgres@127.0.0.1:1/postgres';
      const id = await userScraper('everyday', {
        nothing: [{}],
        sql: [
          { type: 'T', id: 'x', query: 'select 1', connection },
          { type: 'T', id: 'x', query: 'select 1', connection: `mongodb${connection.slice(8)}` },
        ],
      });
      const { errors = [] } = await run(id);
      const told = errors.join('\n');
      expect(told).toMatch(/postgres/);
      expect(told).not.toMatch(/\*\*\*:\/\/|:postgres@/);
      const kinds =
        'aws, azure, azureDevops, clickhouse, exec, file, gcp, github, githubActions, http, kubernetes, ' +
        'kubernetesFile, logs, postgres, slack, sql, terraform, trivy';
      expect(errors).toContain(
        `nothing[0]: this server has no scrapers of the kind nothing; it has ${kinds}`,
      );
    });
  });
});
