import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { readCanaryFile } from '../documents/canary-file.ts';
import { readCanary } from '../documents/canary-document.ts';
import type { Canary } from '../documents/canary-document.ts';
import { RUNNABLE_KEYS } from '../kinds/all-kinds.ts';
import { STORED_KINDS } from '../kinds/stored-kinds.ts';
import { kindSetting } from '../testing/kind-setting.ts';
import { reasonsNotRun } from '../documents/not-run.ts';
import { runEntry } from './run-entry.ts';

const FIXTURES = '../shared/fixtures/canaries';
/** As the fixtures' README says. */
const INVALID = /schedule_invalid|metrics-multiple|metrics-transformed/;
const OPERATOR = { isExecAllowed: true, trust: 'operator' } as const;

const canaries = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.ya?ml$/.test(name) && !INVALID.test(name))
  .flatMap((file) =>
    readCanaryFile(file, readFileSync(join(FIXTURES, file), 'utf8')).map((read): [string, Canary] => {
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      return [file, read.canary];
    }),
  );
/** Specifications of kinds that run which need what this server has not. */
const NEEDS_MORE: Readonly<Record<string, RegExp>> = {
  'parse-only/folder/aws_s3_bucket_pass.yaml': /own credentials are not used/,
  'parse-only/folder/smb_pass.yaml': /mount the share/,
  'parse-only/http/http_auth_from_helm_ref.yaml': /helm releases/,
  'parse-only/http/http_auth_from_service_account.yaml': /service accounts/,
};

function canaryOf(spec: object): Canary {
  const read = readCanary({ kind: 'Canary', metadata: { name: 'c' }, spec }, 'c');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.canary;
}
const reasonsOf = (spec: object, place: Parameters<typeof reasonsNotRun>[1] = OPERATOR) =>
  [...reasonsNotRun(canaryOf(spec).entries, place).values()].join('; ');

const expressions = createExpressions();
afterAll(() => expressions.close());

describe('real specifications', () => {
  test.each(canaries)('%s: each check runs here or says why it does not', (file, canary) => {
    const reasons = reasonsNotRun(canary.entries, OPERATOR);
    for (const entry of canary.entries) {
      const reason = reasons.get(entry);
      if (entry.runnable === null) expect(reason).toMatch(/^checks of kind \w+ are not run by this server/);
      else if (reason !== undefined) expect(NEEDS_MORE[file]).toBeDefined();
    }
    const needed = NEEDS_MORE[file];
    if (needed !== undefined) expect([...reasons.values()].join('; ')).toMatch(needed);
  });
});

describe('a check that can’t be run', () => {
  test('is no result, whatever its kind: neither passed nor judged by its scripts', async () => {
    const test = { expr: 'true' };
    const specs: Readonly<Record<string, object>> = {
      folder: { name: 'a', path: 's3://b', test },
    };
    for (const key of [...Object.keys(STORED_KINDS), 'folder']) {
      const spec = specs[key] ?? { name: 'a', url: 'http://127.0.0.1:1', test };
      const canary = canaryOf({ [key]: [spec] });
      const [check] = canary.entries;
      if (check === undefined) throw new Error('no entry');
      const about = { canary: { ...canary, id: 'c' }, entry: check, checkId: null, outputs: {} };
      const context = { ...kindSetting(), findConnection: async () => null, expressions };
      const outcomes = await runEntry({ ...about, lastResult: async () => null }, context);
      expect(outcomes).toMatchObject([{ pass: false, notRun: expect.stringMatching(/\S/), data: {} }]);
    }
  });

  test.each<[string, object, RegExp]>([
    [
      'a value deep inside',
      { http: [{ url: 'http://a', headers: [{ name: 'x', valueFrom: { serviceAccount: 'b' } }] }] },
      /serviceAccount/,
    ],
    [
      'a chain of dependencies',
      {
        jmeter: [{ name: 'r' }],
        exec: [
          { name: 'b', script: 'x', dependsOn: ['a'] },
          { name: 'a', script: 'x', dependsOn: ['r'] },
        ],
      },
      /depends on "a"/,
    ],
  ])('%s has a reason', (_what, spec, reason) => expect(reasonsOf(spec)).toMatch(reason));

  test('depends on what the server is set to, and on who wrote it', () => {
    const exec = { exec: [{ name: 'a', script: 'true' }] };
    const folder = { folder: [{ name: 'a', path: '/' }] };
    expect(reasonsOf(exec)).toBe('');
    expect(reasonsOf(exec, { isExecAllowed: false, trust: 'operator' })).toContain('ALLOW_EXEC');
    expect(reasonsOf(folder, { isExecAllowed: false, trust: 'operator' })).toBe('');
    expect(reasonsOf(folder, { isExecAllowed: false, trust: 'user' })).toContain('canary files');
  });

  test('a reason spreads to all that depend on it and to nothing else, in any order and with circles', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const links = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
      selector: (link) => link.join(),
    });
    fc.assert(
      fc.property(links, fc.shuffledSubarray(names, { minLength: 5 }), (all, order) => {
        const needs = (name: string) => all.filter(([from]) => from === name).map(([, to]) => to);
        const spec = {
          exec: order.map((name) => ({
            name,
            script: 'x',
            dependsOn: [...needs(name), ...(name === 'a' ? ['r'] : [])],
          })),
          jmeter: [{ name: 'r' }],
        };
        const reach = new Set(['r', 'a']);
        for (const _round of names)
          for (const name of names) if (needs(name).some((to) => reach.has(to))) reach.add(name);
        const { entries } = canaryOf(spec);
        const found = [...reasonsNotRun(entries, OPERATOR).keys()].map(({ name }) => name);
        expect(found.toSorted()).toEqual([...reach].toSorted());
      }),
    );
  });
});

describe('kinds of the contract and of the product’s forms', () => {
  test.each(Object.keys(STORED_KINDS))('%s is accepted', (key) => {
    expect(RUNNABLE_KEYS).not.toContain(key);
    expect(reasonsOf({ [key]: [{ name: 'a' }] })).toContain(
      `checks of kind ${key} are not run by this server`,
    );
  });

  test('the form’s sign-in is the specification’s', () => {
    const authentication = { username: { value: 'u' }, password: { value: 'p' } };
    const [entry] = canaryOf({ http: [{ url: 'http://a', basic: true, authentication }] }).entries;
    expect(entry?.runnable?.spec).toMatchObject({ authentication });
    expect(entry?.raw).not.toHaveProperty('password');
  });
});
