/** The walk on the device finds what the server's related_configs_recursive finds, on any graph. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database, SqlValue } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { readDatasetFile } from '../../server/app/seed/testing/dataset.ts';
import { RowTable } from '../../src/contract/row-index/row-table.ts';
import { factsOf, type ConfigFacts } from '../../workers/compute/relations/config-facts.ts';
import { RelationLinks } from '../../workers/compute/relations/relation-links.ts';
import { walkRelations, type WalkOptions } from '../../workers/compute/relations/relation-walk.ts';
import { relatedTo, upTo } from '../../workers/compute/relations/related-items.ts';

interface Item {
  name: string;
  type?: string;
  parent?: string;
  isDeleted?: boolean;
}
interface Edge {
  config: string;
  related: string;
  relation: string;
}
interface Cases {
  graphs: Record<string, { nodes: (string | Item)[]; edges: Edge[] }>;
  cases: {
    name: string;
    graph: string;
    config: string;
    args: Record<string, SqlValue>;
    expect_names: string[];
    expect_related_ids?: Record<string, string[]>;
  }[];
}
interface Answer {
  id: string;
  related_ids: string[] | null;
}
type Args = Pick<WalkOptions, 'typeFilter' | 'maxDepth' | 'incomingRelation' | 'outgoingRelation'> & {
  includesDeleted: boolean;
};

const DEFAULTS: Args = {
  typeFilter: 'outgoing',
  maxDepth: 5,
  incomingRelation: 'both',
  outgoingRelation: 'both',
  includesDeleted: false,
};
const CASES = await readDatasetFile<Cases>('cases/related_configs.json');

let db: Database;
beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
});
afterAll(() => db.close());

/** The same graph in the database and on a device. */
async function place(items: readonly Item[], edges: readonly Edge[]) {
  const ids = new Map(items.map(({ name }) => [name, randomUUID() as string]));
  const idOf = (name: string) => ids.get(name) ?? '';
  const paths = new Map<string, string>();
  for (const { name, parent } of items) {
    const above = parent === undefined ? [] : [paths.get(parent) ?? '', idOf(parent)];
    paths.set(name, above.filter((part) => part !== '').join('.'));
  }
  const rows = items.map(({ name, type = 'A', parent, isDeleted = false }) => ({
    id: idOf(name),
    name,
    type,
    config_class: type,
    parent_id: parent === undefined ? null : idOf(parent),
    path: paths.get(name) ?? '',
    deleted_at: isDeleted ? '2026-01-01T00:00:00Z' : null,
  }));
  await db.run(
    `insert into config_items (id, name, type, config_class, parent_id, path, deleted_at)
     select id, name, type, config_class, parent_id, path, deleted_at
     from jsonb_populate_recordset(null::config_items, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
  await db.run(
    `insert into config_relationships (config_id, related_id, relation)
     select config_id, related_id, relation from jsonb_populate_recordset(null::config_relationships, $1::jsonb)
     on conflict do nothing`,
    [
      JSON.stringify(
        edges.map(({ config, related, relation }) => ({
          config_id: idOf(config),
          related_id: idOf(related),
          relation,
        })),
      ),
    ],
  );
  // As the feed has them, with what the triggers made of the parents.
  const links = await db.rows(
    z.custom<{ config_id: string; related_id: string; relation: string }>(),
    `select config_id, related_id, relation from config_relationships
     where deleted_at is null and config_id = any($1)`,
    [[...ids.values()]],
  );
  const relations = new RelationLinks();
  relations.fill(links);
  const table = new RowTable();
  const facts = new Map<string, ConfigFacts | undefined>();
  for (const row of rows) {
    table.put(row);
    facts.set(row.id, factsOf(table, row.id));
  }
  return { idOf, nameOf: new Map([...ids].map(([name, id]) => [id, name])), relations, facts };
}
type Placed = Awaited<ReturnType<typeof place>>;

async function onServer(placed: Placed, config: string, args: Args): Promise<Answer[]> {
  return db.rows(
    z.custom<Answer>(),
    `select id, related_ids from related_configs_recursive(config_id => $1, type_filter => $2,
       include_deleted_configs => $3, max_depth => $4, incoming_relation => $5, outgoing_relation => $6)`,
    [
      placed.idOf(config),
      args.typeFilter,
      args.includesDeleted,
      args.maxDepth,
      args.incomingRelation,
      args.outgoingRelation,
    ],
  );
}

function onDevice({ relations, facts, idOf }: Placed, config: string, args: Args): Answer[] {
  const id = idOf(config);
  const path = facts.get(id)?.path ?? '';
  const ancestors = path === '' ? [] : path.split('.').toReversed();
  const steps = walkRelations(relations, {
    ...args,
    start: relations.numberOf(id),
    ancestors: ancestors.map((one) => relations.numberOf(one)),
  });
  const related = new Map<string, Set<string>>();
  const met = new Set([id]);
  for (const step of steps) {
    const ends = [relations.idOf(step.near), relations.idOf(step.far)];
    for (const end of ends) met.add(end);
    const [from = '', to = ''] = step.side === 'incoming' ? ends.toReversed() : ends;
    related.set(from, (related.get(from) ?? new Set()).add(to));
  }
  return [...met]
    .filter((one) => args.includesDeleted || facts.get(one)?.deletedAt === null)
    .map((one) => ({ id: one, related_ids: [...(related.get(one) ?? [])] }));
}

const byCode = (a: string, b: string) => (a < b ? -1 : 1);
/** As a set, because order doesn't matter. */
const comparable = (answers: readonly Answer[]) =>
  answers.map(({ id, related_ids }) => `${id}: ${(related_ids ?? []).toSorted().join(' ')}`).toSorted();

test.each(CASES.cases)('$name', async ({ graph, config, args, expect_names, expect_related_ids }) => {
  const { nodes = [], edges = [] } = CASES.graphs[graph] ?? {};
  const items = nodes.map((node) => (typeof node === 'string' ? { name: node } : node));
  // The cases' expectations are of items without paths.
  const placed = await place(
    items.map(({ name, type = 'A' }) => ({ name, type })),
    edges,
  );
  const found = onDevice(placed, config, {
    ...DEFAULTS,
    typeFilter: (args.type_filter as Args['typeFilter'] | undefined) ?? 'outgoing',
    maxDepth: Number(args.max_depth ?? DEFAULTS.maxDepth),
  });
  expect(found.map(({ id }) => placed.nameOf.get(id) ?? '').toSorted(byCode)).toEqual(
    expect_names.toSorted(byCode),
  );
  for (const [name, wanted] of Object.entries(expect_related_ids ?? {})) {
    const related = found.find(({ id }) => id === placed.idOf(name))?.related_ids ?? [];
    expect(related.map((id) => placed.nameOf.get(id) ?? '').toSorted(byCode)).toEqual(
      wanted.toSorted(byCode),
    );
  }
});

const NAMES = Array.from({ length: 12 }, (_, at) => `item${at}`);
const GRAPH = fc.record({
  // Each hangs on one before it, or on nothing; every fourth or so is deleted.
  parents: fc.array(fc.option(fc.nat(20)), { minLength: NAMES.length, maxLength: NAMES.length }),
  deleted: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: NAMES.length, maxLength: NAMES.length }),
  edges: fc.array(
    fc.record({
      config: fc.constantFrom(...NAMES),
      related: fc.constantFrom(...NAMES),
      relation: fc.constantFrom('hard', 'uses', 'runs'),
    }),
    { maxLength: 30 },
  ),
  questions: fc.array(
    fc.record({
      config: fc.constantFrom(...NAMES),
      typeFilter: fc.constantFrom('outgoing' as const, 'incoming' as const, 'all' as const),
      maxDepth: fc.integer({ min: 1, max: 10 }),
      incomingRelation: fc.constantFrom('hard' as const, 'both' as const),
      outgoingRelation: fc.constantFrom('hard' as const, 'both' as const),
      includesDeleted: fc.boolean(),
    }),
    { minLength: 4, maxLength: 4 },
  ),
});

function itemsOf({ parents, deleted }: { parents: (number | null)[]; deleted: number[] }): Item[] {
  return NAMES.map((name, at) => {
    const parent = parents[at];
    const above = parent === null || parent === undefined || at === 0 ? undefined : NAMES[parent % at];
    return { name, isDeleted: deleted[at] === 0, ...(above === undefined ? {} : { parent: above }) };
  });
}

test('any graph, any question: the same items, related to the same', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(GRAPH, async ({ parents, deleted, edges, questions }) => {
      const placed = await place(itemsOf({ parents, deleted }), edges);
      for (const { config, ...args } of questions) {
        const [server, device] = [await onServer(placed, config, args), onDevice(placed, config, args)];
        expect(comparable(device)).toEqual(comparable(server));
      }
    }),
    { numRuns: 40 },
  );
});

test(
  'what the page counts as near enough is what the server finds at that depth',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(GRAPH, async ({ parents, deleted, edges, questions }) => {
        const placed = await place(itemsOf({ parents, deleted }), edges);
        for (const { config, typeFilter, maxDepth, includesDeleted } of questions) {
          const args = { ...DEFAULTS, typeFilter, maxDepth, includesDeleted };
          const related = relatedTo(
            { relations: placed.relations, factsOf: (id) => placed.facts.get(id) },
            {
              configId: placed.idOf(config),
              isIncoming: typeFilter !== 'outgoing',
              isOutgoing: typeFilter !== 'incoming',
              isSoft: true,
            },
          );
          const near = (related === null ? [] : upTo(related, maxDepth).items)
            .filter(({ facts }) => includesDeleted || facts.deletedAt === null)
            .map(({ id }) => id);
          const server = await onServer(placed, config, args);
          const others = server.map(({ id }) => id).filter((id) => id !== placed.idOf(config));
          expect(near.toSorted(byCode)).toEqual(others.toSorted(byCode));
        }
      }),
      { numRuns: 25 },
    );
  },
);
