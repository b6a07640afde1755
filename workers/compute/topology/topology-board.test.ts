/** The cards of a topology: which are found, in which order, and what they say. */
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { HealthState } from '../../../src/domain/check/health.ts';
import type { TopologyQuery } from '../../../src/contract/topology-view.ts';
import { CollectionIndex, type EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import { componentView } from './component-facts.ts';
import { componentReach } from './component-reach.ts';
import { createFacets, createTopologyBoard } from './topology-board.ts';
import { TopologyModel } from './topology-model.ts';
import { ComponentPictureMaker } from './topology-picture.ts';
import { createOutline } from './topology-outline.ts';

const QUERY: TopologyQuery = {
  rootId: null,
  isFlat: false,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'status',
  isDescending: true,
};

function component(id: string, over: Partial<ReplicatedRow> = {}): ReplicatedRow {
  return {
    id,
    name: id,
    parent_id: null,
    type: 'Application',
    status: 'healthy',
    health: 'healthy',
    ...over,
  };
}

/** A topology over real rows, without any unsent command. */
function setUp(rows: readonly ReplicatedRow[]) {
  const index = new CollectionIndex('components', {
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
    touchedIds: () => [],
  });
  index.apply({ upserts: rows, deletedIds: [] });
  const checks = new Map<string, HealthState>();
  let hearChecks = () => {};
  let hear: (changes: readonly EntryChange[] | null) => void = () => {};
  const model = new TopologyModel(
    {
      attend(_name, listener) {
        hear = listener.hear;
        return { source: { index, isLoaded: () => true }, leave: () => {} };
      },
    },
    {
      isLoaded: () => true,
      stateOf: (id) => checks.get(id),
      follow(refresh) {
        hearChecks = refresh;
        return () => {};
      },
    },
    () => {},
  );
  const answer = createTopologyBoard(model, createFacets(model));
  const board = (query: Partial<TopologyQuery> = {}) => answer({ ...QUERY, ...query });
  const names = (query: Partial<TopologyQuery> = {}) =>
    board(query)
      .rows(0, 100)
      .map(({ id }) => id);
  const change = (upserts: readonly ReplicatedRow[], deletedIds: readonly string[] = []) =>
    hear(index.apply({ upserts, deletedIds }));
  /** The checks of this device are in these states now. */
  const turn = (states: Readonly<Record<string, HealthState>>) => {
    for (const [id, state] of Object.entries(states)) checks.set(id, state);
    hearChecks();
  };
  return { model, board, names, change, turn };
}

const ESTATE = [
  component('shop', { labels: { team: 'a' } }),
  component('api', { parent_id: 'shop', labels: { team: 'b' }, agent_id: 'agent-1' }),
  component('db', { parent_id: 'api', type: 'Database', status: 'unhealthy', health: 'unhealthy' }),
  component('bank', { status: 'warning', health: 'warning', updated_at: '2026-01-02T00:00:00Z' }),
  component('mail', { hidden: true, updated_at: '2026-01-01T00:00:00Z' }),
  component('news', { status: 'info', health: null }),
  component('new', { status: 'unknown', health: null }),
];

test('the top is in order of health, with what is under each summed up', () => {
  const { board, names } = setUp(ESTATE);
  expect(names()).toEqual(['shop', 'bank', 'new', 'mail', 'news']);
  const [shop] = board().rows(0, 1);
  expect(shop).toMatchObject({ state: 'unhealthy', childCount: 1, parts: { unhealthy: 1, healthy: 0 } });
  expect(shop?.children).toMatchObject([{ id: 'api', state: 'unhealthy' }]);
  expect(board().frame).toMatchObject({ rowCount: 5, totalCount: 7 });
});

test('what nobody judged is never shown as healthy', () => {
  const { board } = setUp([
    component('a', { status: '', health: null }),
    component('b', { parent_id: 'a', status: 'unknown', health: null }),
  ]);
  expect(board().rows(0, 1)).toMatchObject([{ state: 'unknown' }]);
});

test('a search and a type look at every component, however deep', () => {
  const { names } = setUp(ESTATE);
  expect(names({ search: 'DB' })).toEqual(['db']);
  expect(names({ types: { Database: 1 } })).toEqual(['db']);
  expect(names({ rootId: 'shop', search: 'db' })).toEqual(['db']);
  expect(names({ rootId: 'bank', search: 'db' })).toEqual(['bank']);
});

test('labels and agents show the topmost that have them', () => {
  const { names } = setUp(ESTATE);
  expect(names({ labels: { 'team=b': 1 } })).toEqual(['api']);
  expect(names({ labels: { 'team=b': 1, 'team=a': 1 } })).toEqual(['shop']);
  expect(names({ labels: { 'team=a': -1 } })).toEqual(['api', 'bank', 'new', 'mail', 'news']);
  expect(names({ agents: { 'agent-1': 1 } })).toEqual(['api']);
  expect(names({ agents: { local: -1 } })).toEqual(['api']);
  // The agent of the server itself, by its name or by its id.
  const nil = '00000000-0000-0000-0000-000000000000';
  expect(names({ agents: { local: 1 } })).toContain('shop');
  expect(names({ agents: { [nil]: 1 } })).toEqual(names({ agents: { local: 1 } }));
  expect(names({ agents: { [nil]: -1 } })).toEqual(['api']);
});

test('a status is that of the component with its parts, or a warning where good and bad meet', () => {
  const { names } = setUp([...ESTATE, component('web', { parent_id: 'shop' })]);
  expect(names({ status: { unhealthy: 1 } })).toEqual(['shop']);
  expect(names({ status: { warning: 1 } })).toEqual(['shop', 'bank']);
  expect(names({ status: { unhealthy: -1, warning: -1 } })).toEqual(['new', 'mail', 'news']);
});

test('hidden components are left out with all that is under them, but not out of the health above', () => {
  const { names, board } = setUp([
    component('a'),
    component('secret', { parent_id: 'a', hidden: true, status: 'unhealthy', health: 'unhealthy' }),
    component('under', { parent_id: 'secret' }),
  ]);
  expect(names({ rootId: 'a', hidesHidden: true })).toEqual([]);
  expect(names({ search: 'under', hidesHidden: true })).toEqual([]);
  expect(board({ hidesHidden: true }).rows(0, 1)).toMatchObject([{ state: 'unhealthy', childCount: 0 }]);
});

test('orders are by name, type, time or a headline; what has no value comes last either way', () => {
  const headline = (value: number) => ({ properties: [{ name: 'cost', value, headline: true }] });
  const { names, board } = setUp([
    component('b', { type: 'X', ...headline(2) }),
    component('a', { type: 'Y' }),
    component('C', { type: 'X', ...headline(10) }),
  ]);
  expect(names({ sortBy: 'name', isDescending: false })).toEqual(['a', 'b', 'C']);
  expect(names({ sortBy: 'name' })).toEqual(['C', 'b', 'a']);
  expect(names({ sortBy: 'type', isDescending: false })).toEqual(['b', 'C', 'a']);
  expect(names({ sortBy: 'field:cost' })).toEqual(['C', 'b', 'a']);
  expect(names({ sortBy: 'field:cost', isDescending: false })).toEqual(['b', 'C', 'a']);
  expect(names({ sortBy: 'updated_at' })).toEqual(['a', 'b', 'C']);
  expect(board().frame.facets.headlines).toEqual(['cost']);
});

test('what is equal in an order stands as its document has it; a name has the last word only then', () => {
  const { board, names } = setUp([
    component('whole', { children: ['a', 'b', 'c', 'd'] }),
    component('a'),
    component('b', { order: 2 }),
    component('c', { order: 1 }),
    component('d', { order: 9, health: 'unhealthy', status: 'unhealthy' }),
  ]);
  expect(names({ rootId: 'whole' })).toEqual(['d', 'c', 'b', 'a']);
  expect(names({ rootId: 'whole', isDescending: false })).toEqual(['c', 'b', 'a', 'd']);
  expect(names({ rootId: 'whole', sortBy: 'type' })).toEqual(['c', 'b', 'd', 'a']);
  expect(names({ rootId: 'whole', sortBy: 'name', isDescending: false })).toEqual(['a', 'b', 'c', 'd']);
  const whole = board({ search: 'whole' }).rows(0, 1)[0];
  expect(whole?.children.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
});

test('a component without parts is shown itself; parts put there by a selector are shown as well', () => {
  const { names } = setUp([
    component('left', { children: ['shared'] }),
    component('right', { children: ['shared', 'left'] }),
    component('shared', { parent_id: 'left' }),
  ]);
  expect(names({ rootId: 'shared' })).toEqual(['shared']);
  expect(names({ rootId: 'right' })).toEqual(['left', 'shared']);
  expect(names()).toEqual(['left', 'right']);
  expect(names({ rootId: 'nowhere' })).toEqual([]);
});

test('circles end, and nothing in them is lost', () => {
  const { names } = setUp([
    component('a', { parent_id: 'b' }),
    component('b', { parent_id: 'a' }),
    component('orphan', { parent_id: 'gone' }),
  ]);
  expect(names()).toEqual(['a', 'orphan']);
  expect(names({ rootId: 'a' })).toEqual(['b']);
  expect(names({ rootId: 'a', search: 'b' })).toEqual(['b']);
});

test('a change is followed by everything above it, and a new place by the tree', () => {
  const { board, names, change, model } = setUp(ESTATE);
  expect(names({ status: { unhealthy: 1 } })).toEqual(['shop']);
  change([component('db', { parent_id: 'api' })]);
  expect(names({ status: { unhealthy: 1 } })).toEqual([]);
  change([component('db', { parent_id: 'bank', status: 'unhealthy', health: 'unhealthy' })]);
  expect(board().rows(0, 1)).toMatchObject([{ id: 'bank', state: 'unhealthy', childCount: 1 }]);
  expect(componentView(model, 'db').component?.ancestors).toMatchObject([{ id: 'bank' }]);
  change([], ['db', 'bank']);
  expect(names()).toEqual(['new', 'mail', 'shop', 'news']);
  expect(componentView(model, 'db').component).toBeNull();
});

test('a component is judged by its checks as this device knows them: overdue ones leave nothing healthy', () => {
  const { model, board, turn } = setUp([
    component('shop', { status: '', health: null }),
    component('web', {
      parent_id: 'shop',
      status: '',
      health: null,
      checks: { healthy: 2 },
      check_ids: ['home', 'login'],
    }),
  ]);
  const states = () => ['web', 'shop'].map((id) => model.shown(id).state);
  // Not on this device yet: what the server counted.
  expect(states()).toEqual(['healthy', 'healthy']);
  turn({ home: 'healthy', login: 'unhealthy' });
  expect(states()).toEqual(['unhealthy', 'unhealthy']);
  expect(board().rows(0, 1)[0]?.summary.checks).toEqual({ healthy: 1, unhealthy: 1 });
  // Of many only some are listed at first.
  expect(componentView(model, 'web').component?.checkIds).toEqual(['login', 'home']);
  turn({ home: 'unknown', login: 'unknown' });
  expect(states()).toEqual(['unknown', 'unknown']);
  turn({ home: 'healthy', login: 'healthy' });
  expect(states()).toEqual(['healthy', 'healthy']);
});

test('a search finds the same where it walks the tree, and where it need not', () => {
  const { names } = setUp([
    ...ESTATE,
    component('round', { parent_id: 'trip' }),
    component('trip', { parent_id: 'round' }),
    component('lost', { parent_id: 'gone' }),
  ]);
  for (const search of ['o', 'db', 'api', 'trip', 'appl'])
    expect(names({ search }).filter((id) => id !== 'mail')).toEqual(names({ search, hidesHidden: true }));
  expect(names({ search: 'mail' })).toEqual(['mail']);
  expect(names({ search: 'trip' })).toEqual(['trip']);
});

test('a flat question finds components at any depth, by how they are with their parts', () => {
  const { names } = setUp(ESTATE);
  expect(names({ isFlat: true, status: { unhealthy: 1 } })).toEqual(['api', 'db', 'shop']);
  expect(names({ status: { unhealthy: 1 } })).toEqual(['shop']);
  expect(names({ isFlat: true, status: { unhealthy: -1 } })).toEqual(['bank', 'new', 'mail', 'news']);
});

test('the tree shows a level, or at its top the cards that are found', () => {
  const { model, names } = setUp(ESTATE);
  const outline = createOutline(model);
  const lines = (query: Partial<TopologyQuery & { toggled: string[] }> = {}) =>
    outline({ ...QUERY, toggled: [], ...query })
      .rows(0, 100)
      .map(({ key, level }) => `${level} ${key}`);
  expect(lines({ rootId: 'shop' })).toEqual(['1 shop', '2 shop/api']);
  for (const query of [{}, { search: 'db' }, { labels: { 'team=b': 1 } }, { hidesHidden: true }] as const)
    expect(lines(query)).toEqual(names(query).map((id) => `1 ${id}`));
  expect(lines({ rootId: 'shop', types: { Database: 1 } })).toEqual(['1 db']);
  expect(lines({ status: { unhealthy: 1 }, toggled: ['shop'] })).toEqual(['1 shop', '2 shop/api']);
});

test('what the counts of a component are about: it and everything under it, each once, with their items', () => {
  const { model } = setUp([
    component('shop', { children: ['db'], config_ids: ['site'] }),
    component('api', { parent_id: 'shop', config_ids: ['vm', 'pod'] }),
    component('db', { parent_id: 'api', children: ['shop'], config_ids: ['vm'] }),
    component('bank', { config_ids: ['vault'] }),
  ]);
  expect(componentReach(model, 'shop')).toEqual({
    isLoaded: true,
    componentIds: ['api', 'db', 'shop'],
    configIds: ['pod', 'site', 'vm'],
  });
  expect(componentReach(model, 'bank')).toMatchObject({ componentIds: ['bank'], configIds: ['vault'] });
  expect(componentReach(model, 'nobody')).toEqual({ isLoaded: true, componentIds: [], configIds: [] });
});

test('a picture tells its parts from what belongs to it or is needed by it', () => {
  const { model } = setUp([
    component('shop', { children: ['db'] }),
    component('api', { parent_id: 'shop' }),
    component('cache', { parent_id: 'api' }),
    component('db'),
    component('disk', { parent_id: 'db' }),
    component('company', { children: ['shop'] }),
  ]);
  const places = () => new Map();
  const look = { direction: 'LR', isNarrow: false, toggled: [] } as const;
  const picture = new ComponentPictureMaker(places).make(model, { componentId: 'shop', ...look });
  const nodes = picture?.nodes.flatMap((node) => (node.kind === 'item' ? [[node.id, node.side]] : []));
  expect(Object.fromEntries(nodes ?? [])).toEqual({
    shop: 'self',
    api: 'outgoing',
    cache: 'outgoing',
    db: 'related',
    disk: 'related',
    company: 'incoming',
  });
});
