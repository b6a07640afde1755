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

  test.each<[string, object]>([
    ['text that is not JSON', { template: 'hello' }],
    ['several results without names', json([{ message: 'a' }, { message: 'b' }])],
    ['a named and an unnamed one', json([{ name: 'a' }, { message: 'b' }])],
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
