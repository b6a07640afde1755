/** What the views answer on the public data set; what each was meant to say is in the test's name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readCatalogue } from '../../../replication/data-api/catalogue/catalogue-query.ts';
import type { Catalogue } from '../../../replication/data-api/catalogue/catalogue.ts';
import { decideTableAccess } from '../../../access/policies/table-areas.ts';
import type { Database, SqlValue } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';
import { loadDataset, readDatasetFile } from '../../../app/seed/testing/dataset.ts';

interface ExpectedSummary {
  id: string;
  canary_name: string;
  labels: Record<string, string>;
  latency: { avg?: number; p50?: number };
  uptime: { passed: number; failed: number };
}

const EKS = '3d662386-667d-5079-99d2-c3ab7e409b5e';
const LOGISTICS_DB = '018681fe-4529-c50f-26fd-530fa9c57319';
const CLUSTER = '018681fe-8156-4b91-d178-caf8b3c2818c';
const BUSY_CHECK = '0186b7a4-0593-73e9-7e3d-5b3446336c1d';

forEachDatabase((_name, open) => {
  let db: Database;
  let catalogue: Catalogue;

  const rows = <T = Record<string, unknown>>(sql: string, ...params: SqlValue[]) =>
    db.rows(z.custom<T>(), sql, params);
  const one = async <T = Record<string, unknown>>(sql: string, ...params: SqlValue[]): Promise<T> => {
    const [row] = await db.rows(z.custom<T>(), sql, params);
    if (row === undefined) throw new Error('no row');
    return row;
  };

  beforeAll(async () => {
    db = await open();
    await loadDataset(db);
    catalogue = await readCatalogue(db, 'public');
  });

  test('every view answers, and the data API has it or it is internal', async () => {
    const views = await rows<{ name: string; about: string | null }>(
      `select relname::text as name, obj_description(oid, 'pg_class') as about from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`,
    );
    expect(views.length).toBeGreaterThan(60);
    for (const { name, about } of views) {
      await expect(db.rows(z.unknown(), `select * from ${name}`), name).resolves.toBeDefined();
      const isInternal = name.startsWith('feed_') || about?.startsWith('internal: ');
      const expected = isInternal ? 'unknown' : 'allowed';
      expect(decideTableAccess(name, 'GET', ['admin']).kind, name).toBe(expected);
    }
  });

  test('what is removed whole cannot be called through the data API', () => {
    for (const name of [
      'delete_person',
      'drop_config_items',
      'delete_old_config_items',
      'log_change',
      'queue_event',
    ])
      expect(decideTableAccess(`rpc/${name}`, 'POST', ['admin']).kind, name).toBe('unknown');
  });

  describe('health', () => {
    test('uptime and latency of what was imported are those that its project expects', async () => {
      const expected = await readDatasetFile<ExpectedSummary[]>('expectations/check_status_summary.json');
      // That project sums up 70 minutes of the busy check; the contract says an hour. One more has no summary there.
      const comparable = expected.filter((each) => each.latency.avg !== undefined && each.id !== BUSY_CHECK);
      expect(comparable).toHaveLength(2);
      for (const { id, canary_name, labels, latency, uptime } of comparable) {
        const own = await one(
          'select canary_name, labels, uptime, latency from check_summary where id = $1',
          id,
        );
        expect(own).toMatchObject({ canary_name });
        expect(own).toMatchObject({ labels });
        expect(own).toMatchObject({ uptime: { passed: uptime.passed, failed: uptime.failed } });
        expect(own).toMatchObject({ latency: { avg: latency.avg, p50: latency.p50 } });
      }
    });

    test('percentiles are durations that were measured', async () => {
      const summary = await one<{ p99: number; p50: number; passed: number; failed: number }>(
        'select p99, p50, passed, failed from check_status_summary_hour where check_id = $1',
        BUSY_CHECK,
      );
      expect(summary.passed + summary.failed).toBeGreaterThan(55);
      const measured = await rows<{ duration: number }>(
        'select distinct duration from check_statuses where check_id = $1',
        BUSY_CHECK,
      );
      expect(measured.map(({ duration }) => duration)).toEqual(
        expect.arrayContaining([summary.p99, summary.p50]),
      );
      expect(
        await one(
          'select p99, p50, passed, failed from check_status_summary where check_id = $1',
          BUSY_CHECK,
        ),
      ).toEqual(summary);
    });

    test('a check without runs in the last hour shows its newest run alone', async () => {
      expect(
        await one(
          'select p99, mean, passed, failed, last_pass from check_status_summary_aged where check_id = $1',
          '0186b7a4-9338-7142-1b10-25dc49030218',
        ),
      ).toEqual({ p99: 50, mean: 50, passed: 0, failed: 1, last_pass: null });
    });

    test('a summary is computed once for what was stored, and again when something newer is', async () => {
      const refresh = () => db.text('select refresh_check_status_summary()::text');
      expect(await refresh()).toBe('0');
      await db.run(
        "insert into check_statuses (check_id, time, status, duration) values ($1, now() + interval '1 s', false, 9)",
        [BUSY_CHECK],
      );
      expect(await refresh()).toBe('1');
      expect(await refresh()).toBe('0');
      await db.run('delete from check_statuses where check_id = $1 and duration = 9', [BUSY_CHECK]);
      expect(await refresh()).toBe('1');
    });
  });

  describe('the catalog', () => {
    test('a new item is in the list at once, with its changes of 7 days and its open findings', async () => {
      expect(await one('select changes, analysis from configs where id = $1', EKS)).toEqual({
        changes: 2,
        analysis: null,
      });
      const [item] = await rows<{ id: string }>(
        `insert into config_items (name, type, config_class, tags) values ('new', 'A', 'A', '{"namespace": "x"}')
         returning id`,
      );
      const id = item?.id ?? '';
      await db.run(
        `insert into config_analysis (config_id, analyzer, analysis_type, status) values
           ($1, 'x', 'cost', 'open'), ($1, 'x', 'cost', 'open'), ($1, 'x', 'security', 'resolved')`,
        [id],
      );
      await db.run(
        `insert into config_changes (config_id, change_type, created_at) values
           ($1, 'diff', now() - interval '8 days'), ($1, 'diff', now() - interval '2 days')`,
        [id],
      );
      expect(await one('select namespace, changes, analysis from configs where id = $1', id)).toEqual({
        namespace: 'x',
        changes: 1,
        analysis: { cost: 2 },
      });
      const counts = [];
      for (const days of [3, 7, 30])
        counts.push(
          (
            await one<{ config_changes_count: number }>(
              `select config_changes_count from config_item_summary_${days}d where config_id = $1`,
              id,
            )
          ).config_changes_count,
        );
      expect(counts).toEqual([1, 1, 2]);
      expect(
        await one(`select changes, analysis, total_configs from config_summary where type = 'A'`),
      ).toEqual({
        changes: 2,
        analysis: { cost: 2 },
        total_configs: 1,
      });
      expect(await rows(`select type, change_count from config_changes_by_types where type = 'A'`)).toEqual([
        { type: 'A', change_count: 2 },
      ]);
      await db.run('delete from config_items where id = $1', [id]);
    });

    test('lists of values are sorted and have each once', async () => {
      const types = (await rows<{ type: string }>('select type from config_types')).map(({ type }) => type);
      expect(types).toHaveLength(12);
      expect(new Set(types).size).toBe(12);
      expect(await rows('select * from config_statuses')).toEqual(
        ['Running', 'deployed', 'healthy']
          .map((status) => ({ status }))
          .toSorted((a, b) => (a.status < b.status ? -1 : 1)),
      );
      expect(await rows('select * from change_types')).toEqual(
        ['CREATE', 'DELETE', 'UPDATE'].map((change_type) => ({ change_type })),
      );
      expect(await rows(`select * from config_tags where key = 'cluster' order by value`)).toEqual([
        { key: 'cluster', value: 'aws' },
        { key: 'cluster', value: 'demo' },
      ]);
    });

    test('an item tells how much hangs on it, and its components', async () => {
      const detail = await one<{ summary: unknown; components: { id: string }[] }>(
        'select summary, components from config_detail where id = $1',
        EKS,
      );
      const links = Number(
        await db.text(
          'select count(*)::text from config_relationships where config_id = $1 or related_id = $1',
          [EKS],
        ),
      );
      // Two changes of its own are not older than two days.
      expect(detail.summary).toEqual({
        relationships: links,
        analysis: 0,
        changes: 2,
        playbook_runs: 0,
        checks: 0,
      });
      expect(detail.components.map(({ id }) => id)).toContain(CLUSTER);
    });

    test('a finding says of which type its item is', async () => {
      const finding = await one(
        `select config_type, config_class from config_analysis_items where analyzer = 'rds-port-exposed'`,
      );
      expect(finding).toEqual({ config_type: 'Logistics::DB::RDS', config_class: 'Database' });
    });
  });

  describe('components', () => {
    test('show checks, incidents, findings and who belongs to them', async () => {
      await db.run('insert into team_components (team_id, component_id) select id, $1 from teams', [
        LOGISTICS_DB,
      ]);
      const database = await one(
        'select checks, incidents, analysis, team_names from topology where id = $1',
        LOGISTICS_DB,
      );
      expect(database).toEqual({
        checks: { unhealthy: 1 },
        incidents: { availability: { blocker: 1 } },
        analysis: { security: { critical: 1 } },
        team_names: ['Backend'],
      });
      const links = await readDatasetFile<{ component_id: string; relationship_id: string }[]>(
        'component_relationships.json',
      );
      const parent = links[0]?.relationship_id ?? '';
      const children = links
        .filter((link) => link.relationship_id === parent)
        .map((link) => link.component_id);
      const own = await one<{ children: string[] }>('select children from topology where id = $1', parent);
      expect(own.children.toSorted()).toEqual(children.toSorted());
    });

    test('an incident that is closed no longer counts, an item that is gone has no findings', async () => {
      await db.run(`update incidents set status = 'closed'`);
      expect(await rows('select * from incident_summary_by_component')).toEqual([]);
      expect(
        await rows('select title from incidents_by_component where component_id = $1', LOGISTICS_DB),
      ).toEqual([{ title: 'Logistics API is down' }]);
      await db.run(`update incidents set status = 'open'`);
      const item = (await one<{ config_id: string }>('select config_id from analysis_by_component'))
        .config_id;
      await db.run('update config_items set deleted_at = now() where id = $1', [item]);
      expect(await rows('select * from analysis_by_component')).toEqual([]);
      expect(await rows('select * from analysis_summary_by_component')).toEqual([]);
      await db.run('update config_items set deleted_at = null where id = $1', [item]);
    });

    test('changes of their items come newest first', async () => {
      const changes = await rows<{ change_type: string; change_id: string; id: string }>(
        'select id, change_id, change_type from changes_by_component where component_id = $1',
        CLUSTER,
      );
      expect(changes.map(({ change_type }) => change_type)).toEqual(['DELETE', 'UPDATE', 'CREATE']);
    });

    test('are found from their items, checks, names and properties, while the link lives', async () => {
      const linked = () =>
        rows<{ config_id: string }>('select * from lookup_configs_by_component($1)', LOGISTICS_DB);
      const [link] = await linked();
      const back = await rows(
        'select component_id, role from lookup_components_by_config($1)',
        link?.config_id ?? '',
      );
      expect(back).toContainEqual({ component_id: LOGISTICS_DB, role: 'left' });
      expect(await rows('select id from lookup_analysis_by_component($1)', LOGISTICS_DB)).toHaveLength(1);
      expect(await rows('select id from lookup_changes_by_component($1)', CLUSTER)).toHaveLength(3);
      expect(await rows('select id from lookup_component_incidents($1)', LOGISTICS_DB)).toHaveLength(1);
      expect(await one('select names from lookup_component_names($1)', [LOGISTICS_DB, CLUSTER])).toEqual({
        names: ['logistics-db', 'cluster'],
      });
      await db.run(`update components set properties = '[{"name": "tier", "text": "gold"}]' where id = $1`, [
        CLUSTER,
      ]);
      expect(await rows(`select id from lookup_component_by_property('tier', 'gold')`)).toEqual([
        { id: CLUSTER },
      ]);
      expect(await rows(`select id from lookup_component_by_property('tier', 'tin')`)).toEqual([]);
      const children = await rows<{ level: number }>(
        'select * from lookup_component_children($1, 1)',
        CLUSTER,
      );
      expect(children.filter(({ level }) => level === 0)).toHaveLength(1);
      expect(children.length).toBeGreaterThan(1);
      await db.run('update config_component_relationships set deleted_at = now() where component_id = $1', [
        LOGISTICS_DB,
      ]);
      expect(await linked()).toEqual([]);
      await db.run('update config_component_relationships set deleted_at = null where component_id = $1', [
        LOGISTICS_DB,
      ]);
    });
  });
  test('an agent tells what it has, and nothing where it has nothing', async () => {
    const config = await rows(
      'select name, config_count, checks_count, config_scrapper_count from agents_summary order by name',
    );
    expect(config).toEqual([
      { name: 'GCP', config_count: null, checks_count: 2, config_scrapper_count: null },
      { name: 'local', config_count: 18, checks_count: 3, config_scrapper_count: 2 },
    ]);
  });

  test('what embeds follow leads out of the views as out of their tables', () => {
    const leads = (from: string, column: string, to: string) =>
      catalogue.foreignKeys.some(
        (key) => key.from === from && key.to === to && key.fromColumns.join() === column,
      );
    for (const [from, column, to] of [
      ['agents_summary', 'created_by', 'people'],
      ['topologies_with_status', 'agent_id', 'agents'],
      ['topologies_with_status', 'created_by', 'people'],
      ['config_scrapers_with_status', 'agent_id', 'agents'],
      ['teams_with_status', 'created_by', 'people'],
      ['notifications_summary', 'person_id', 'people'],
      ['notifications_summary', 'team_id', 'teams'],
      ['config_detail', 'scraper_id', 'config_scrapers'],
      ['config_analysis_items', 'config_id', 'configs'],
      ['analysis_by_component', 'config_id', 'configs'],
      ['changes_by_component', 'config_id', 'configs'],
      ['configs', 'agent_id', 'agents'],
      ['topology', 'topology_id', 'topologies'],
    ] as const)
      expect(leads(from, column, to), `${from}.${column} → ${to}`).toBe(true);
  });
});
