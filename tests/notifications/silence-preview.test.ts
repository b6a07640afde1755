/** What a device says that a silence would have hidden is what the server would have hidden: a hundred silences. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { environmentOf, isWanted } from '../../server/notifications/rules/rule-environment.ts';
import { silencedResource } from '../../server/notifications/rules/subject.ts';
import {
  subjectsOf,
  type SubjectKind,
  type SubjectRow,
} from '../../server/notifications/rules/subject-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { createExpressions } from '../../server/platform/expressions/expression-thread.ts';
import { readSnapshot } from '../../server/replication/change-log/change-feed.ts';
import type { CollectionName } from '../../src/contract/collections.ts';
import { createCheckIndex } from '../../src/contract/health-board/check-index.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { isInOperation, type HoursWindow } from '../../src/domain/incident/rule-hours.ts';
import { coverOf, type Silence } from '../../src/domain/notification/silence.ts';
import { RowTable } from '../../src/contract/row-index/row-table.ts';
import { loadFilters } from '../../workers/compute/silences/cel-filter.ts';
import { previewOf, silencedNow, type SilenceWork } from '../../workers/compute/silences/preview.ts';
import { Things } from '../../workers/compute/silences/things.ts';
import { fillEstate } from './support/estate-query.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const expressions = createExpressions();
let db: Database;
let history: HistoryFact[];
let subjects: Map<string, SubjectRow>;
let device: { history: RowTable; work: SilenceWork };
let ids: Record<'check' | 'canary' | 'component' | 'config', string[]>;

const historyFact = z.strictObject({
  id: z.string(),
  source_event: z.string(),
  resource_id: z.string(),
  status: z.string(),
  at_ms: z.coerce.number(),
});
type HistoryFact = z.infer<typeof historyFact>;

async function tableOf(collection: CollectionName): Promise<RowTable> {
  const table = new RowTable();
  const { rows } = await readSnapshot(db, collection, { after: null, limit: 10_000 });
  for (const row of rows) table.put(row);
  return table;
}

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  ids = await fillEstate(db, NOW);
  // Every second check belongs to an item.
  await db.run(
    `insert into check_config_relationships (config_id, check_id, canary_id)
     select ($1::uuid[])[1 + number % array_length($1::uuid[], 1)], checks.id, checks.canary_id
       from unnest($2::uuid[]) with ordinality as given (id, number) join checks on checks.id = given.id
      where number % 2 = 0`,
    [ids.config, ids.check],
  );
  history = await db.rows(
    historyFact,
    `select id, source_event, resource_id, status, extract(epoch from created_at) * 1000 as at_ms
       from notification_send_history`,
  );
  subjects = new Map();
  for (const kind of ['check', 'component', 'config'] as SubjectKind[]) {
    const found = history.filter(({ source_event: event }) => event.startsWith(kind));
    const resources = found.map(({ resource_id: id }) => id);
    for (const subject of await subjectsOf(db, kind, resources)) subjects.set(subject.id, subject);
  }
  const checks = createCheckIndex();
  const { rows } = await readSnapshot(db, 'checks', { after: null, limit: 10_000 });
  checks.apply({ upserts: rows as unknown as Check[], deletedIds: [] }, NOW);
  const things = new Things({
    checks,
    configs: await tableOf('configs'),
    components: await tableOf('components'),
  });
  const work = { things, ask: await loadFilters(), pause: () => Promise.resolve(), nowMs: NOW };
  device = { history: await tableOf('notification_history'), work };
});
afterAll(async () => {
  await expressions.close();
  await db.close();
});

/** As the server would have decided it at the time (server/notifications/fan-out). */
async function hiddenOnServer(silence: Silence): Promise<number> {
  let hidden = 0;
  for (const { source_event: event, resource_id: id, status, at_ms: atMs } of history) {
    const subject = subjects.get(id);
    if (!['sent', 'error', 'pending'].includes(status) || subject === undefined) continue;
    if (silence.recurrence.length > 0 && !isInOperation(silence.recurrence, atMs)) continue;
    const cover = coverOf(silence, silencedResource(event, subject));
    const variables = environmentOf({ event, subject, publicUrl: '', channel: '' });
    const isHidden =
      cover === 'yes' ||
      (cover === 'asks' && (await isWanted(expressions, silence.filter, variables)).kind === 'yes');
    if (isHidden) hidden += 1;
  }
  return hidden;
}

const NOTHING: Silence = {
  id: 's',
  fromMs: 0,
  untilMs: NOW + HOUR_MS,
  isRecursive: false,
  configId: null,
  componentId: null,
  checkId: null,
  canaryId: null,
  selector: null,
  filter: null,
  recurrence: [],
};
const HOURS: readonly HoursWindow[] = [
  { start: '22:00', end: '06:00', tz: 'Europe/Berlin' },
  { start: '09:00', end: '17:00', days: ['mon', 'tue', 'wed'], tz: 'America/New_York' },
];
const FILTERS = [
  'check.name.endsWith("1")',
  'event == "check.failed"',
  'new_state == "unhealthy"',
  'config.type == "Kubernetes::Node"',
  'component != null && component.labels.tier == "gold"',
  'canary.namespace == "shop" && check.type == "http"',
  // Of its canary.
  'check.labels.from == "canary"',
  'nonsense.of == 5',
];

