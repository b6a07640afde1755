/** The search over changes on a device finds what the server's finds, in the same order. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { searchChanges } from '../../server/catalog/search/changes-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { readDatasetFile } from '../../server/app/seed/testing/dataset.ts';
import { changesSchema, changesSearch } from '../../server/catalog/routes/changes-request.ts';
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { changesAnswerSchema } from '../../src/contract/http/catalog/config-changes.ts';
import { changesQuestionSchema } from '../../src/contract/queries/live-arguments.ts';
import { parseArgs } from '../../src/contract/queries/parse-args.ts';
import type { LivePatch } from '../../src/contract/live-query.ts';
import {
  CHANGE_SORTS,
  NO_QUESTION,
  REACHES,
  SEVERITIES,
  type ChangesQuestion,
} from '../../src/domain/catalog/changes-search.ts';
import { createChangesView } from '../../workers/compute/changes/changes-view.ts';
import { CollectionIndex } from '../../src/contract/row-index/collection-index.ts';
import { commandReader } from '../../workers/compute/live/command-reader.ts';
import { Overlay } from '../../workers/compute/live/overlay.ts';

interface Fixture {
  graph: {
    configs: { name: string; type: string; config_class: string; parent: string | null }[];
    soft_relationships: { config: string; related: string; relation: string }[];
    changes: {
      config: string;
      change_type: string;
      severity: string;
      summary: string;
      source: string;
      created_hours_ago: number;
    }[];
  };
  cases: {
    request: Record<string, unknown>;
    expect: {
      configs?: string[];
      total?: number;
      summary?: Record<string, number>;
      configs_in_order?: string[];
      summaries_in_order?: string[];
      error?: boolean;
    };
  }[];
}
const FIXTURE = await readDatasetFile<Fixture>('cases/catalog_changes.json');

const idOf = (name: string) =>
  `30000000-0000-4000-8000-${(name.codePointAt(0) ?? 0).toString(16).padStart(12, '0')}`;
const nameOf = (id: string) => String.fromCodePoint(Number.parseInt(id.slice(-12), 16));
const EDITOR = '70000000-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;

async function fill(db: Database, nowMs: number): Promise<void> {
  const { configs, soft_relationships: soft, changes } = FIXTURE.graph;
  await db.run('insert into people (id, name, email) values ($1, $2, $3)', [
    EDITOR,
    'Eve',
    'eve@example.com',
  ]);
  for (const { name, type, config_class: configClass, parent } of configs)
    await db.run(
      `insert into config_items (id, name, type, config_class, parent_id, tags, deleted_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        idOf(name),
        name,
        type,
        configClass,
        parent === null ? null : idOf(parent),
        name === 'B' ? null : { zone: name < 'N' ? 'a' : 'b', app: name },
        name === 'D' ? new Date(nowMs - HOUR_MS) : null,
      ],
    );
  for (const { config, related, relation } of soft)
    await db.run('insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3)', [
      idOf(config),
      idOf(related),
      relation,
    ]);
  for (const [at, change] of changes.entries())
    await db.run(
      `insert into config_changes
         (config_id, change_type, severity, summary, source, created_at, external_created_by, created_by, count)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        idOf(change.config),
        change.change_type,
        change.severity,
        at % 4 === 3 ? null : `${change.summary}, 50%`,
        change.source,
        new Date(nowMs - change.created_hours_ago * HOUR_MS - 60_000),
        change.config === 'W' ? 'kubelet' : null,
        change.config === 'V' ? EDITOR : null,
        at % 3,
      ],
    );
}

async function indexOf(db: Database, collection: CollectionName): Promise<CollectionIndex> {
  const text = await db.text(
    `select coalesce(json_agg(to_json(r)), '[]')::text from feed_${collection} r`,
    [],
  );
  const index = new CollectionIndex(collection, new Overlay(commandReader));
  index.apply({ upserts: JSON.parse(text ?? '[]') as ReplicatedRow[], deletedIds: [] });
  return index;
}

const state = fc.constantFrom('', '!');
const listOf = (...values: string[]) =>
  fc
    .array(fc.tuple(state, fc.constantFrom(...values)), { maxLength: 2 })
    .map((entries) => entries.map(([sign, value]) => `${sign}${value}`).join(','));

/** Mostly not asked: filters that all count at once find nothing. */
const seldom = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: value });

const questions: fc.Arbitrary<ChangesQuestion> = fc.record({
  id: fc.oneof(fc.constantFrom('', ...'UVWXYZAD'.split('').map(idOf)), listOf(idOf('U'), idOf('B'))),
  recursive: fc.constantFrom(...REACHES),
  depth: fc.constant(NO_QUESTION.depth),
  include_deleted_configs: fc.boolean(),
  config_type: seldom(listOf('Kubernetes::Pod', 'Kubernetes::*', '*Map')),
  type: seldom(listOf('diff', 'Pulled', 'P*')),
  severity: seldom(fc.constantFrom('!info', 'warn', ...SEVERITIES)),
  summary: seldom(listOf(encodeURIComponent('.name.U, 50%'), '*name*', encodeURIComponent('.name.V,') + '*')),
  source: seldom(listOf('test-changes', 'other')),
  created_by: seldom(listOf(EDITOR, 'kubelet', 'kube*')),
  tags: seldom(fc.constantFrom('zone=a', 'zone!=a', 'app in (U,V)', 'zone=b,app notin (X)', '!zone', 'app')),
  from: fc.constantFrom('now-2d', 'now-150m', 'now-5d', ''),
  to: seldom(fc.constantFrom('now', 'now-61m')),
  page: fc.constantFrom(1, 2),
  page_size: fc.constantFrom(2, 200),
  sort_by: fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom(...CHANGE_SORTS))
    .map(([sign, column]) => sign + column),
});

