import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLeases } from '../platform/jobs/leases.ts';
import { createChangeNotifier } from '../platform/jobs/change-notifier.ts';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { createSealer } from '../platform/crypto/sealing.ts';
import { nodePlatform } from '../platform/platform.ts';
import { parseSettings } from '../platform/settings/settings.ts';
import type { CheckService } from './check-service.ts';
import { createCheckService } from './create-check-service.ts';

interface CheckRow {
  id: string;
  name: string;
  canary: string;
  status: string | null;
  is_deleted: boolean;
  runs: number;
}

/** Waits until `look` gives something; fails with what it saw last. */
async function until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await nodePlatform.sleep(50);
  }
  throw new Error(`waited in vain: ${what}`);
}

const canary = (name: string, spec: string) =>
  `kind: Canary\nmetadata:\n  name: ${name}\nspec:\n  schedule: "@every 1s"\n${spec}`;
const exec = (name: string, script = 'true') => `  exec:\n    - name: ${name}\n      script: ${script}\n`;

forEachDatabase((kind, open) => {
  describe(`the running of checks on ${kind}`, () => {
    let db: Database;
    let root: string;
    let port = 0;
    let listener: Server;
    let service: CheckService;

    beforeAll(async () => {
      db = await open();
    });
    beforeEach(async () => {
      await db.run('delete from canaries');
      await db.run('delete from job_history');
      root = await mkdtemp(join(tmpdir(), 'holdfast-checks-'));
      await mkdir(join(root, 'canaries'));
      listener = await listen(0);
      port = (listener.address() as AddressInfo).port;
    });
    afterEach(async () => {
      await service.stop(3000);
      listener.close();
      await rm(root, { recursive: true });
    });

    async function listen(at: number): Promise<Server> {
      const server = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
      return server;
    }
    const write = (file: string, text: string) => writeFile(join(root, 'canaries', file), text);
    async function start(
      env: Record<string, string> = { CANARIES_DIR: join(root, 'canaries') },
    ): Promise<void> {
      service = createCheckService({
        db,
        notifier: createChangeNotifier(nodePlatform),
        leases: createLeases({
          db,
          platform: nodePlatform,
          logger: pino({ level: 'silent' }),
          isAlone: true,
        }),
        settings: parseSettings({ DATA_DIR: root, ALLOW_EXEC: 'true', ...env }, []),
        logger: pino({ level: 'silent' }),
        platform: nodePlatform,
        sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
        url: `http://127.0.0.1:${port}`,
      });
      await service.start();
    }
    const checks = () =>
      db.rows(
        z.custom<CheckRow>(),
        `select checks.id, checks.name, canaries.name as canary, checks.status, checks.deleted_at is not null as is_deleted,
           (select count(*) from check_statuses where check_id = checks.id) as runs
         from checks join canaries on canaries.id = checks.canary_id order by checks.name`,
      );
    const check = async (name: string) =>
      (await checks()).find((row) => row.name === name && !row.is_deleted);
    const hasRun = (name: string) => until(async () => (await check(name))?.status, `${name} has run`);
    const reasonOf = async (name: string) =>
      (
        await db.rows(
          z.custom<{ reason: string | null }>(),
          'select not_run_reason as reason from check_summary where name = $1 and deleted_at is null',
          [name],
        )
      )[0]?.reason ?? null;
    const jobs = () =>
      db.rows(
        z.custom<{ status: string; messages: string[] }>(),
        `select status, array(select jsonb_array_elements(details -> 'errors') ->> 'message') as messages
         from job_history where name = 'SyncCanary' order by created_at`,
      );

    it('a canary of a user is paused and says so, and runs again when that is over', async () => {
      const spec = { schedule: '@every 1s', tcp: [{ name: 'gate', endpoint: `127.0.0.1:${port}` }] };
      await db.run(
        `insert into canaries (name, namespace, source, spec) values ('g', 'default', 'UI', $1::jsonb)`,
        [JSON.stringify(spec)],
      );
      await start({ EGRESS_ALLOW: '127.0.0.1' });
      expect(await hasRun('gate')).toBe('healthy');
      await db.run(`update canaries set annotations = '{"suspend": "true"}' where name = 'g'`);
      await until(async () => (await reasonOf('gate')) === 'paused', 'it says that it is paused');
      expect((await check('gate'))?.status).toBeNull();
      await db.run(`update canaries set annotations = '{}' where name = 'g'`);
      await until(async () => (await reasonOf('gate')) === null, 'it is not paused any more');
      expect(await hasRun('gate')).toBe('healthy');
    });

    it('what fails while no probe answers is unknown since then: no result, nobody is told, and it is what it was', async () => {
      await db.run(
        `insert into notifications (name, events, custom_services, source)
         values (generate_ulid()::text, '{check.failed,check.passed}', '[{"name": "x", "url": "https://x.example"}]', 'UI')`,
      );
      await write('a.yaml', canary('a', `  tcp:\n    - name: door\n      endpoint: 127.0.0.1:${port}\n`));
      await start({ CANARIES_DIR: join(root, 'canaries'), UPLINK_PROBES: `127.0.0.1:${port}` });
      expect(await hasRun('door')).toBe('healthy');
      await db.run('delete from notification_events');
      await new Promise((resolve) => listener.close(resolve));
      expect(await until(() => reasonOf('door'), 'unknown')).toMatch(
        /^unknown since .*: this server reaches none of/,
      );
      expect(await check('door')).toMatchObject({ status: null });
      listener = await listen(port);
      await until(async () => (await check('door'))?.status === 'healthy', 'seen again');
      expect(await db.text('select count(*)::text from check_statuses where not status')).toBe('0');
      expect(await db.text(`select count(*)::text from notification_events where name like 'check.%'`)).toBe(
        '0',
      );
      // An answering probe makes a failure one.
      await write('b.yaml', canary('b', `  tcp:\n    - name: shut\n      endpoint: 127.0.0.1:1\n`));
      expect(await hasRun('shut')).toBe('unhealthy');
    });

    it('a service that stops turns its check red, and green again when it is back', async () => {
      await write('a.yaml', canary('a', `  tcp:\n    - name: door\n      endpoint: 127.0.0.1:${port}\n`));
      await start();
      expect(await hasRun('door')).toBe('healthy');
      await new Promise((resolve) => listener.close(resolve));
      await until(async () => (await check('door'))?.status === 'unhealthy', 'red');
      listener = await listen(port);
      await until(async () => (await check('door'))?.status === 'healthy', 'green');
      const [summary] = await db.rows(
        z.custom<{ uptime: { passed: number; failed: number }; endpoint: string }>(),
        `select uptime, endpoint from check_summary where name = 'door'`,
      );
      expect(summary?.uptime.passed).toBeGreaterThan(0);
      expect(summary?.uptime.failed).toBeGreaterThan(0);
      expect(summary?.endpoint).toBe(`127.0.0.1:${port}`);
    });

    it('files are followed: added, changed and removed', async () => {
      await start();
      await write('b.yaml', canary('b', exec('one') + '    - name: two\n      script: "true"\n'));
      await hasRun('two');
      const before = await check('one');
      await write('b.yaml', canary('b', exec('one', '"exit 1"')));
      await until(async () => (await check('two')) === undefined, 'two is gone');
      await until(async () => (await check('one'))?.status === 'unhealthy', 'one changed');
      expect((await check('one'))?.id).toBe(before?.id);
      await rm(join(root, 'canaries', 'b.yaml'));
      await until(async () => (await checks()).every((row) => row.is_deleted), 'all are gone');
      expect(service.stats().scheduled).toBe(0);
    });

    it.each<[string, string]>([
      ['a field that is missing', canary('c', '  tcp:\n    - name: x\n')],
      ['text that is not YAML', 'kind: [Canary\nmetadata: }'],
    ])('%s is reported with file and line, and keeps the old checks running', async (_what, broken) => {
      await write('c.yaml', canary('c', exec('kept')));
      await write('other.yaml', canary('other', exec('untouched')));
      await start();
      await Promise.all([hasRun('kept'), hasRun('untouched')]);
      await write('c.yaml', broken);
      const [job] = await until(async () => {
        const found = await jobs();
        return found.length > 0 && found;
      }, 'the report');
      expect(job).toMatchObject({ status: 'FAILED', messages: [expect.stringMatching(/^c\.yaml:\d+: /)] });
      const runs = async (name: string) => (await check(name))?.runs ?? 0;
      const [kept, untouched] = [await runs('kept'), await runs('untouched')];
      await until(
        async () => (await runs('kept')) > kept && (await runs('untouched')) > untouched,
        'both go on',
      );
      await write('c.yaml', canary('c', exec('kept')));
      await until(
        async () =>
          (await db.rows(z.unknown(), `select id from canaries_with_status where job_status = 'FAILED'`))
            .length === 0,
        'the report is cleared',
      );
    });

    it('a file that is broken at the first start is shown as a failed canary', async () => {
      await write('new.yaml', 'kind: Canary\nmetadata: {name: shown}\nspec:\n  htpp: []\n');
      await start();
      const rows = await db.rows(
        z.custom<{ name: string; job_status: string }>(),
        'select name, job_status from canaries_with_status',
      );
      expect(rows).toEqual([{ name: 'shown', job_status: 'FAILED' }]);
    });

    it('canaries of the database run as their writers’: without the rights of an operator', async () => {
      await start();
      const spec = { schedule: '@every 1s', tcp: [{ name: 'inside', endpoint: `127.0.0.1:${port}` }] };
      await db.run(
        `insert into canaries (name, namespace, source, spec) values ('ui', 'default', 'UI', $1::jsonb)`,
        [spec],
      );
      expect(await until(() => reasonOf('inside'), 'inside was tried')).toContain('not allowed');
      expect(await check('inside')).toMatchObject({ status: null, runs: 0 });
      await db.run(`update canaries set deleted_at = now() where name = 'ui'`);
      await until(async () => service.stats().scheduled === 0, 'it is no longer scheduled');
    });

    it('a check runs now when it is asked to, and says what came of it', async () => {
      await write(
        'd.yaml',
        canary('d', exec('manual', '"echo done"')).replace('@every 1s', '@never') +
          '  jmeter:\n    - name: later\n',
      );
      await start();
      const idOf = async (name: string) => (await check(name))?.id ?? '';
      expect(await service.runCheckNow(await idOf('manual'))).toMatchObject({
        name: 'manual',
        pass: true,
        message: 'done',
      });
      expect(await check('manual')).toMatchObject({ status: 'healthy', runs: 1 });
      expect(await service.runCheckNow(await idOf('later'))).toMatchObject({
        not_run_reason:
          'checks of kind jmeter are not run by this server: it has no JMeter; an exec check can start one that is installed',
      });
      expect(await check('later')).toMatchObject({ status: null, runs: 0 });
      expect(await service.runCheckNow('0190a000-0000-7000-8000-000000000000')).toBe('unknown');
    });

    it('what this server can’t run is unknown with the reason, whatever it was before, and has no runs', async () => {
      const parts = ['  exec:', '    - name: works', '      script: "true"', '    - name: waits'];
      parts.push('      script: "true"', '      dependsOn: [cache]', '  jmeter:', '    - name: cache');
      const spec = `${parts.join('\n')}\n      description: our cache\n`;
      await write('n.yaml', canary('n', exec('works') + exec('waits').split('\n').slice(1).join('\n')));
      await start();
      expect(await hasRun('waits')).toBe('healthy');
      await write('n.yaml', canary('n', spec));
      const kind =
        'checks of kind jmeter are not run by this server: it has no JMeter; an exec check can start one that is installed';
      await until(async () => (await reasonOf('cache')) === kind, 'the reason of the cache');
      const chain = 'depends on "cache", which is not run by this server';
      await until(async () => (await reasonOf('waits')) === chain, 'the reason of what depends on it');
      const othersRun = async () => {
        const before = (await check('works'))?.runs ?? 0;
        await until(async () => ((await check('works'))?.runs ?? 0) > before + 1, 'the others run');
      };
      // A run that was under way as the file changed is over by then.
      await othersRun();
      const { runs } = (await check('waits')) ?? { runs: 0 };
      await othersRun();
      expect(await check('waits')).toMatchObject({ status: null, runs });
      const [shown] = await db.rows(
        z.unknown(),
        `select status, description, next_runtime from feed_checks where name = 'cache' and not_run_reason = $1`,
        [kind],
      );
      expect(shown).toEqual({ status: null, description: 'our cache', next_runtime: null });
      await write('n.yaml', canary('n', exec('waits')));
      await until(async () => (await check('waits'))?.status === 'healthy', 'it runs again');
      expect(await reasonOf('waits')).toBeNull();
    });

    it('a kind that a property switches off is unknown, and Run Now says so', async () => {
      await write('p.yaml', canary('p', exec('quiet')));
      await db.run(`insert into properties (name, value) values ('check.disabled.exec', 'true')`);
      await start();
      const reason = await until(() => reasonOf('quiet'), 'the reason');
      await db.run(`delete from properties where name = 'check.disabled.exec'`);
      expect(reason).toBe('checks of kind exec are switched off by the property check.disabled.exec');
      const id = (await check('quiet'))?.id ?? '';
      expect(await service.runCheckNow(id)).toMatchObject({ pass: false, not_run_reason: reason });
    });

    it('two transforms of one canary keep their own checks, and one that is not made again goes', async () => {
      const list = join(root, 'names');
      await writeFile(list, '[{"name":"x1"},{"name":"x2","pass":false}]');
      const entry = (name: string, script: string) =>
        `    - name: ${name}\n      script: ${script}\n      transform: {expr: results.stdout}\n`;
      await write(
        't.yaml',
        canary(
          't',
          `  exec:\n${entry('first', `cat ${list}`)}${entry('second', `"echo '[{\\"name\\":\\"y1\\"}]'"`)}`,
        ),
      );
      await start();
      await Promise.all([hasRun('x1'), hasRun('x2'), hasRun('y1')]);
      expect((await check('x2'))?.status).toBe('unhealthy');
      const runs = (await check('first'))?.runs ?? 0;
      await until(async () => ((await check('first'))?.runs ?? 0) > runs + 1, 'more runs');
      expect((await checks()).filter((row) => row.is_deleted)).toEqual([]);
      await writeFile(list, '[{"name":"x1"}]');
      await until(async () => (await check('x2')) === undefined, 'x2 is gone');
      expect((await checks()).find((row) => row.name === 'x2')).toMatchObject({
        is_deleted: true,
        status: 'healthy',
      });
      expect((await check('y1'))?.status).toBe('healthy');
    });

    it('with nothing configured the server watches itself', async () => {
      await start({});
      await hasRun('holdfast/names');
      const names = (await checks()).map((row) => row.name);
      expect(names).toEqual(
        expect.arrayContaining(['holdfast/database', 'holdfast/disk', 'holdfast/endpoint', 'holdfast/names']),
      );
    });
  });
});