test('the count of the device is the count of the server', async () => {
  const oneOf = (kind: keyof typeof ids) => fc.constantFrom(...ids[kind]);
  const named = fc.oneof(
    oneOf('check').map((checkId) => ({ checkId })),
    oneOf('canary').map((canaryId) => ({ canaryId })),
    oneOf('component').map((componentId) => ({ componentId })),
    oneOf('config').map((configId) => ({ configId })),
    fc.constant({}),
  );
  const some = (texts: readonly string[]) => fc.option(fc.constantFrom(...texts), { nil: null, freq: 2 });
  const silences = fc.record({
    named,
    isRecursive: fc.boolean(),
    selector: some(['tier=gold', 'tier in (gold,silver)', '!tier', 'zone!=a', 'tier=none']),
    filter: some(FILTERS),
    recurrence: fc.subarray([...HOURS], { maxLength: 1 }),
  });
  let [most, sum] = [0, 0];
  await fc.assert(
    fc.asyncProperty(silences, async ({ named: name, ...more }) => {
      const silence: Silence = {
        ...NOTHING,
        ...name,
        ...more,
      };
      const { hidden, total } = await previewOf(silence, device.history, device.work);
      expect(hidden).toBe(await hiddenOnServer(silence));
      expect(total).toBe(history.filter(({ status }) => status !== 'silenced').length);
      most = Math.max(most, hidden);
      sum += hidden;
    }),
    { numRuns: 100, seed: 7 },
  );
  // A test in which nothing is ever hidden would prove nothing.
  expect(sum).toBeGreaterThan(300);
  expect(most).toBeGreaterThan(20);
});

test('it says how much is covered, with all below where it is recursive', async () => {
  const [root = ''] = ids.component;
  const of = (isRecursive: boolean) =>
    previewOf(
      {
        ...NOTHING,
        componentId: root,
        isRecursive,
      },
      device.history,
      device.work,
    );
  expect((await of(false)).covers).toEqual({ check: 0, config: 0, component: 1 });
  // The root with its nine parts, and every second check, which belongs to one of them.
  expect((await of(true)).covers).toEqual({ check: 10, config: 0, component: 10 });
});

test('a check that is silent only through its item, or what is above that, is marked with its end', async () => {
  const [config = ''] = ids.config;
  const silence = { ...NOTHING, configId: config, isRecursive: true };
  const marked = await silencedNow([silence], 'check', device.work);
  const own = await db.text(
    `select json_agg(link.check_id order by link.check_id)::text
       from check_config_relationships as link join config_items as item on item.id = link.config_id
      where link.deleted_at is null and (item.id = $1 or $1::text = any(string_to_array(item.path, '.')))`,
    [config],
  );
  expect(Object.keys(marked).toSorted()).toEqual(JSON.parse(own ?? 'null'));
  expect(Object.keys(marked).length).toBeGreaterThan(0);
  expect(new Set(Object.values(marked))).toEqual(new Set([silence.untilMs]));
  expect(await silencedNow([{ ...silence, isRecursive: false }], 'check', device.work)).toEqual({});
});

test('a device hears of the item when a check comes to belong to it, and when it is no longer so', async () => {
  const [check = ''] = ids.check;
  const config = ids.config.at(-1) ?? '';
  const seen = async () => {
    const { rows } = await readSnapshot(db, 'configs', { after: null, limit: 10_000 });
    const row = rows.find(({ id }) => id === config) as { check_ids?: string[] | null } | undefined;
    const seq = await db.text(
      `select seq::text from change_log where collection = 'configs' and entity_id = $1`,
      [config],
    );
    return { has: row?.check_ids?.includes(check) ?? false, seq: Number(seq ?? 0) };
  };
  const before = await seen();
  expect(before.has).toBe(false);
  await db.run(
    `insert into check_config_relationships (config_id, check_id, canary_id)
       select $1::uuid, id, canary_id from checks where id = $2::uuid`,
    [config, check],
  );
  const linked = await seen();
  expect(linked).toEqual({ has: true, seq: expect.any(Number) as unknown });
  expect(linked.seq).toBeGreaterThan(before.seq);
  await db.run(
    'update check_config_relationships set deleted_at = now() where config_id = $1 and check_id = $2',
    [config, check],
  );
  const unlinked = await seen();
  expect(unlinked.has).toBe(false);
  expect(unlinked.seq).toBeGreaterThan(linked.seq);
});
