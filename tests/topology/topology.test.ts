/**
 * The topology over the shared data set. The expected answers are upstream's, of an older state of its data and
 * rules: what is compared is which components there are, how they nest, what their summaries count, and the lists.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { loadDataset, readDatasetFile } from '../../server/app/seed/testing/dataset.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

const LOGISTICS = '018681fc-e54f-bd4f-42be-068a9a69eeb5';
const API = '018681fd-5770-336f-227c-259435d7fc6b';
const UI = '018681fd-c1ff-16ee-dff0-8c8796e4263e';
const NODE_A = '018681fe-f5aa-37e9-83f7-47b5b0232d5e';
const NODE_B = '018681ff-227e-4d71-b38e-0693cc862213';
const MACHINE_B = '37a5efb2-a17d-5d6e-8730-009c5ed6df40';
const POD_ON_A = '018681ff-80ed-d10d-21ef-c74f152b085b';
const NOWHERE = '018681fc-0000-0000-0000-000000000000';

interface Node {
  id: string;
  name: string;
  status: string;
  health?: string;
  summary: { checks?: Record<string, number> } & Record<string, unknown>;
  components?: Node[];
  relationship_id?: string;
  [field: string]: unknown;
}
const nodeSchema: z.ZodType<Node> = z.looseObject({
  id: z.guid(),
  agent_id: z.guid(),
  name: z.string(),
  namespace: z.string(),
  status: z.string(),
  description: z.string(),
  status_reason: z.string(),
  type: z.string(),
  is_leaf: z.boolean(),
  created_at: z.string(),
  summary: z.looseObject({ checks: z.record(z.string(), z.number()).optional() }),
  get components() {
    return z.array(nodeSchema).optional();
  },
}) as unknown as z.ZodType<Node>;
const answerSchema = z.strictObject({
  components: z.array(nodeSchema),
  healthStatuses: z.array(z.string()),
  teams: z.array(z.string()),
  tags: z.record(z.string(), z.array(z.string())).nullable(),
  types: z.array(z.string()),
});

/** Severities are read in any case, and kept in small letters. */
const withSmallSeverities = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll('"Blocker"', '"blocker"'));

const indexSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      request: z.looseObject({
        id: z.string().optional(),
        depth: z.number().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        owner: z.string().optional(),
        types: z.array(z.string()).optional(),
        status: z.array(z.string()).optional(),
        sort_by: z.string().optional(),
      }),
    }),
  ),
});
const readExpected = (file: string) => readDatasetFile<unknown>(`expectations/${file}`);
const requests = Object.entries(indexSchema.parse(await readExpected('_index.json')).files).filter(([file]) =>
  file.startsWith('topology_'),
);

