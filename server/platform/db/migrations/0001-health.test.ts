import { beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { openPostgresDatabase } from '../postgres-database.ts';
import { createPostgresDatabase, forEachDatabase, openEmptyDatabase } from '../test-databases.ts';
import type { Migration } from '../migration-files.ts';

const silent = pino({ level: 'silent' });
const LONG_AGO = '2020-01-01T00:00:00+00:00';

forEachDatabase((name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  const newCanary = async (spec: object = {}) => {
    const [row] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into canaries (name, namespace, spec, labels, updated_at) values ($1, 'ns', $2, '{"a":"canary","b":"1"}', $3) returning id`,
      [`c${Math.random()}`, spec, LONG_AGO],
    );
    return row?.id ?? '';
  };
  const newCheck = async (canary: string, more: { spec?: object; agent?: string } = {}) => {
    const [row] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into checks (canary_id, type, name, spec, labels, updated_at, agent_id)
       values ($1, 'http', $2, $3, '{"a":"check"}', $4, coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) returning id`,
      [canary, `k${Math.random()}`, more.spec ?? {}, LONG_AGO, more.agent ?? null],
    );
    return row?.id ?? '';
  };
  const one = async <T>(sql: string, ...params: string[]): Promise<T> => {
    const [row] = await db.rows(z.custom<T>(), sql, params);
    if (row === undefined) throw new Error('no row');
    return row;
  };

  test('an empty database knows this server and the person System', async () => {
    expect(await db.rows(z.unknown(), 'select id, name from agents')).toEqual([
      { id: '00000000-0000-0000-0000-000000000000', name: 'local' },
    ]);
    expect(await db.rows(z.unknown(), 'select name from people')).toContainEqual({ name: 'System' });
  });

  test('new ids sort by creation and read as ULIDs', async () => {
    const ids = await db.rows(
      z.custom<{ id: string; ulid: string }>(),
      'select id, uuid_to_ulid(id) as ulid from (select generate_ulid() as id from generate_series(1, 50)) as made',
    );
    expect(new Set(ids.map((row) => row.id)).size).toBe(50);
    expect(ids.map((row) => row.id)).toEqual(ids.map((row) => row.id).toSorted());
    const timeMs = Number.parseInt(ids[0]?.id.replaceAll('-', '').slice(0, 12) ?? '', 16);
    expect(Math.abs(timeMs - Date.now())).toBeLessThan(60_000);
    expect(ids[0]?.ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  describe('updated_at', () => {
    test('moves when a check changes, not when nothing does', async () => {
      const id = await newCheck(await newCanary());
      await db.run('update checks set owner = owner, is_pushed = true where id = $1', [id]);
      expect(await one('select updated_at, is_pushed from checks where id = $1', id)).toEqual({
        updated_at: LONG_AGO,
        is_pushed: true,
      });
      await db.run("update checks set owner = 'me' where id = $1", [id]);
      const after = await one<{ updated_at: string; is_pushed: boolean }>(
        'select updated_at, is_pushed from checks where id = $1',
        id,
      );
      expect(after.updated_at > '2024').toBe(true);
      expect(after.is_pushed).toBe(false);
    });

    test.each([
      `spec = '{"schedule":"@daily"}'`,
      `annotations = '{"suspend":"true"}'`,
      `labels = '{"team":"one"}'`,
      "namespace = 'other'",
    ])('of a canary what it is run by counts, and nothing else: %s', async (change) => {
      const id = await newCanary();
      await db.run("update canaries set source = 'elsewhere' where id = $1", [id]);
      expect(await one('select updated_at from canaries where id = $1', id)).toEqual({
        updated_at: LONG_AGO,
      });
      await db.run(`update canaries set ${change} where id = $1`, [id]);
      const { updated_at: updatedAt } = await one<{ updated_at: string }>(
        'select updated_at from canaries where id = $1',
        id,
      );
      expect(updatedAt > '2024').toBe(true);
    });

    test('rows of other servers keep theirs', async () => {
      const { id: agent } = await one<{ id: string }>(
        "insert into agents (name) values ('far') returning id",
      );
      const id = await newCheck(await newCanary(), { agent });
      await db.run("update checks set owner = 'me' where id = $1", [id]);
      expect(await one('select updated_at from checks where id = $1', id)).toEqual({ updated_at: LONG_AGO });
    });
  });

  test('a change of status notes when; a first run and the same status again are none', async () => {
    const id = await newCheck(await newCanary());
    await db.run("update checks set status = 'healthy', last_runtime = now() where id = $1", [id]);
    expect(await one('select last_transition_time as at from checks where id = $1', id)).toEqual({
      at: null,
    });
    // Not known for a while is a state of its own.
    await db.run('update checks set status = null where id = $1', [id]);
    await db.run("update checks set status = 'healthy' where id = $1", [id]);
    const first = await one<{ at: string }>(
      'select last_transition_time as at from checks where id = $1',
      id,
    );
    expect(first.at > '2024').toBe(true);
    await db.run("update checks set last_transition_time = $2, status = 'healthy' where id = $1", [
      id,
      LONG_AGO,
    ]);
    expect(await one('select last_transition_time as at from checks where id = $1', id)).toEqual({
      at: LONG_AGO,
    });
    await db.run("update checks set status = 'unhealthy' where id = $1", [id]);
    const second = await one<{ at: string }>(
      'select last_transition_time as at from checks where id = $1',
      id,
    );
    expect(second.at > '2024').toBe(true);
  });

  test('a deleted canary takes checks and component links along, with the same time', async () => {
    const canary = await newCanary();
    const check = await newCheck(canary);
    const { id: component } = await one<{ id: string }>(
      "insert into components (external_id, name, status) values ('x', 'x', 'healthy') returning id",
    );
    await db.run(
      'insert into check_component_relationships (component_id, check_id, canary_id) values ($1, $2, $3)',
      [component, check, canary],
    );
    expect(
      await db.rows(z.unknown(), 'select id from checks_by_component where component_id = $1', [component]),
    ).toEqual([{ id: check }]);
    await db.run('update canaries set deleted_at = $2 where id = $1', [canary, LONG_AGO]);
    expect(await one('select deleted_at from checks where id = $1', check)).toEqual({ deleted_at: LONG_AGO });
    expect(
      await one('select deleted_at from check_component_relationships where check_id = $1', check),
    ).toEqual({ deleted_at: LONG_AGO });
    expect(
      await db.rows(z.unknown(), 'select id from checks_by_component where component_id = $1', [component]),
    ).toEqual([]);
  });

  test('an agent deleted with cleanup takes what it brought', async () => {
    const { id: agent } = await one<{ id: string }>(
      "insert into agents (name, cleanup) values ('gone', true) returning id",
    );
    const check = await newCheck(await newCanary(), { agent });
    await db.run('update agents set deleted_at = $2 where id = $1', [agent, LONG_AGO]);
    expect(await one('select deleted_at from checks where id = $1', check)).toEqual({ deleted_at: LONG_AGO });
  });

  describe('views', () => {
    test('check_summary joins canary, agent, uptime and latency; labels of the check win', async () => {
      const id = await newCheck(await newCanary(), { spec: { server: '9.9.9.9', query: 'example.org' } });
      await db.run(
        'insert into check_status_summary (check_id, p99, p95, p50, mean, passed, failed) values ($1, 9, 8, 7, 7.5, 3, 1)',
        [id],
      );
      expect(
        await one(
          'select uptime, latency, labels, agent_name, canary_namespace, endpoint, status from check_summary where id = $1',
          id,
        ),
      ).toEqual({
        uptime: { passed: 3, failed: 1, last_pass: null, last_fail: null },
        latency: { p99: 9, p95: 8, p50: 7, avg: 7.5 },
        labels: { a: 'check', b: '1' },
        agent_name: 'local',
        canary_namespace: 'ns',
        endpoint: '9.9.9.9 example.org',
        status: null,
      });
    });

    test.each([
      [{ url: 'https://a', endpoint: 'b' }, 'https://a'],
      [{ endpoint: 'host:1' }, 'host:1'],
      [{ path: '/var' }, '/var'],
      [{ script: '\n  df -h\nexit 1' }, 'df -h'],
      [{}, null],
    ])('the endpoint of %j is %s', async (spec, endpoint) => {
      const id = await newCheck(await newCanary(), { spec });
      expect(await one('select endpoint from check_summary where id = $1', id)).toEqual({ endpoint });
    });

    test('canaries_with_status shows the newest job, and its first error when it failed', async () => {
      const id = await newCanary({ schedule: '@every 1m' });
      const shown = () =>
        one(
          `select schedule, job_status, error, agent, job_last_failed, updated_at from canaries_with_status where id = $1`,
          id,
        );
      expect(await shown()).toMatchObject({
        schedule: '@every 1m',
        job_status: null,
        error: null,
        agent: { name: 'local' },
        updated_at: LONG_AGO,
      });
      await db.run(
        `insert into job_history (resource_id, resource_type, status, details, time_start, created_at) values
          ($1, 'canary', 'FAILED', '{"errors":[{"message":"bad spec"},{"message":"other"}]}', '2024-02-01', '2024-02-01'),
          ($1, 'canary', 'SUCCESS', null, '2024-01-01', '2024-01-01')`,
        [id],
      );
      expect(await shown()).toMatchObject({
        job_status: 'FAILED',
        error: 'bad spec',
        job_last_failed: '2024-02-01T00:00:00+00:00',
        updated_at: '2024-02-01T00:00:00+00:00',
      });
      await db.run(
        "insert into job_history (resource_id, resource_type, status, created_at) values ($1, 'canary', 'SUCCESS', '2024-03-01')",
        [id],
      );
      expect(await shown()).toMatchObject({ job_status: 'SUCCESS', error: null });
    });

    test('people_roles lists the roles of those who have any', async () => {
      const { id } = await one<{ id: string }>(
        "insert into people (name, email) values ('Ada', 'ada@example.org') returning id",
      );
      await db.run("insert into casbin_rule (ptype, v0, v1) values ('g', $1, 'editor'), ('g', $1, 'admin')", [
        id,
      ]);
      expect(await db.rows(z.unknown(), 'select name, email, roles from people_roles')).toContainEqual({
        name: 'Ada',
        email: 'ada@example.org',
        roles: ['admin', 'editor'],
      });
    });
  });

  describe('migrations', () => {
    const first: Migration = { name: '0001-a', up: 'create table a (n int); insert into a values (1);' };
    const broken: Migration = {
      name: '0002-b',
      up: 'create table b (n int); insert into nowhere values (1);',
    };
    const mended: Migration = { name: '0002-b', up: 'create table b (n int);' };

    test('run once, in order, each whole or not at all', async () => {
      const empty = await openEmptyDatabase(name);
      expect(await migrate(empty, silent, [first])).toEqual(['0001-a']);
      await expect(migrate(empty, silent, [first, broken])).rejects.toThrow();
      expect(await empty.text("select to_regclass('b')::text")).toBeNull();
      expect(await migrate(empty, silent, [first, mended])).toEqual(['0002-b']);
      expect(await migrate(empty, silent, [first, mended])).toEqual([]);
      expect(await empty.text('select count(*)::text from a')).toBe('1');
      await empty.close();
    });
  });
});

test('many servers that start on one empty PostgreSQL migrate it once', async () => {
  const url = await createPostgresDatabase();
  const servers = await Promise.all(
    Array.from({ length: 4 }, () => openPostgresDatabase({ url, logger: silent })),
  );
  await Promise.all(servers.map((server) => migrate(server, silent)));
  expect(await servers[0]?.text('select count(*)::text from agents')).toBe('1');
  await Promise.all(servers.map((server) => server.close()));
});
