/** What the page hears about an item's relations, over real stores, from the first question on. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  COLLECTION_FACTS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import type {
  PictureGroup,
  RelationRow,
  RelationsFrame,
  RelationsPatch,
  RelationsPicture,
  RelationsQuestion,
} from '../../../src/contract/relations.ts';
import { openKeyValue } from '../../store/key-value.ts';
import { createPackedRowStore } from '../../store/packed-row-store.ts';
import { metaDbName, packedDbName } from '../../store/store-names.ts';
import { createComputeService } from '../compute-service.ts';
import { RELATIONS_CAP } from './relations-model.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';

const TABLE = {
  kind: 'table',
  window: { start: 0, end: 100 },
  sortBy: 'tree',
  isDescending: false,
} as const satisfies RelationsQuestion['face'];
const QUESTION: RelationsQuestion = {
  configId: 'root',
  isIncoming: false,
  isOutgoing: true,
  isSoft: true,
  maxDepth: 10,
  hidesDeleted: true,
  types: {},
  labels: {},
  statuses: {},
  healths: {},
  tag: null,
  face: TABLE,
};
const GRAPH: RelationsQuestion['face'] = { kind: 'graph', direction: 'LR', toggled: [] };
const byId = { idOf: (row: ReplicatedRow) => row.id, partitionOf: () => '' };
const item = (id: string, type = 'Pod', more: Record<string, unknown> = {}): ReplicatedRow => ({
  id,
  name: id,
  type,
  status: 'Running',
  health: 'healthy',
  tags: {},
  labels: {},
  path: '',
  deleted_at: null,
  ...more,
});
const link = (config: string, related: string, relation = 'hard'): ReplicatedRow => ({
  id: `${related}:${config}:${relation}`,
  config_id: config,
  related_id: related,
  relation,
});

let serial = 0;
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const NAMES = ['configs', 'config_relationships', 'config_changes'] as const;
type Rows = Partial<Record<(typeof NAMES)[number], ReplicatedRow[]>>;

async function device(rows: Rows, whole: readonly CollectionName[] = NAMES) {
  serial += 1;
  const storeName = `holdfast-relations-${serial}`;
  const meta = openKeyValue(metaDbName(storeName), indexedDB);
  closers.push(() => meta.close());
  for (const name of NAMES) {
    const store = createPackedRowStore<ReplicatedRow>(
      { name: packedDbName(storeName, name), idb: indexedDB },
      byId,
    );
    closers.push(() => store.close());
    await store.replaceAll(rows[name] ?? []);
  }
  for (const name of whole) await meta.set(`whole:${name}`, true);
  const listeners = new Set<(message: unknown) => void>();
  const errors: unknown[] = [];
  const service = createComputeService(
    {
      newId: () => randomUUID(),
      now: () => performance.now(),
      later: (delayMs, run) => void setTimeout(run, delayMs),
      every: () => {},
      announce: () => {},
      idb: indexedDB,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      report: (error) => errors.push(error),
    },
    LIVE_HANDLERS,
  );
  let sequence = 0;
  const announce = (collection: string, part: { upserts?: ReplicatedRow[]; deletedIds?: string[] }) => {
    sequence += 1;
    const message = {
      storeName,
      collection,
      sequence,
      sender: 's',
      upserts: [],
      deletedIds: [],
      isReset: false,
    };
    for (const listener of listeners) listener({ ...message, ...part });
  };
  await service.attach(storeName);
  return { service, announce, errors, meta, storeName };
}
type World = Awaited<ReturnType<typeof device>>;

async function ask({ service }: World, question: Partial<RelationsQuestion> = {}) {
  const heard: {
    frame?: RelationsFrame;
    rows?: RelationRow[];
    picture?: RelationsPicture;
    generation: number;
  } = {
    generation: -1,
  };
  const patches: RelationsPatch[] = [];
  const handle = await service.ask('live-relations', { ...QUESTION, ...question }, (patch) => {
    // As it comes through a worker's port.
    const { rows, ...rest } = structuredClone(patch);
    patches.push(patch);
    Object.assign(heard, rest, rows === undefined ? {} : { rows: rows.rows });
  });
  return {
    handle,
    heard,
    patches,
    names: () => (heard.rows ?? []).map(({ depth, name }) => `${depth} ${name}`),
    until: (check: () => boolean) => expect.poll(check).toBe(true),
  };
}

const CLUSTER: Rows = {
  configs: [
    item('root', 'Deployment', { path: 'top.space' }),
    item('top', 'Cluster'),
    item('space', 'Namespace', { path: 'top' }),
    item('set', 'ReplicaSet'),
    ...['p1', 'p2', 'p3', 'p4'].map((id, at) =>
      item(id, 'Pod', { health: at === 0 ? 'unhealthy' : 'healthy', labels: { app: id } }),
    ),
    item('gone', 'Pod', { deleted_at: '2026-01-01T00:00:00Z' }),
  ],
  config_relationships: [
    link('space', 'root'),
    link('root', 'set'),
    ...['p1', 'p2', 'p3', 'p4', 'gone'].map((id) => link('set', id)),
    link('p1', 'root', 'uses'),
  ],
  config_changes: [
    { id: 'c1', config_id: 'p1' },
    { id: 'c2', config_id: 'p1' },
  ],
};

describe('the table of related items', () => {
  test('has the item, its ancestors and all it leads to, as a tree', async () => {
    const query = await ask(await device(CLUSTER));
    await query.until(() => query.heard.frame?.isLoaded === true);
    expect(query.names()).toEqual(['0 root', '1 space', '2 top', '1 set', '2 p1', '2 p2', '2 p3', '2 p4']);
    expect(query.heard.frame).toMatchObject({
      total: 7,
      passing: 7,
      rowCount: 8,
      isKnown: true,
      isCut: false,
    });
  });

  test('says nothing before relations and items are both whole on this device', async () => {
    const world = await device(CLUSTER, ['configs']);
    const query = await ask(world);
    await query.until(() => query.heard.frame !== undefined);
    expect(query.heard.frame?.isLoaded).toBe(false);
  });

  test('hides what is deleted only where that is wanted', async () => {
    const query = await ask(await device(CLUSTER), { hidesDeleted: false });
    await query.until(() => query.heard.frame?.isLoaded === true);
    expect(query.names()).toContain('2 gone');
  });

  test('counts what depth and filters hide; ancestors stay at any depth', async () => {
    const query = await ask(await device(CLUSTER), { maxDepth: 1, types: { Namespace: -1 } });
    await query.until(() => query.heard.frame?.isLoaded === true);
    expect(query.names()).toEqual(['0 root', '2 top', '1 set']);
    expect(query.heard.frame).toMatchObject({ total: 7, passing: 2 });
  });

  test('sorts by a column, and gives only the window', async () => {
    const face = { ...TABLE, window: { start: 0, end: 2 }, sortBy: 'health' } as const;
    const query = await ask(await device(CLUSTER), { face });
    await query.until(() => query.heard.frame?.isLoaded === true);
    expect(query.names()[0]).toBe('2 p1');
    expect(query.heard.rows).toHaveLength(2);
    expect(query.heard.frame?.rowCount).toBe(8);
  });

  test('tells the changes of the last days', async () => {
    const query = await ask(await device(CLUSTER));
    await query.until(() => query.heard.rows?.find(({ id }) => id === 'p1')?.changes === 2);
  });

  test('follows what comes and goes', async () => {
    const world = await device(CLUSTER);
    const query = await ask(world);
    await query.until(() => query.heard.frame?.isLoaded === true);
    world.announce('configs', { upserts: [item('p9')] });
    world.announce('config_relationships', { upserts: [link('set', 'p9')], deletedIds: ['p2:set:hard'] });
    await query.until(() => query.names().includes('2 p9'));
    expect(query.names()).not.toContain('2 p2');
  });

  test("another user's items go at once", async () => {
    const world = await device(CLUSTER);
    const query = await ask(world);
    await query.until(() => query.heard.frame?.isLoaded === true);
    await world.service.attach('holdfast-somebody-else');
    await query.until(() => query.heard.frame?.isLoaded === false);
  });

  test('an item that is not on this device is said to be so', async () => {
    const query = await ask(await device(CLUSTER), { configId: 'elsewhere' });
    await query.until(() => query.heard.frame?.isLoaded === true);
    expect(query.heard.frame?.isKnown).toBe(false);
  });
});

describe('the picture of related items', () => {
  test('has groups, lines in the direction of the relation, and a place for each', async () => {
    const query = await ask(await device(CLUSTER), { face: GRAPH });
    await query.until(() => query.heard.picture !== undefined);
    const { nodes = [], edges = [], shown } = query.heard.picture ?? {};
    expect(nodes.map(({ id }) => id)).toEqual(['root', 'set', 'space', 'set-Pod-intermediary', 'top']);
    expect(edges).toContainEqual({ from: 'space', to: 'root', look: 'hard' });
    expect(edges).toContainEqual({ from: 'set', to: 'set-Pod-intermediary', look: 'hard' });
    expect(shown).toBe(3);
    const group = nodes.find((node): node is PictureGroup => node.kind === 'group');
    expect(group).toMatchObject({ count: 4, isExpanded: false, health: { unhealthy: 1, healthy: 3 } });
    const left = (id: string) => nodes.find((node) => node.id === id)?.x ?? 0;
    expect(left('top')).toBeLessThan(left('space'));
    expect(left('space')).toBeLessThan(left('root'));
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
  });

  test('a pressed group opens', async () => {
    const face = { ...GRAPH, toggled: ['set-Pod-intermediary'] };
    const query = await ask(await device(CLUSTER), { face });
    await query.until(() => query.heard.picture !== undefined);
    expect(query.heard.picture?.shown).toBe(7);
  });

  test('what is filtered out in between leaves a line past it', async () => {
    const query = await ask(await device(CLUSTER), { face: GRAPH, types: { ReplicaSet: -1 } });
    await query.until(() => query.heard.picture !== undefined);
    const looks = new Set(query.heard.picture?.edges.map(({ look }) => look));
    expect(query.heard.picture?.nodes.map(({ id }) => id)).toContain('root-Pod-intermediary');
    expect(looks).toContain('hard');
  });

  test('a change of health moves nothing', async () => {
    const world = await device(CLUSTER);
    const query = await ask(world, { face: GRAPH });
    await query.until(() => query.heard.picture !== undefined);
    const places = () => query.heard.picture?.nodes.map(({ id, x, y }) => ({ id, x, y }));
    const before = places();
    world.announce('configs', { upserts: [item('set', 'ReplicaSet', { health: 'unhealthy' })] });
    const set = () => query.heard.picture?.nodes.find(({ id }) => id === 'set');
    await query.until(() => {
      const found = set();
      return found?.kind === 'item' && found.row.health === 'unhealthy';
    });
    expect(places()).toEqual(before);
  });

  test('of many questions in a row the last alone is answered', async () => {
    const world = await device(CLUSTER);
    const query = await ask(world, { face: GRAPH });
    await query.until(() => query.heard.picture !== undefined);
    const before = query.patches.length;
    for (const maxDepth of [1, 2, 3, 4])
      void query.handle.update({ ...QUESTION, face: GRAPH, maxDepth }, maxDepth);
    await query.until(() => query.heard.generation === 4);
    expect(query.patches.slice(before).map(({ generation }) => generation)).toEqual([4]);
  });

  test('a thousand that cannot be grouped are cut to what a picture has room for', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `n${at}`);
    const rows: Rows = {
      configs: [item('root'), ...ids.map((id) => item(id))],
      config_relationships: ids.map((id, at) => link(at < 2 ? 'root' : `n${Math.floor(at / 2) - 1}`, id)),
    };
    const query = await ask(await device(rows), { face: GRAPH });
    await query.until(() => query.heard.picture !== undefined);
    expect(query.heard.picture?.nodes).toHaveLength(500);
    expect(query.heard.frame?.total).toBe(1000);
    expect(query.heard.picture?.cut).toBeGreaterThan(0);
  });
});

test('a question that makes no sense is refused by the name of what is wrong', async () => {
  const { service } = await device({});
  const wrong = (part: Record<string, unknown>) =>
    service.ask('live-relations', { ...QUESTION, ...part } as RelationsQuestion, () => {});
  await expect(wrong({ maxDepth: 11 })).rejects.toThrow('maxDepth');
  await expect(wrong({ isSoft: 'yes' })).rejects.toThrow('isSoft');
  await expect(wrong({ types: { Pod: 2 } })).rejects.toThrow('types');
  await expect(wrong({ face: { kind: 'graph', direction: 'UP', toggled: [] } })).rejects.toThrow('direction');
  await expect(wrong({ face: { ...TABLE, sortBy: 'colour' } })).rejects.toThrow('sortBy');
});

test('the cap is the one that the store keeps', () => {
  expect(RELATIONS_CAP).toBe(COLLECTION_FACTS.config_relationships.cap);
});
