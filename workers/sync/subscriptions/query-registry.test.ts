/** Laws of the whole registry of the sync worker's queries. */
import { describe, expect, test } from 'vitest';
import { safeParse } from 'zod/v4/core';
import { NO_QUESTION } from '../../../src/domain/catalog/changes-search.ts';
import { SYNC_QUERIES } from '../../../src/contract/queries/sync-queries.ts';
import type { CachedQueryName, QueryArgs, SyncQueryName } from '../../../src/contract/queries/queries.ts';
import { SYNC_HANDLERS } from '../../../tests/backends/sync-query-handlers.ts';
import type { HttpClient } from '../network/http-client.ts';
import { queryHandlers } from './query-handlers.ts';
import { createQueryTester } from './testing/query-tester.ts';

type Samples = { [Name in SyncQueryName]: { args: QueryArgs<Name>; bad: [string, unknown] | null } };

const ID = '00000000-0000-4000-8000-00000000000a';

/** Arguments as the app gives them, and a field with a value that it must not have. */
const SAMPLES: Samples = {
  'check-detail': { args: { checkId: ID }, bad: ['checkId', 1] },
  'check-history': {
    args: { checkId: 'a', range: '1h', status: 'All', minMs: null, page: 0, pageSize: 50 },
    bad: ['pageSize', 5000],
  },
  'check-graph': { args: { checkId: 'a', range: '1h' }, bad: ['range', 'ever'] },
  'canary-detail': { args: { canaryId: ID }, bad: ['canaryId', null] },
  'config-detail': { args: { configId: ID, version: '' }, bad: ['version', 3] },
  'change-detail': { args: { changeId: ID }, bad: ['changeId', {}] },
  'resource-playbooks': { args: { kind: 'config', id: 'a' }, bad: ['kind', 'canary'] },
  'playbook-run': { args: { runId: ID }, bad: ['runId', 1] },
  'playbook-approval': { args: { runId: 'a' }, bad: ['runId', 1] },
  'parameter-schema': { args: { playbookId: 'a', parameter: 'values' }, bad: ['parameter', 1] },
  'playbook-step': { args: { stepId: ID }, bad: ['stepId', null] },
  'playbook-parameters': { args: { playbookId: 'a', resource: null }, bad: ['playbookId', 3] },
  'find-resources': { args: { kind: 'check', selectors: [], search: '' }, bad: ['selectors', 'all'] },
  'config-checks': { args: { configId: 'a' }, bad: ['configId', []] },
  'config-components': { args: { configId: 'a' }, bad: ['configId', true] },
  'component-configs': { args: { componentId: 'a' }, bad: ['componentId', true] },
  changes: { args: NO_QUESTION, bad: ['sort_by', 'colour'] },
  'catalog-summary': {
    args: { groupBy: ['type'], deleted: false, status: '', health: '' },
    bad: ['groupBy', Array.from({ length: 9 }, () => 'type')],
  },
  table: {
    args: { view: 'teams', where: [], order: [], offset: 0, limit: 1000 },
    bad: ['view', 'secrets'],
  },
  'integration-chart': { args: { chart: 'aws' }, bad: ['chart', 'gcp'] },
  'spec-schema': { args: { file: 'canary.json' }, bad: ['file', 7] },
  outbox: { args: {}, bad: null },
  drafts: { args: {}, bad: null },
  'catch-up': { args: {}, bad: null },
};
const NAMES = Object.keys(SYNC_QUERIES) as SyncQueryName[];
const isCached = (name: SyncQueryName): name is CachedQueryName => 'cacheKey' in SYNC_QUERIES[name];
const handlerOf = (name: string) => {
  const handler = SYNC_HANDLERS.get(name);
  if (handler === undefined) throw new Error(`no file for ${name}`);
  return handler;
};

/** A server whose every answer is that body. */
const serverThatSays = (body: unknown): HttpClient => ({
  json: async () => body,
  send: async () => ({ status: 200, headers: new Headers(), text: JSON.stringify(body) }),
});

test('every query of the registry has a file of its name, and every file a query', () => {
  expect([...SYNC_HANDLERS.keys()].toSorted()).toEqual(NAMES.toSorted());
});

test('a query without a file is refused before anything starts', () => {
  const [, ...rest] = [...SYNC_HANDLERS].map(([name, query]) => [`./queries/${name}.ts`, { query }] as const);
  expect(() => queryHandlers(Object.fromEntries(rest))).toThrow('does not answer the query of its name');
});

describe.each(NAMES)('%s', (name) => {
  const { args, bad } = SAMPLES[name];

  test('its arguments come through as they were given', () => {
    const parsed = safeParse(SYNC_QUERIES[name].args, structuredClone(args));
    expect(parsed).toMatchObject({ success: true, data: args });
  });

  test('arguments that make no sense are refused by the name of the field', () => {
    const refused = (field: string) => expect.objectContaining({ code: 'invalid', field });
    const { bind } = handlerOf(name);
    expect(() => bind('nonsense')).toThrow(expect.objectContaining({ code: 'invalid' }));
    if (bad === null) return;
    const [field, value] = bad;
    expect(() => bind({ ...args, [field]: value })).toThrow(refused(field));
  });
});

// A schema of specifications may be any JSON, and of runs the bad ones alone are skipped.
const LENIENT: SyncQueryName[] = ['spec-schema', 'check-history'];
describe.each(NAMES.filter((name) => isCached(name) && !LENIENT.includes(name)))('%s', (name) => {
  test('an answer of another form is refused and reported, and neither shown nor cached', async () => {
    // A list with a number in it, for who wants a list as well as for who wants one thing.
    const tester = createQueryTester({ http: serverThatSays([7]) });
    const answer = await tester.first(handlerOf(name), SAMPLES[name].args);
    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_payload' } });
    expect(tester.reported).toMatchObject([{ code: 'bad_payload' }]);
    expect(tester.cached.size).toBe(0);
  });
});

test('a run of another form is skipped and reported, the others are shown', async () => {
  const run = { check_id: 'a', time: 'now', status: true, created_at: 'now' };
  const tester = createQueryTester({ http: serverThatSays([7, run]) });
  const answer = await tester.first(handlerOf('check-history'), SAMPLES['check-history'].args);
  expect(answer).toMatchObject({ ok: true, value: { value: { entries: [{ time: 'now' }] } } });
  expect(tester.reported).toMatchObject([{ code: 'bad_payload' }]);
});

test('what an older version cached in another form is not shown', async () => {
  const tester = createQueryTester({ http: serverThatSays([7]) });
  tester.cached.set('check:a', { id: 'check:a', asOfMs: 1, body: { id: 12 } });
  expect(await tester.first(handlerOf('check-detail'), { checkId: 'a' })).toMatchObject({ ok: false });
});

test('what is good is cached under the key of its registry entry, and what must not stay is not', async () => {
  const tester = createQueryTester({ http: serverThatSays([{ id: 'a', name: 'one' }]) });
  await tester.first(handlerOf('check-history'), SAMPLES['check-history'].args);
  await tester.first(handlerOf('table'), { ...SAMPLES.table.args, view: 'connection' });
  expect([...tester.cached.keys()]).toEqual([]);
  await tester.first(handlerOf('table'), SAMPLES.table.args);
  expect([...tester.cached.keys()]).toEqual([`table:${JSON.stringify(SAMPLES.table.args)}`]);
});
