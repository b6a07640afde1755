import { afterAll, describe, expect, test } from 'vitest';
import { readCanary } from '../documents/canary-document.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { kindSetting } from '../testing/kind-setting.ts';
import type { Outcome } from '../results/outcome.ts';
import { runEntry } from './run-entry.ts';

const expressions = createExpressions(2000);
afterAll(() => expressions.close());

/** Runs one exec check whose script gives the facts that the scripts under test work on. */
async function run(fields: object, lastResult: unknown = null): Promise<Outcome[]> {
  const read = readCanary(
    {
      kind: 'Canary',
      metadata: { name: 'c', labels: { tier: 'one' } },
      spec: { exec: [{ name: 'parent', script: 'echo out', ...fields }] },
    },
    'c',
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const [entry] = read.canary.entries;
  if (entry === undefined) throw new Error('no entry');
  const about = {
    canary: { ...read.canary, id: 'c' },
    entry,
    checkId: 'id',
    outputs: {},
    lastResult: async () => lastResult,
  };
  return runEntry(about, { ...kindSetting(), findConnection: async () => null, expressions });
}
const json = (value: unknown) => ({ template: JSON.stringify(value) });

describe('display and test', () => {
  test('see the check, its canary, the result and the one before', async () => {
    const expr =
      "[check.name, canary.name, canary.labels.tier, results.stdout, string(duration >= duration), string(last_result().results.n)].join(' ')";
    const [outcome] = await run(
      { display: { expr }, test: { expr: 'results.exitCode == 0' } },
      { results: { n: 7 } },
    );
    expect(outcome).toMatchObject({ pass: true, message: 'parent c one out true 7' });
  });

  test.each<[object, string | RegExp]>([
    [{ expr: 'results.stdout == "else"' }, 'the test is false'],
    [{ expr: '1 + 1' }, 'the test gave "2", neither true nor false'],
    [{ expr: 'nosuch' }, 'Unknown variable: nosuch'],
    [{ javascript: 'while (true) {}' }, /interrupted|longer/],
    [{ template: '{{ if }}' }, /missing/],
  ])('a test of %j fails the result', async (script, error) => {
    const [outcome] = await run({ test: script });
    expect(outcome).toMatchObject({
      pass: false,
      invalid: false,
      error: typeof error === 'string' ? error : expect.stringMatching(error),
    });
  });

  test('scripts do not run on an invalid result', async () => {
    const [outcome] = await run({ checkout: { url: 'ftp://x' }, display: { expr: 'nosuch' } });
    expect(outcome).toMatchObject({
      invalid: true,
      message: null,
      error: expect.stringContaining('url: must begin with https://'),
    });
  });
});

describe('transform', () => {
  test('one unnamed object edits the result', async () => {
    const [outcome, ...rest] = await run({
      transform: json({ pass: false, message: 'm', error: 'e', duration: 12, detail: { kept: 1 } }),
    });
    expect(rest).toEqual([]);
    expect(outcome).toMatchObject({
      derived: null,
      pass: false,
      message: 'm',
      error: 'e',
      durationMs: 12,
      detail: { kept: 1 },
    });
  });

  test('$delete removes the data, and none of it given leaves it', async () => {
    expect((await run({ transform: json({ detail: '$delete' }) }))[0]?.detail).toBeNull();
    expect((await run({ transform: json([{ message: 'm' }]) }))[0]?.detail).toMatchObject({ stdout: 'out' });
  });

  test('a list with names makes a check of each, and the parent keeps an empty detail', async () => {
    const list = [
      {
        name: 'a',
        pass: false,
        message: 'down',
        labels: { team: 'x' },
        icon: 'i',
        start: '2026-01-02T03:04:05Z',
        detail: { n: 1 },
      },
      { name: 'b', type: 'custom', duration: 5, deletedAt: '2026-01-01T00:00:00Z' },
    ];
    const outcomes = await run({ transform: json(list) });
    expect(
      outcomes.map(({ derived, pass, detail }) => [
        derived?.name ?? null,
        derived?.type ?? null,
        pass,
        detail,
      ]),
    ).toEqual([
      [null, null, true, null],
      ['a', 'exec', false, { n: 1 }],
      ['b', 'custom', true, null],
    ]);
    expect(outcomes[1]).toMatchObject({
      message: 'down',
      startedMs: Date.parse('2026-01-02T03:04:05Z'),
      derived: { labels: { team: 'x' }, icon: 'i' },
    });
    expect(outcomes[2]?.derived?.deletedAt).toBe('2026-01-01T00:00:00Z');
  });

  test('a time that no database tells is that of the run', async () => {
    const starts = ['+250000-01-01T00:00:00Z', '-000010-01-01T00:00:00Z', 'soon', ''];
    const outcomes = await run({ transform: json(starts.map((start, at) => ({ name: `c${at}`, start }))) });
    expect(new Set(outcomes.map(({ startedMs }) => startedMs)).size).toBe(1);
  });

  test.each<[string, object]>([
    ['text that is not JSON', { template: 'hello' }],
    ['several results without names', json([{ message: 'a' }, { message: 'b' }])],
    ['a named and an unnamed one', json([{ name: 'a' }, { message: 'b' }])],
    ['a name that no index holds', json([{ name: 'x'.repeat(501) }])],
    ['numbers', json([1, 2])],
  ])('%s is invalid', async (_what, transform) => {
    expect(await run({ transform })).toMatchObject([{ pass: false, invalid: true, derived: null }]);
  });

  test('an empty list makes no checks', async () => {
    expect(await run({ transform: json([]) })).toMatchObject([{ pass: true, derived: null, detail: null }]);
  });

  test('one that fails marks the result failed', async () => {
    expect(await run({ transform: { expr: 'nosuch' } })).toMatchObject([
      { pass: false, error: 'Unknown variable: nosuch' },
    ]);
  });
});

describe('metrics', () => {
  const counted = (value: string, more: object = {}) => ({ name: 'shop_orders', value, ...more });

  test('are worked out from the result, failed ones too, with their labels', async () => {
    const metrics = [
      counted('results.exitCode', { type: 'counter' }),
      counted('pass ? 0 : 1', { name: 'shop_failed', labels: [{ name: 'check', valueExpr: 'check.name' }] }),
      counted('duration.getMilliseconds() >= 0', {
        name: 'shop_seen',
        type: 'histogram',
        labels: [{ name: 'a', value: 'b' }],
      }),
    ];
    const [outcome] = await run({ script: 'exit 3', metrics });
    expect(outcome).toMatchObject({ pass: false, message: null });
    expect(outcome?.figures).toEqual([
      { name: 'shop_orders', type: 'counter', value: 3, labels: {} },
      { name: 'shop_failed', type: 'gauge', value: 1, labels: { check: 'parent' } },
      { name: 'shop_seen', type: 'histogram', value: 1, labels: { a: 'b' } },
    ]);
  });

  test('that can not be worked out are said, and turn no check red', async () => {
    const metrics = [
      counted('nosuch'),
      counted("'many'"),
      counted('-1', { type: 'counter' }),
      counted('7', { name: 'shop_well' }),
    ];
    const [outcome] = await run({ metrics });
    expect(outcome).toMatchObject({
      pass: true,
      message: expect.stringMatching(
        /^out\nmetrics: shop_orders: .*nosuch\nmetrics: .*"many".*\nmetrics: .*upwards$/,
      ),
      figures: [{ name: 'shop_well', value: 7 }],
    });
  });

  test('come from a transform as well, and have none of the secrets that the run read', async () => {
    const made = { name: 'rate', value: '0.9', labels: { to: 'EUR', seen: 'hidden-value' } };
    const env = [{ name: 'TOKEN', value: 'hidden-value' }];
    const [outcome] = await run({ env, transform: json({ metrics: [made] }), metrics: [counted('1')] });
    expect(outcome?.figures).toEqual([
      { name: 'rate', type: 'gauge', value: 0.9, labels: { to: 'EUR', seen: '***' } },
      { name: 'shop_orders', type: 'gauge', value: 1, labels: {} },
    ]);
  });

  test.each<[object, string]>([
    [{ name: 'holdfast_x', value: '1' }, 'must not begin with holdfast_'],
    [{ name: 'a-b', value: '1' }, 'must be letters'],
    [{ name: 'a', value: '1', type: 'summary' }, 'type'],
    [{ name: 'a', value: '1', labels: [{ name: 'le', value: '1' }] }, 'not le'],
    [{ name: 'a', value: '1', labels: [{ name: 'b' }] }, 'valueExpr'],
    [{ name: 'a', value: '' }, 'is required'],
  ])('%j is refused with its field', async (metric, told) => {
    await expect(run({ metrics: [metric] })).rejects.toThrow(told);
  });
});

describe('values by name of the canary', () => {
  const read = (spec: object) => readCanary({ kind: 'Canary', metadata: { name: 'c' }, spec }, 'c');
  const ofScript = async (env: unknown, own: object[] = []) => {
    const found = read({ env, exec: [{ name: 'a', script: 'echo $A-$B', env: own }] });
    const [entry] = found.ok ? found.canary.entries : [];
    if (!found.ok || entry === undefined) throw new Error(JSON.stringify(found));
    const canary = { ...found.canary, id: 'c' };
    const about = { canary, entry, checkId: null, outputs: {}, lastResult: async () => null };
    const context = { ...kindSetting(), findConnection: async () => null, expressions };
    return (await runEntry(about, context))[0];
  };

  test.each<[string, unknown]>([
    [
      'a list',
      [
        { name: 'A', value: 'one' },
        { name: 'B', value: 2 },
      ],
    ],
    ['a mapping', { A: 'one', B: { value: '2' } }],
  ])('written as %s are in the environment, and the own ones count more', async (_form, env) => {
    expect(await ofScript(env)).toMatchObject({ pass: true, message: 'one-2' });
    expect(await ofScript(env, [{ name: 'A', value: 'own' }])).toMatchObject({ message: 'own-2' });
  });

  test('are no secrets to be shown, and say where they can not be read', async () => {
    expect(
      await ofScript({ A: 'x', B_TOKEN: 'hidden-value' }, [{ name: 'B', value: 'hidden-value' }]),
    ).toMatchObject({
      message: 'x-***',
    });
    const env = { A: { valueFrom: { helmRef: { name: 'r', key: 'k' } } } };
    expect(await ofScript(env)).toMatchObject({ notRun: expect.stringContaining('helm releases') });
  });

  test('are refused where no check takes any, as a mode of results is that is not offered', () => {
    const tcp = [{ name: 'a', endpoint: '127.0.0.1:1' }];
    expect(read({ env: { A: 'b' }, tcp })).toMatchObject({ ok: false, problems: [{ field: 'spec.env' }] });
    expect(read({ resultMode: 'junit', tcp })).toMatchObject({
      ok: false,
      problems: [{ field: 'spec.resultMode', message: expect.stringContaining('is not offered') }],
    });
  });
});
