/** Walks through the catalog, on the graphs and cases of the public fixtures. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database, SqlValue } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';
import { readDatasetFile } from '../../../app/seed/testing/dataset.ts';

interface Edge {
  config: string;
  related: string;
  relation: string;
}
interface RelatedCases {
  graphs: {
    letters: { nodes: string[]; edges: Edge[] };
    kubernetes: { nodes: { name: string; type: string; parent?: string }[]; edges: Edge[] };
  };
  cases: {
    name: string;
    graph: 'letters' | 'kubernetes';
    config: string;
    args: Record<string, SqlValue>;
    expect_names: string[];
    expect_count: number;
    expect_related_ids?: Record<string, string[]>;
  }[];
}
interface ChangeCases {
  graph: {
    configs: { name: string; type: string; config_class: string; parent: string | null }[];
    soft_relationships: Edge[];
    changes: { config: string; change_type: string; severity: string; summary: string; source: string }[];
  };
  cases: {
    name: string;
    request: Record<string, unknown>;
    expect: { configs?: string[] };
  }[];
}

const RELATED = await readDatasetFile<RelatedCases>('cases/related_configs.json');
const CHANGES = await readDatasetFile<ChangeCases>('cases/catalog_changes.json');

forEachDatabase((_name, open) => {
  let db: Database;
  const idOf = new Map<string, string>();
  const nameOf = new Map<string, string>();

  const id = (graph: string, name: string) => {
    const found = idOf.get(`${graph}/${name}`);
    if (found === undefined) throw new Error(`no item ${name} in ${graph}`);
    return found;
  };
  const addItem = async (
    graph: string,
    item: { name: string; type: string; parent?: string | null; config_class?: string },
  ) => {
    const [row] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into config_items (name, type, config_class, parent_id) values ($1, $2, $3, $4) returning id`,
      [item.name, item.type, item.config_class ?? item.type, item.parent ? id(graph, item.parent) : null],
    );
    if (row === undefined) throw new Error('not stored');
    idOf.set(`${graph}/${item.name}`, row.id);
    nameOf.set(row.id, item.name);
  };
  const addEdge = (graph: string, { config, related, relation }: Edge) =>
    db.run(
      `insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3) on conflict do nothing`,
      [id(graph, config), id(graph, related), relation],
    );
  const related = (config: string, args: Record<string, SqlValue> = {}) => {
    const named = Object.keys(args).map((name, at) => `, ${name} => $${at + 2}`);
    return db.rows(
      z.custom<{ id: string; name: string; related_ids: string[] | null; changes: number }>(),
      `select id, name, related_ids, changes from related_configs_recursive(config_id => $1${named.join('')})`,
      [config, ...Object.values(args)],
    );
  };

  beforeAll(async () => {
    db = await open();
    for (const name of RELATED.graphs.letters.nodes) await addItem('letters', { name, type: 'A' });
    for (const node of RELATED.graphs.kubernetes.nodes) await addItem('kubernetes', node);
    for (const edge of RELATED.graphs.letters.edges) await addEdge('letters', edge);
    for (const edge of RELATED.graphs.kubernetes.edges) await addEdge('kubernetes', edge);
    for (const item of CHANGES.graph.configs) await addItem('changes', item);
    for (const edge of CHANGES.graph.soft_relationships) await addEdge('changes', edge);
    for (const change of CHANGES.graph.changes)
      await db.run(
        `insert into config_changes (config_id, change_type, severity, summary, source) values ($1, $2, $3, $4, $5)`,
        [id('changes', change.config), change.change_type, change.severity, change.summary, change.source],
      );
  });

  describe('related_configs_recursive', () => {
    test.each(RELATED.cases)('$name', async (each) => {
      const rows = await related(id(each.graph, each.config), each.args);
      expect(rows.map(({ name }) => name).toSorted()).toEqual(each.expect_names.toSorted());
      expect(rows).toHaveLength(each.expect_count);
      for (const [name, targets] of Object.entries(each.expect_related_ids ?? {})) {
        const row = rows.find((candidate) => candidate.name === name);
        const names = (row?.related_ids ?? []).map((target) => nameOf.get(target) ?? '').toSorted();
        // By the path, an ancestor's own parent comes on top.
        expect(names, name).toEqual(expect.arrayContaining(targets.toSorted()));
      }
    });

    test('depth counts links, and the nearest come first', async () => {
      const names = (await related(id('letters', 'U'), { max_depth: 2 })).map(({ name }) => name);
      expect(names).toEqual(['U', 'V', 'W', 'X', 'Y']);
    });

    test('hard leaves soft links out, each side by itself', async () => {
      const hard = await related(id('kubernetes', 'dev'), {
        type_filter: 'incoming',
        incoming_relation: 'hard',
      });
      expect(hard.map(({ name }) => name)).toEqual(['dev', 'Cluster']);
      const other = await related(id('kubernetes', 'dev'), {
        type_filter: 'incoming',
        outgoing_relation: 'hard',
      });
      expect(other).toHaveLength(4);
    });

    test('a deleted link is no link, and a deleted item is shown only when asked for', async () => {
      await db.run(
        'update config_relationships set deleted_at = now() where config_id = $1 and related_id = $2',
        [id('letters', 'L'), id('letters', 'O')],
      );
      await db.run('update config_items set deleted_at = now() where id = $1', [id('letters', 'M')]);
      const names = async (args: Record<string, SqlValue>) =>
        (await related(id('letters', 'L'), args)).map(({ name }) => name);
      expect(await names({})).toEqual(['L', 'N', 'p']);
      expect(await names({ include_deleted_configs: true })).toEqual(['L', 'M', 'N', 'p']);
      await db.run('update config_items set deleted_at = null where id = $1', [id('letters', 'M')]);
      await db.run('update config_relationships set deleted_at = null where related_id = $1', [
        id('letters', 'O'),
      ]);
    });

    test('ancestors come by the path, as steps from the child to its parent', async () => {
      const [cluster, dev, deployment] = ['Cluster', 'dev', 'config-db'].map((name) =>
        id('kubernetes', name),
      );
      expect(
        await db.rows(
          z.unknown(),
          'select id, related_id, relation_type, direction, depth from get_recursive_path($1)',
          [deployment ?? ''],
        ),
      ).toEqual([
        { id: deployment, related_id: dev, relation_type: 'parent', direction: 'incoming', depth: 1 },
        { id: dev, related_id: cluster, relation_type: 'parent', direction: 'incoming', depth: 2 },
      ]);
      const rows = await related(deployment ?? '', { max_depth: 1 });
      expect(rows.map(({ name }) => name)).toEqual(['config-db', 'ReplicaSet', 'dev', 'Cluster']);
    });

    test('another type_filter is refused with a text that names it', async () => {
      await expect(related(id('letters', 'A'), { type_filter: 'sideways' })).rejects.toThrow(
        'type_filter must be incoming, outgoing or all, not sideways',
      );
    });
  });

  test('related_configs tells both neighbourhoods at depth one', async () => {
    const rows = await db.rows(z.custom<{ name: string }>(), 'select * from related_configs($1)', [
      id('letters', 'D'),
    ]);
    expect(rows.map(({ name }) => name)).toEqual(['D', 'B', 'G', 'H']);
    expect(rows[0]).not.toHaveProperty('deleted_at');
  });

  test('related_config_ids_recursive tells each id once a direction, with its smallest depth', async () => {
    const rows = await db.rows(
      z.custom<{ id: string; direction: string; depth: number }>(),
      `select * from related_config_ids_recursive($1, 'all') order by direction, depth`,
      [id('letters', 'H')],
    );
    const told = rows.map((row) => `${row.direction} ${nameOf.get(row.id) ?? ''} ${row.depth}`);
    expect(told.filter((text) => text.startsWith('incoming'))).toEqual([
      'incoming D 1',
      'incoming B 2',
      'incoming A 3',
    ]);
    expect(told).toContain('outgoing A 1');
    expect(new Set(told).size).toBe(told.length);
    expect(told.some((text) => text.includes(' H '))).toBe(false);
  });

  describe('related_changes_recursive', () => {
    const changed = async (request: Record<string, unknown>) => {
      const soft = request['recursive'] === 'all' ? null : request['soft'] === true;
      const rows = await db.rows(
        z.custom<{ name: string }>(),
        'select name from related_changes_recursive($1, type_filter => $2, soft => $3)',
        [id('changes', String(request['id'])), String(request['recursive']), soft],
      );
      return rows.map(({ name }) => name).toSorted();
    };
    const walks = CHANGES.cases.filter((each) => each.expect.configs !== undefined);
    test.each(walks)('$name', async ({ request, expect: { configs = [] } }) => {
      expect(await changed(request)).toEqual(configs.toSorted());
    });

    test('without telling, every relation is walked, and none means the item alone', async () => {
      const names = async (filter: string) =>
        (
          await db.rows(z.custom<{ name: string }>(), 'select name from related_changes_recursive($1, $2)', [
            id('changes', 'X'),
            filter,
          ])
        )
          .map(({ name }) => name)
          .toSorted();
      expect(await names('downstream')).toEqual(['C', 'D', 'X', 'Z']);
      expect(await names('upstream')).toEqual(['U', 'V', 'X']);
      expect(await names('none')).toEqual(['X']);
      expect(await names('')).toEqual(['X']);
    });
  });

  test('lookup_config_children follows parents down to a depth; config_path leads up to the root', async () => {
    const children = async (depth: number) =>
      (
        await db.rows(
          z.custom<{ child_id: string; level: number }>(),
          'select * from lookup_config_children($1, $2)',
          [id('kubernetes', 'dev'), depth],
        )
      ).map((row) => `${nameOf.get(row.child_id) ?? ''} ${row.level}`);
    expect(await children(0)).toEqual(['dev 0']);
    expect(await children(1)).toEqual(['dev 0', 'config-db 1']);
    expect((await children(-1)).toSorted()).toEqual(
      ['PodA 3', 'PodB 3', 'ReplicaSet 2', 'config-db 1', 'dev 0'].toSorted(),
    );
    const path = await db.text('select config_path($1)', [id('kubernetes', 'ReplicaSet')]);
    expect(path?.split('.').map((each) => nameOf.get(each))).toEqual([
      'Cluster',
      'dev',
      'config-db',
      'ReplicaSet',
    ]);
  });

  test('lookup_config_relations tells neighbours both ways', async () => {
    const rows = await db.rows(z.custom<{ id: string }>(), 'select * from lookup_config_relations($1)', [
      id('letters', 'B'),
    ]);
    expect(rows.map((row) => nameOf.get(row.id) ?? '').toSorted()).toEqual(['A', 'D', 'E']);
  });
});
