/** How much of a topology is answered at once: anybody who may look may ask for it. */
import { expect, test } from 'vitest';
import type { ComponentRow } from './store/components-query.ts';
import { readTopology, type TopologyQuestion } from './read-topology.ts';

const NOTHING = { wanted: [], refused: [] };
const QUESTION: TopologyQuestion = {
  id: '',
  owner: NOTHING,
  labels: [],
  status: NOTHING,
  type: NOTHING,
  team: NOTHING,
  agent_id: NOTHING,
  hidden: '',
  depth: 10,
  flatten: false,
  sortBy: '',
  sortOrder: '',
};

const row = (id: string, over: Partial<ComponentRow> = {}): ComponentRow => ({
  id,
  name: id,
  parent_id: null,
  type: null,
  status: 'healthy',
  health: null,
  status_expr: null,
  health_expr: null,
  checks: null,
  incidents: null,
  analysis: null,
  children: null,
  own_summary: null,
  agent_id: '00000000-0000-0000-0000-000000000000',
  namespace: null,
  description: null,
  status_reason: null,
  owner: null,
  labels: {},
  properties: null,
  hidden: false,
  is_leaf: false,
  team_names: null,
  parents: null,
  order: null,
  judged_status: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
  ...over,
});

interface Shown {
  components?: Shown[];
}
const countOf = (nodes: readonly Shown[]): number =>
  nodes.reduce((sum, { components = [] }) => sum + 1 + countOf(components), 0);
const ask = async (rows: readonly ComponentRow[]) =>
  readTopology(rows, QUESTION, () => Promise.resolve({ health: null, status: null }));

test('components that all select each other are shown down to where there are too many, and that is said', async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `c${at}`);
  const answer = await ask(ids.map((id) => row(id, { children: ids })));
  const nodes = answer.components as Shown[];
  expect(nodes).toHaveLength(20);
  // The first levels are whole: what is left out is the deepest.
  for (const node of nodes) {
    expect(node.components).toHaveLength(19);
    for (const child of node.components ?? []) expect(child.components).toHaveLength(18);
  }
  expect(countOf(nodes)).toBeLessThan(20_100);
  expect(answer.message).toContain('the deepest are left out');
});

test('a tree in which each component stands once is shown whole, however large', async () => {
  const rows = Array.from({ length: 21_000 }, (_, at) =>
    row(`c${at}`, { parent_id: at === 0 ? null : `c${Math.floor((at - 1) / 20)}` }),
  );
  const answer = await ask(rows);
  expect(countOf(answer.components as Shown[])).toBe(21_000);
  expect(answer).not.toHaveProperty('message');
});