forEachDatabase((_name, openDatabase) => {
  const nowMs = Date.now();
  let db: Database;
  let indexes: Parameters<typeof createChangesView>[0]['indexes'];

  beforeAll(async () => {
    db = await openDatabase();
    await fill(db, nowMs);
    const relationships = await indexOf(db, 'config_relationships');
    indexes = {
      changes: await indexOf(db, 'config_changes'),
      configs: await indexOf(db, 'configs'),
      relationships: () => relationships,
    };
  });

  const onDevice = (question: ChangesQuestion) => {
    const patches: LivePatch[] = [];
    createChangesView({
      question,
      indexes,
      isLoaded: () => true,
      nowMs: () => nowMs,
      listener: (patch) => patches.push(patch),
    });
    const rows = patches.flatMap((patch) => patch.rows ?? []).map(({ row }) => row);
    return { rows, total: patches[0]?.frame?.total ?? 0, groups: patches[0]?.frame?.groups ?? [] };
  };
  const onServer = async (question: ChangesQuestion) => {
    const search = changesSearch(changesSchema.parse(question), nowMs);
    return changesAnswerSchema.parse(JSON.parse(await searchChanges(db, search)));
  };

  test('whatever is asked, the device and the server find the same', async () => {
    const found = new Set<number>();
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const [device, server] = [onDevice(question), await onServer(question)];
        found.add(server.total);
        expect(device.total).toBe(server.total);
        expect(device.rows.map(({ id }) => id)).toEqual(server.rows.map(({ id }) => id));
        expect(new Map(device.groups.map(({ value, count }) => [value, count]))).toEqual(
          new Map(server.groups.map(({ value, count }) => [value, count])),
        );
        expect(device.rows.map(({ name, type }) => [name, type])).toEqual(
          server.rows.map(({ name, type }) => [name, type]),
        );
      }),
      { numRuns: 200 },
    );
    // Questions that all find nothing would prove nothing.
    expect(found.size).toBeGreaterThan(4);
  });

  describe('the recorded cases, on the device', () => {
    const cases = FIXTURE.cases.filter(
      ({ request, expect: wants }) => request['soft'] !== true && wants.error !== true,
    );
    test.each(cases.map((one) => [JSON.stringify(one.request), one] as const))('%s', (_request, one) => {
      const { total, rows, groups } = onDevice({
        ...NO_QUESTION,
        include_deleted_configs: true,
        ...(one.request as Partial<ChangesQuestion>),
        id: idOf(String(one.request['id'])),
      });
      const { expect: wants } = one;
      if (wants.total !== undefined) expect(total).toBe(wants.total);
      const names = rows.map((row) => nameOf(String(row['config_id'])));
      if (wants.configs !== undefined) expect(new Set(names)).toEqual(new Set(wants.configs));
      if (wants.configs_in_order !== undefined) expect(names).toEqual(wants.configs_in_order);
      if (wants.summary !== undefined)
        expect(Object.fromEntries(groups.map(({ value, count }) => [value, count]))).toEqual(wants.summary);
    });
  });
});

test('a search is taken as the contract says', () => {
  const text = z.string().max(10_000);
  const count = (most: number) => z.number().int().min(1).max(most);
  const contract = z.object({
    ...Object.fromEntries(
      ['id', 'config_type', 'type', 'severity', 'summary', 'source', 'created_by', 'tags', 'from', 'to'].map(
        (key) => [key, text],
      ),
    ),
    recursive: z.enum(REACHES),
    depth: z.literal(5),
    include_deleted_configs: z.boolean(),
    page: count(1_000_000),
    page_size: count(1000),
    sort_by: z.enum(CHANGE_SORTS.flatMap((column) => [column, `-${column}`])),
  });
  const broken = fc.record(
    Object.fromEntries(
      Object.keys(NO_QUESTION).map((key) => [
        key,
        fc.constantFrom('', 'x', 1, 5, 0, true, null, 'created_at', 'all'),
      ]),
    ),
  );
  fc.assert(
    fc.property(fc.oneof(questions, broken), (question: unknown) => {
      const byContract = contract.safeParse(question);
      if (byContract.success) expect(parseArgs(changesQuestionSchema, question)).toEqual(byContract.data);
      else expect(() => parseArgs(changesQuestionSchema, question)).toThrow('not valid');
    }),
    { numRuns: 2000 },
  );
  const almost = { ...NO_QUESTION, sort_by: '--created_at' };
  expect(() => parseArgs(changesQuestionSchema, almost)).toThrow('sort_by');
});
