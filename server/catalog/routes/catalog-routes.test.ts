import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestBrowser } from '../../../tests/security/support/test-browser.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';

const FIXTURE = '../shared/fixtures/dataset/cases/catalog_changes.json';
const SOURCE = 'test-changes';
const HOUR_MS = 3_600_000;

const fixture = z
  .object({
    graph: z.object({
      tags: z.record(z.string(), z.string()),
      configs: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          config_class: z.string(),
          parent: z.string().nullable(),
        }),
      ),
      soft_relationships: z.array(
        z.object({ config: z.string(), related: z.string(), relation: z.string() }),
      ),
      changes: z.array(
        z.object({
          config: z.string(),
          change_type: z.string(),
          severity: z.string(),
          summary: z.string(),
          source: z.string(),
          created_hours_ago: z.number(),
        }),
      ),
    }),
    cases: z.array(
      z.object({
        name: z.string(),
        request: z.record(z.string(), z.unknown()),
        expect: z.object({
          configs: z.array(z.string()).optional(),
          total: z.number().optional(),
          summary: z.record(z.string(), z.number()).optional(),
          configs_in_order: z.array(z.string()).optional(),
          summaries_in_order: z.array(z.string()).optional(),
          error: z.boolean().optional(),
        }),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(FIXTURE, 'utf8')));

const answerSchema = z.strictObject({
  summary: z.record(z.string(), z.number()).optional(),
  total: z.number().optional(),
  changes: z
    .array(
      z.looseObject({
        id: z.guid(),
        config_id: z.guid(),
        name: z.string().optional(),
        change_type: z.string(),
        summary: z.string().optional(),
        created_at: z.iso.datetime({ offset: true }),
        count: z.number(),
      }),
    )
    .optional(),
});

const idOf = (name: string) =>
  `30000000-0000-4000-8000-${(name.codePointAt(0) ?? 0).toString(16).padStart(12, '0')}`;
const EDITOR = '70000000-0000-4000-8000-000000000001';

async function fill({ db }: TestServer, nowMs: number): Promise<void> {
  const { tags, configs, soft_relationships: soft, changes } = fixture.graph;
  for (const { name, type, config_class: configClass, parent } of configs) {
    await db.run(
      `insert into config_items (id, name, type, config_class, parent_id, tags, labels, health, status, cost_total_7d)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'Running', 1.5)`,
      [
        idOf(name),
        name,
        type,
        configClass,
        parent === null ? null : idOf(parent),
        { ...tags, zone: name < 'N' ? 'a' : 'b' },
        { app: name.toLowerCase(), tier: name < 'N' ? '1' : '2' },
        name === 'U' ? 'unhealthy' : 'healthy',
      ],
    );
  }
  for (const { config, related, relation } of soft) {
    await db.run('insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3)', [
      idOf(config),
      idOf(related),
      relation,
    ]);
  }
  await db.run('insert into people (id, name, email) values ($1, $2, $3)', [
    EDITOR,
    'Eve',
    'eve@example.com',
  ]);
  for (const change of changes) {
    await db.run(
      `insert into config_changes
         (config_id, change_type, severity, summary, source, created_at, external_created_by, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        idOf(change.config),
        change.change_type,
        change.severity,
        change.summary,
        change.source,
        // A minute inside, so that the hour is not on the edge of the window.
        new Date(nowMs - change.created_hours_ago * HOUR_MS - 60_000),
        change.config === 'W' ? 'kubelet' : null,
        change.config === 'V' ? EDITOR : null,
      ],
    );
  }
  await db.run(
    `insert into config_analysis (config_id, analyzer, analysis_type, status, last_observed) values
       ($1, 'one', 'security', 'open', now()), ($1, 'two', 'security', 'resolved', now()),
       ($2, 'three', 'cost', 'open', now() - interval '20 days')`,
    [idOf('W'), idOf('Z')],
  );
}

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    await fill(server, Date.now());
    browser = openTestBrowser(server.url);
    await browser.signIn((await server.account('viewer')).email, PASSWORD);
  });
  afterAll(() => server.stop());

  const search = async (request: Record<string, unknown>) => {
    const answer = await browser.post('/api/catalog/changes', request);
    expect(answer.status).toBe(200);
    return answerSchema.parse(await answer.json());
  };
  const names = async (request: Record<string, unknown>) =>
    ((await search(request)).changes ?? []).map((change) => change.name ?? '').toSorted();

  describe('the changes search on the real cases', () => {
    it.each(fixture.cases)('$name', async ({ request, expect: expected }) => {
      const id = typeof request['id'] === 'string' ? idOf(request['id']) : undefined;
      const asked = { ...request, id };
      if (expected.error === true) {
        expect((await browser.post('/api/catalog/changes', asked)).status).toBe(400);
        return;
      }
      const { changes = [], total = 0, summary = {} } = await search(asked);
      if (expected.total !== undefined) expect(total).toBe(expected.total);
      if (expected.summary !== undefined) expect(summary).toEqual(expected.summary);
      const found = changes.map((change) => change.name);
      if (expected.configs !== undefined) expect(new Set(found)).toEqual(new Set(expected.configs));
      if (expected.configs_in_order !== undefined) expect(found).toEqual(expected.configs_in_order);
      if (expected.summaries_in_order !== undefined) {
        expect(changes.map((change) => change.summary)).toEqual(expected.summaries_in_order);
      }
    });
  });

  describe('the changes search', () => {
    it('without anything asked is the last two days of all, newest first', async () => {
      const { changes = [], total, summary } = await search({});
      expect(total).toBe(10);
      expect(summary).toEqual({ RegisterNode: 1, diff: 3, Pulled: 6 });
      const times = changes.map((change) => Date.parse(change.created_at));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    });

    it('counts everything that is found, whatever the page', async () => {
      const second = await search({ page: 2, page_size: 3, sort_by: '-name' });
      expect(second).toMatchObject({ total: 10, summary: { Pulled: 6 } });
      expect(second.changes?.map((change) => change.name)).toEqual(['W', 'V', 'U']);
      expect((await search({ page: 99 })).changes).toBeUndefined();
    });

    it('goes on after the exact moment of the last change that was seen', async () => {
      const finer = '2020-01-02T03:04:05.123456Z';
      const id = await server.db.text(
        `insert into config_changes (config_id, change_type, created_at)
         select $1::uuid, 'Exact', moment::timestamptz
           from unnest(array['2020-01-02T03:04:05.123400Z', $2, '2020-01-02T03:04:05.123457Z']) as moment
         returning (select $1::text)`,
        [idOf('U'), finer],
      );
      const times = async (request: object) =>
        ((await search({ id, type: 'Exact', recursive: 'none', ...request })).changes ?? []).map(
          (change) => change.created_at,
        );
      expect(await times({ from: finer })).toEqual([expect.stringContaining('05.123457')]);
      expect(await times({ from: '2020-01-02T05:04:05.123456+02:00' })).toHaveLength(1);
      expect(await times({ from: '2020-01-02', to: finer })).toHaveLength(2);
      await server.db.run(`delete from config_changes where change_type = 'Exact'`);
    });

    it('finding nothing answers an empty object', async () => {
      const answer = await browser.post('/api/catalog/changes', { type: 'nothing' });
      expect(await answer.text()).toBe('{}');
    });

    it.each([
      ['id as a list', { id: `${idOf('U')},${idOf('V')}` }, ['U', 'V']],
      ['id as an exclusion', { id: `!${idOf('U')}`, type: 'RegisterNode' }, []],
      ['change types', { type: 'diff,!Pulled' }, ['V', 'X', 'Y']],
      ['a type pattern', { config_type: '*Pod' }, ['W', 'Z']],
      ['a severity it excludes', { severity: '!info' }, ['V', 'W', 'Y']],
      ['an unknown severity', { severity: 'Info', type: 'diff' }, ['V', 'X', 'Y']],
      ['an encoded summary', { summary: '.name%2EU' }, ['U']],
      ['a source', { source: `!${SOURCE}` }, []],
      ['a person', { created_by: EDITOR }, ['V']],
      ['a foreign name', { created_by: 'kubelet' }, ['W']],
      ['an excluded name', { created_by: '!kubelet', type: 'Pulled', config_type: 'Kubernetes::Pod' }, ['Z']],
      ['tags', { tags: 'namespace=test-changes,zone in (a)' }, ['A', 'B', 'C', 'D']],
      ['absent tags', { tags: 'zone notin (a),nothing!=x' }, ['U', 'V', 'W', 'X', 'Y', 'Z']],
      ['the local agent', { agent_id: 'local', type: 'RegisterNode' }, ['U']],
      ['another agent', { agent_id: '!local' }, []],
      ['an end', { to: 'now-2h-30m', type: 'diff' }, ['X', 'Y']],
      ['a day that is one word', { from: 'now-30y/y', to: 'now-30y/y' }, []],
    ])('filters by %s', async (_what, request, expected) => {
      expect(await names(request)).toEqual(expected);
    });

    it('takes the same snapped moment at both ends for the whole of that time', async () => {
      expect((await search({ from: 'now/y', to: 'now/y' })).total).toBeGreaterThan(0);
    });

    it('stays at the config itself when told so, and keeps to the depth', async () => {
      expect(await names({ id: idOf('V'), recursive: 'none' })).toEqual(['V']);
      expect(await names({ id: idOf('V'), recursive: '' })).toEqual(['V']);
      expect(await names({ id: idOf('U'), recursive: 'downstream', depth: 1 })).toEqual(['U', 'V', 'W']);
    });

    it('hides what happened to deleted configs until asked', async () => {
      await server.db.run('update config_items set deleted_at = now() where id = $1', [idOf('D')]);
      expect(await names({ type: 'Pulled' })).not.toContain('D');
      expect(await names({ type: 'Pulled', include_deleted_configs: true })).toContain('D');
      await server.db.run('update config_items set deleted_at = null where id = $1', [idOf('D')]);
    });

    it('answers the same by GET', async () => {
      const answer = await browser.get(
        '/api/catalog/changes?type=diff&page_size=2&include_deleted_configs=false',
      );
      expect(answerSchema.parse(await answer.json())).toMatchObject({ total: 3, summary: { diff: 3 } });
    });

    it.each([
      ['sort_by', { sort_by: 'tags' }],
      ['from', { from: 'yesterday' }],
      ['from', { from: 'now', to: 'now' }],
      ['to', { to: 'whenever' }],
      ['tags', { tags: 'a b' }],
      ['recursive', { recursive: 'sideways' }],
      ['page', { page: -1 }],
      ['page_size', { page_size: 'ten' }],
      ['depth', { depth: 1000 }],
      ['type', { type: 7 }],
    ])('refuses a wrong %s and names it', async (field, request) => {
      const answer = await browser.post('/api/catalog/changes', request);
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { error: string }).error.startsWith(field)).toBe(true);
    });

    it('takes no text of a request for SQL', async () => {
      const text = `'; drop table config_changes; --`;
      for (const field of [
        'id',
        'type',
        'summary',
        'source',
        'created_by',
        'config_type',
        'severity',
        'agent_id',
      ]) {
        await search({ [field]: text });
      }
      expect(await names({ tags: `${text.replaceAll(/[ ;]/g, '')}=x` })).toEqual([]);
      expect((await search({})).total).toBe(10);
    });
  });

  describe('the catalog summary', () => {
    const rowSchema = z.looseObject({ count: z.number(), created_at: z.string(), updated_at: z.string() });
    const summary = async (request: unknown) => {
      const answer = await browser.post('/api/catalog/summary', request);
      expect(answer.status).toBe(200);
      return z.array(rowSchema).parse(await answer.json());
    };

    it('groups by type unless asked otherwise, in order, with health and open findings', async () => {
      const rows = await summary({ analysis: { since: '7d' } });
      expect(rows.map((row) => row['type'])).toEqual(
        ['ConfigMap', 'Deployment', 'Node', 'PersistentVolume', 'Pod', 'ReplicaSet'].map(
          (name) => `Kubernetes::${name}`,
        ),
      );
      expect(rows.find((row) => row['type'] === 'Kubernetes::Pod')).toMatchObject({
        count: 2,
        health: { healthy: 2 },
        analysis: { security: 1 },
      });
      expect(rows.find((row) => row['type'] === 'Kubernetes::Node')).toMatchObject({
        health: { unhealthy: 1 },
        analysis: null,
      });
      expect(rows[0]).not.toHaveProperty('changes');
      expect(rows[0]).not.toHaveProperty('cost_7d');
    });

    it('counts changes and sums costs when asked', async () => {
      const rows = await summary({ changes: { since: '3d' }, analysis: { since: '30d' }, cost: '7d' });
      expect(rows.find((row) => row['type'] === 'Kubernetes::Pod')).toMatchObject({
        changes: 2,
        cost_7d: 3,
        analysis: { security: 1, cost: 1 },
      });
      const short = await summary({ changes: { since: '150m' } });
      expect(short.reduce((sum, row) => sum + Number(row['changes']), 0)).toBe(3);
    });

    it('groups by columns and by tags, the class being a column', async () => {
      const rows = await summary({ groupBy: ['config_class', 'zone'] });
      expect(rows.map((row) => [row['config_class'], row['zone'], row.count])).toEqual([
        ['ConfigMap', 'a', 4],
        ['Deployment', 'b', 1],
        ['Node', 'b', 1],
        ['PersistentVolume', 'b', 1],
        ['Pod', 'b', 2],
        ['ReplicaSet', 'b', 1],
      ]);
      expect((await summary({ groupBy: ['no such tag'] }))[0]).toMatchObject({
        'no such tag': null,
        count: 10,
      });
    });

    it.each([
      ['labels that are any of these', { filter: { app: 'u', tier: '1' } }, 5],
      ['labels that are none of these', { filter: { app: '!u', tier: '!1' } }, 5],
      ['health', { health: '!healthy' }, 1],
      ['status', { status: 'Run*' }, 10],
    ])('filters by %s', async (_what, request, expected) => {
      const rows = await summary(request);
      expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(expected);
    });

    it('takes what the original client sends for nothing', async () => {
      expect(
        await summary({ changes: { since: '' }, analysis: null, cost: '', deleted: null, groupBy: [] }),
      ).toHaveLength(6);
      expect(await summary(undefined)).toHaveLength(6);
    });

    it.each([
      ['changes.since', { changes: { since: 'soon' } }],
      ['analysis.since', { analysis: { since: '-1d' } }],
      ['cost', { cost: '2d' }],
      ['groupBy', { groupBy: 'type' }],
    ])('refuses a wrong %s and names it', async (field, request) => {
      const answer = await browser.post('/api/catalog/summary', request);
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { error: string }).error.startsWith(field)).toBe(true);
    });

    it('is for those who are signed in', async () => {
      const stranger = openTestBrowser(server.url);
      expect((await stranger.post('/api/catalog/summary', {})).status).toBe(401);
      expect((await stranger.post('/api/catalog/changes', {})).status).toBe(401);
    });
  });
});
