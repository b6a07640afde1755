import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RESOURCE_KINDS } from '../../../replication/change-log/collections.ts';
import { readSnapshot } from '../../../replication/change-log/change-feed.ts';
import type { Database, SqlValue } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

forEachDatabase((_name, open) => {
  let db: Database;
  let madeCount = 0;

  const one = async <T>(sql: string, ...params: SqlValue[]): Promise<T> => {
    const [row] = await db.rows(z.custom<T>(), sql, params);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  /** Inserts a row and answers its id. Keys are column names of these tests only. */
  const add = async (table: string, values: Record<string, SqlValue>): Promise<string> => {
    const names = Object.keys(values);
    const places = names.map((_column, index) => `$${index + 1}`);
    const { id } = await one<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning id`,
      ...Object.values(values),
    );
    return id;
  };
  const nextName = () => `n${(madeCount += 1)}`;
  const addItem = (values: Record<string, SqlValue> = {}) =>
    add('config_items', { name: nextName(), type: 'Kubernetes::Pod', config_class: 'Pod', ...values });
  const isThere = async (table: string, id: string) =>
    (await db.rows(z.unknown(), `select id from ${table} where id = $1`, [id])).length === 1;
  const system = async () => (await one<{ id: string }>(`select id from people where name = 'System'`)).id;

  beforeAll(async () => {
    db = await open();
  });

  test('every table whose rows have an id of ours gives them ULIDs', async () => {
    const tables = await db.rows(
      z.custom<{ name: string; value: string | null }>(),
      `select columns.table_name::text as name, column_default::text as value
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where columns.table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'id'
         and data_type = 'uuid' and table_name !~ '^identit'
         -- Their ids are an item's and a person's.
         and table_name not in ('config_locations', 'walls')`,
    );
    expect(tables.length).toBeGreaterThan(30);
    expect(tables.filter(({ value }) => value !== 'generate_ulid()')).toEqual([]);
  });

  describe('access tokens', () => {
    const addAgentWithToken = async () => {
      const person = await add('people', { name: nextName(), type: 'agent' });
      const agent = await add('agents', { name: nextName(), person_id: person });
      const token = await add('access_tokens', {
        name: 'default',
        person_id: person,
        value: 'hash',
        created_at: new Date(0),
        expires_at: new Date('2100-01-01'),
      });
      return { agent, token };
    };
    const isOver = async (token: string) =>
      (
        await one<{ over: boolean }>(
          'select expires_at <= now() as over from access_tokens where id = $1',
          token,
        )
      ).over;

    test('end when their agent is deleted, softly or for good', async () => {
      const soft = await addAgentWithToken();
      const hard = await addAgentWithToken();
      const other = await addAgentWithToken();
      await db.run('update agents set deleted_at = now() where id = $1', [soft.agent]);
      await db.run('delete from agents where id = $1', [hard.agent]);
      expect(await isOver(soft.token)).toBe(true);
      expect(await isOver(hard.token)).toBe(true);
      expect(await isOver(other.token)).toBe(false);
    });

    test('of one name exist once a person', async () => {
      const person = await add('people', { name: nextName() });
      const token = { name: 'ci', person_id: person, value: 'hash', created_at: new Date(0) };
      await add('access_tokens', token);
      await expect(add('access_tokens', token)).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  describe('an identity', () => {
    const traits = (first: string, email: string) => ({ email, name: { first, last: 'Byron' } });
    const addIdentity = async (email: string) => {
      const { id } = await one<{ id: string }>('select generate_ulid() as id');
      await db.run('insert into identities (id, traits) values ($1, $2::jsonb)', [id, traits('Ada', email)]);
      return id;
    };
    const personOf = (id: string) =>
      one<{ name: string; email: string; is_gone: boolean }>(
        'select name, email, deleted_at is not null as is_gone from people where id = $1',
        id,
      );

    test('brings its person along and keeps it up to date', async () => {
      const id = await addIdentity('ada@example.org');
      expect(await personOf(id)).toEqual({ name: 'Ada Byron', email: 'ada@example.org', is_gone: false });
      await db.run('update identities set traits = $2::jsonb where id = $1', [
        id,
        traits('Augusta', 'a@example.org'),
      ]);
      expect(await personOf(id)).toEqual({ name: 'Augusta Byron', email: 'a@example.org', is_gone: false });
    });

    test('that is deleted takes the roles along and leaves the person as gone', async () => {
      const id = await addIdentity('grace@example.org');
      const kept = await addIdentity('kept@example.org');
      for (const each of [id, kept])
        await db.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, 'editor')`, [each]);
      await db.run('delete from identities where id = $1', [id]);
      expect((await personOf(id)).is_gone).toBe(true);
      const left = await db.rows(
        z.custom<{ v0: string }>(),
        `select v0 from casbin_rule where v0 = any($1)`,
        [[id, kept]],
      );
      expect(left).toEqual([{ v0: kept }]);
    });

    test('goes with delete_person, and its password with it', async () => {
      const id = await addIdentity('gone@example.org');
      await db.run(
        `insert into identity_credentials (identity_id, type, secret) values ($1, 'password', 'x')`,
        [id],
      );
      await db.text('select delete_person($1)::text', [id]);
      expect(await isThere('identities', id)).toBe(false);
      expect((await personOf(id)).is_gone).toBe(true);
      expect(
        await db.rows(z.unknown(), 'select 1 as one from identity_credentials where identity_id = $1', [id]),
      ).toEqual([]);
    });
  });

  describe('items that are deleted for good', () => {
    const LONG_AGO = new Date('2020-01-01');

    test('are those that went long ago and that nothing points at', async () => {
      const person = await system();
      const old = await addItem({ deleted_at: LONG_AGO });
      const recent = await addItem({ deleted_at: new Date() });
      const shown = await addItem({ deleted_at: LONG_AGO });
      const told = await addItem({ deleted_at: LONG_AGO });
      const orphan = await addItem({ parent_id: old });
      await add('components', {
        name: nextName(),
        external_id: nextName(),
        status: 'healthy',
        config_id: shown,
      });
      const change = await add('config_changes', { config_id: told, change_type: 'diff' });
      const incident = await add('incidents', {
        title: 'x',
        type: 'availability',
        severity: 'low',
        status: 'open',
        created_by: person,
      });
      const hypothesis = await add('hypotheses', {
        incident_id: incident,
        type: 'root',
        title: 'x',
        status: 'possible',
        created_by: person,
      });
      await add('evidences', {
        hypothesis_id: hypothesis,
        description: '',
        type: 'config_change',
        config_change_id: change,
        created_by: person,
      });
      await add('config_analysis', { config_id: old, analyzer: 'x' });

      expect(await db.text('select delete_old_config_items(30)::text')).toBe('1');
      const left = [];
      for (const item of [old, recent, shown, told, orphan]) left.push(await isThere('config_items', item));
      expect(left).toEqual([false, true, true, true, true]);
      const { parent_id } = await one<{ parent_id: string | null }>(
        'select parent_id from config_items where id = $1',
        orphan,
      );
      expect(parent_id).toBeNull();
    });

    test('by name take everything below them along', async () => {
      const root = await addItem();
      const child = await addItem({ parent_id: root, path: root });
      const grandchild = await addItem({ parent_id: child, path: `${root}.${child}` });
      const other = await addItem();
      const playbook = await add('playbooks', { name: nextName(), spec: {}, source: 'UI' });
      const run = await add('playbook_runs', { playbook_id: playbook, config_id: grandchild });
      expect(await db.text('select drop_config_items($1)::text', [[child]])).toBe('2');
      expect(await isThere('config_items', root)).toBe(true);
      expect(await isThere('config_items', child)).toBe(false);
      expect(await isThere('config_items', grandchild)).toBe(false);
      expect(await isThere('playbook_runs', run)).toBe(false);
      expect(await isThere('config_items', other)).toBe(true);
    });
  });

  test('a notification that is held back again within the window is counted, not told twice', async () => {
    const rule = await add('notifications', { events: ['config.unhealthy'] });
    const item = await addItem();
    const hold = (status: string, window = '1 hour') =>
      db.text(
        `select insert_unsent_notification_to_history($1, 'config.unhealthy', $2, $3, $4::interval)::text`,
        [rule, item, status, window],
      );
    await hold('silenced');
    await hold('silenced');
    await hold('repeat-interval');
    await hold('silenced', '0 seconds');
    const rows = await db.rows(
      z.unknown(),
      'select status, count from notification_send_history where notification_id = $1 order by status, count',
      [rule],
    );
    expect(rows).toEqual([
      { status: 'repeat-interval', count: 1 },
      { status: 'silenced', count: 1 },
      { status: 'silenced', count: 2 },
    ]);
    await expect(hold('sent')).rejects.toThrow('status must be silenced or repeat-interval, not sent');
    await db.run('delete from notifications where id = $1', [rule]);
    expect(
      await db.rows(z.unknown(), 'select id from notification_send_history where resource_id = $1', [item]),
    ).toEqual([]);
  });

  test('secrets are masked, references to where they are kept are not', async () => {
    await add('connections', {
      name: 'db',
      type: 'postgres',
      url: 'postgres://u:p@db/x',
      username: 'admin',
      password: 'secret://db/password',
      certificate: '',
    });
    expect(
      await one('select username, password, certificate from connection_details where name = $1', 'db'),
    ).toEqual({ username: '***', password: 'secret://db/password', certificate: '' });
    await add('connections', { name: 'chat', type: 'slack', url: 'Slack://token@channel' });
    expect(await db.rows(z.unknown(), 'select name, category from connections_list order by name')).toEqual([
      { name: 'chat', category: 'notification' },
      { name: 'db', category: '' },
    ]);
    for (const view of ['connections_list', 'connection_details', 'feed_connections'])
      expect(JSON.stringify(await db.rows(z.unknown(), `select * from ${view}`)), view).not.toMatch(
        /u:p@|token@|"admin"/,
      );
  });

  describe('the collection of resources', () => {
    test('has kinds whose area is known, each of them, and no spec or secret', async () => {
      const person = await system();
      await add('incident_rules', { name: nextName(), spec: { secret: 'hush' }, created_by: person });
      await add('logging_backends', { name: nextName(), spec: { password: 'hush' } });
      await add('teams', { name: nextName(), spec: { password: 'hush' }, created_by: person });
      await add('topologies', { name: nextName(), namespace: 'x', spec: { password: 'hush' } });
      await add('config_scrapers', { name: nextName(), spec: { password: 'hush' }, source: 'UI' });
      await db.run(
        `insert into notification_silences (namespace, "from", "until", selector) values ('', now(), now(), 'a=b')`,
      );
      await db.run(`insert into properties (name, value) values ('flag', 'true')`);
      await db.run(
        `insert into notifications (events, custom_services)
         values ('{config.unhealthy}', '[{"properties": {"password": "hush"}}]')`,
      );
      await add('acknowledgements', { kind: 'check', resource_id: person, person_id: person });
      await add('shift_notes', { text: 'Quiet.', shift_from: '2026-01-01T00:00:00Z', created_by: person });
      const { rows } = await readSnapshot(db, 'resources', { after: null, limit: 1000 });
      expect([...new Set(rows.map(({ kind }) => String(kind)))].toSorted()).toEqual(
        Object.keys(RESOURCE_KINDS).toSorted(),
      );
      expect(JSON.stringify(rows)).not.toContain('hush');
    });

    test('hears of a rule or a log store that comes, changes and goes', async () => {
      const entries = async (id: string) =>
        Number(
          await db.text('select coalesce(max(seq), 0)::text from change_log where entity_id = $1', [id]),
        );
      const person = await system();
      const rule = await add('incident_rules', { name: nextName(), created_by: person });
      const store = await add('logging_backends', { name: nextName(), spec: {} });
      for (const [table, id] of [
        ['incident_rules', rule],
        ['logging_backends', store],
      ] as const) {
        const first = await entries(id);
        expect(first).toBeGreaterThan(0);
        await db.run(`update ${table} set name = $2 where id = $1`, [id, nextName()]);
        const second = await entries(id);
        expect(second).toBeGreaterThan(first);
        await db.run(`update ${table} set deleted_at = now() where id = $1`, [id]);
        expect(await entries(id)).toBeGreaterThan(second);
      }
    });
  });
});