function queryOf(request: (typeof requests)[number][1]['request']): string {
  const labels = Object.entries(request.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const fields: Record<string, string | undefined> = {
    id: request.id,
    depth: request.depth?.toString(),
    labels: labels.join(','),
    owner: request.owner,
    type: request.types?.join(','),
    status: request.status?.join(','),
    sortBy: request.sort_by,
  };
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
}

/** Names of pods have changed since; their ids have not. Checks are compared where the data still has them. */
function shapeOf(nodes: readonly Node[] | undefined): unknown {
  const shaped = (nodes ?? []).map(({ id, summary: { checks: _checks, ...summary }, components }) => ({
    id,
    summary,
    components: shapeOf(components),
  }));
  return shaped.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Left of the lists: components that upstream's older data had and the data set has not. */
const GONE_TYPES = new Set(['Flux', 'FluxKustomize']);
const GONE_LABELS = new Set(['fluxcd.io/name']);

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    await loadDataset(server.db);
    // The expectations know this link of a node to its machine; the rows no longer have it.
    await server.db.run(
      'insert into config_component_relationships (component_id, config_id) values ($1, $2)',
      [NODE_B, MACHINE_B],
    );
    browser = openTestBrowser(server.url);
    await browser.signIn((await server.account('viewer')).email, PASSWORD);
  });
  afterAll(() => server.stop());

  const ask = async (query: string) => {
    const answer = await browser.get(`/api/canary/api/topology?${query}`);
    expect(answer.status).toBe(200);
    return answerSchema.parse(await answer.json());
  };
  const ids = (nodes: readonly Node[] | undefined) => (nodes ?? []).map(({ id }) => id);
  const names = (nodes: readonly Node[] | undefined) => (nodes ?? []).map(({ name }) => name);

  it.each(requests)('answers %s', async (_file, { request }) => {
    const expected = answerSchema.parse(withSmallSeverities(await readExpected(_file)));
    const answered = await ask(queryOf(request));
    expect(shapeOf(answered.components)).toEqual(shapeOf(expected.components));
    expect(answered.types).toEqual(expected.types.filter((type) => !GONE_TYPES.has(type)));
    expect(answered.healthStatuses).toEqual(expected.healthStatuses);
    expect(answered.teams).toEqual(expected.teams);
    const labels = Object.entries(expected.tags ?? {}).filter(([key]) => !GONE_LABELS.has(key));
    expect(answered.tags).toEqual(Object.fromEntries(labels));
  });

  it('keeps the stored status, and tells the rolled-up health beside it', async () => {
    // The expectations carry the status `warning` here, an older rule: now the status is the stored one.
    const { components } = await ask(`id=${API}`);
    expect(components[0]).toMatchObject({ status: 'healthy', health: 'unhealthy' });
    expect(components[0]?.summary.checks).toEqual({ healthy: 1, unhealthy: 1 });
  });

  it('sorts by a property in either direction', async () => {
    const { components } = await ask(
      'id=018681ff-559f-7183-19d1-7d898b4e1413&sortBy=field:memory&sortOrder=desc',
    );
    const values = components[0]?.components?.map(
      (pod) => (pod['properties'] as { value: number }[])[0]?.value,
    );
    expect(values).toEqual([300, 200, 100]);
  });

  it('sorts the worst first as the original client asks', async () => {
    const { components } = await ask('sortBy=status&sortOrder=desc');
    expect(names(components)).toEqual(['logistics', 'cluster']);
    expect(names((await ask('sortBy=status&sortOrder=asc')).components)).toEqual(['cluster', 'logistics']);
  });

  it('says which parent shows a component that a selector put there', async () => {
    const { components } = await ask(`id=${NODE_A}`);
    expect(components[0]?.['children']).toContain(POD_ON_A);
    const pod = components[0]?.components?.find(({ id }) => id === POD_ON_A);
    expect(pod).toMatchObject({ relationship_id: NODE_A, parents: [NODE_A] });
  });

  it('flat is one list of what fits, however deep', async () => {
    const { components } = await ask('type=KubernetesPod&flatten=true');
    expect(components).toHaveLength(3);
    expect(components.every((pod) => pod.components === undefined)).toBe(true);
  });

  it.each([
    ['an excluded type', 'type=!KubernetesCluster', ['logistics']],
    [
      'All, which is no filter',
      'type=All&team=All&labels=All&status=All&agent_id=All',
      ['cluster', 'logistics'],
    ],
    ['an excluded status', 'status=!warning', ['cluster']],
    ['the local agent', 'agent_id=local', ['cluster', 'logistics']],
    ['another agent', `agent_id=${NOWHERE}`, []],
    ['an unknown id', `id=${NOWHERE}`, []],
    ['a parameter given twice', 'type=Entity&type=KubernetesCluster', ['logistics']],
  ])('takes %s', async (_what, query, expected) => {
    expect(names((await ask(query)).components)).toEqual(expected);
  });

  describe('with a team, a hidden component and expressions', () => {
    beforeAll(async () => {
      await server.db.run(
        'insert into team_components (team_id, component_id) select id, $1 from teams where deleted_at is null',
        [LOGISTICS],
      );
      await server.db.run('update components set hidden = true where id = $1', [UI]);
      await server.db.run(
        `update components set health_expr = 'summary.healthy > 0 ? "warning" : "unhealthy"',
           status_expr = 'self.name + " is " + string(summary.healthy)' where id = $1`,
        [NODE_A],
      );
    });

    it('filters by team and lists the teams there are', async () => {
      const answered = await ask('team=Backend');
      expect(names(answered.components)).toEqual(['logistics']);
      expect(answered.teams).toEqual(['Backend']);
      expect(names((await ask('team=!Backend')).components)).toEqual(['cluster']);
    });

    it('shows hidden components until told not to', async () => {
      expect(ids((await ask(`id=${LOGISTICS}`)).components[0]?.components)).toContain(UI);
      expect(ids((await ask(`id=${LOGISTICS}&hidden=false`)).components[0]?.components)).not.toContain(UI);
    });

    it('lets expressions decide health and status, and an expression that fails changes nothing', async () => {
      expect((await ask(`id=${NODE_A}`)).components[0]).toMatchObject({
        health: 'warning',
        status: 'node-a is 2',
      });
      await server.db.run(`update components set health_expr = 'nonsense(', status_expr = '' where id = $1`, [
        NODE_A,
      ]);
      expect((await ask(`id=${NODE_A}`)).components[0]).toMatchObject({
        health: 'healthy',
        status: 'healthy',
      });
    });
  });

  it('never answers from before a change, of whatever a component shows', async () => {
    const query = `id=${API}&depth=1`;
    const before = await ask(query);
    expect(await ask(query)).toEqual(before);
    const changes: readonly [string, string[], object][] = [
      [`update components set description = 'another' where id = $1`, [API], { description: 'another' }],
      [
        `update checks set status = 'unhealthy' where id in (
           select check_id from check_component_relationships where component_id = $1)`,
        [API],
        { checks: { unhealthy: 1 } },
      ],
      [`update components set cost_total_30d = 12 where id = $1`, [API], { cost_total_30d: 12 }],
    ];
    for (const [sql, params, expected] of changes) {
      expect(before.components[0]).not.toMatchObject(expected);
      await server.db.run(sql, params);
      expect((await ask(query)).components[0]).toMatchObject(expected);
    }
    await server.db.run('update components set deleted_at = now() where id = $1', [API]);
    expect((await ask(query)).components).toEqual([]);
    await server.db.run('update components set deleted_at = null where id = $1', [API]);
    expect(names((await ask(`${query}&noCache=true`)).components)).toHaveLength(1);
  });

  it.each(['id=nonsense', 'labels=a%20b', 'depth=many', 'sortOrder=up'])('refuses %s', async (query) => {
    const answer = await browser.get(`/api/canary/api/topology?${query}`);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toContain(query.split('=')[0]);
  });
});
