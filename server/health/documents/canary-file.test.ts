import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCanaryFile } from './canary-file.ts';

const FIXTURES = '../shared/fixtures/canaries';
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.ya?ml$/.test(name),
);
/** As the fixtures' README says. */
const INVALID = ['tcp/schedule_invalid.yaml', 'http/metrics-multiple.yaml', 'http/metrics-transformed.yaml'];
const isInvalid = (name: string) => INVALID.some((invalid) => name.endsWith(invalid));

const problemsOf = (content: string, file = 'broken.yaml') =>
  readCanaryFile(file, content).flatMap((outcome) => (outcome.ok ? [] : outcome.problems));
const document = (spec: string) =>
  `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata:\n  name: broken\nspec:\n${spec}`;

describe('real specifications', () => {
  test('there are all 88 of them', () => {
    expect(files).toHaveLength(88);
  });

  test.each(files.filter((name) => !isInvalid(name)))('%s parses', (name) => {
    const outcomes = readCanaryFile(name, readFileSync(join(FIXTURES, name), 'utf8'));
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([]);
    for (const outcome of outcomes) expect(outcome.ok && outcome.canary.entries.length).toBeGreaterThan(0);
  });

  test.each(files.filter(isInvalid))('%s is refused for its schedule', (name) => {
    const [outcome, ...rest] = readCanaryFile(name, readFileSync(join(FIXTURES, name), 'utf8'));
    expect(rest).toEqual([]);
    expect(outcome).toMatchObject({ ok: false, problems: [{ file: name, field: 'spec.schedule' }] });
  });
});

test('an empty namespace is one: only a document that names none is in the default one', () => {
  const namespaceOf = (line: string) =>
    readCanaryFile(
      'a.yaml',
      `kind: Canary\nmetadata:\n  name: a\n${line}spec:\n  tcp:\n    - endpoint: a:1\n`,
    ).map((outcome) => (outcome.ok ? outcome.canary.namespace : null));
  expect(namespaceOf('  namespace: ""\n')).toEqual(['']);
  expect(namespaceOf('')).toEqual(['default']);
  expect(namespaceOf('  namespace: shop\n')).toEqual(['shop']);
});

describe('what is wrong is told with file, line and field', () => {
  test.each<[string, string, string]>([
    ['  http:\n    - name: a\n', 'spec.http[0].url', 'broken.yaml:7: spec.http[0].url: is required'],
    [
      '  http:\n    - url: http://a\n      responseCodes: ok\n',
      'spec.http[0].responseCodes',
      'broken.yaml:8: spec.http[0].responseCodes: must be a list',
    ],
    [
      '  htpp:\n    - url: http://a\n',
      'spec.htpp',
      'broken.yaml:6: spec.htpp: is not a kind of check; did you mean "http"?',
    ],
    [
      '  schedule: "8 46 *"\n  tcp:\n    - endpoint: a:1\n',
      'spec.schedule',
      'broken.yaml:6: spec.schedule: "8 46 *" is not a schedule (five cron fields, @every 30s, @hourly, @never)',
    ],
    [
      '  schedule: "99 * * * *"\n  tcp:\n    - endpoint: a:1\n',
      'spec.schedule',
      'broken.yaml:6: spec.schedule: "99 * * * *" is not a schedule (five cron fields, @every 30s, @hourly, @never)',
    ],
    [
      '  tcp:\n    - endpoint: a\n',
      'spec.tcp[0].endpoint',
      'broken.yaml:7: spec.tcp[0].endpoint: must be host:port, such as db.example.com:5432',
    ],
    [
      '  dns:\n    - query: a\n      querytype: HINFO\n',
      'spec.dns[0].querytype',
      'broken.yaml:8: spec.dns[0].querytype: must be one of A, AAAA, CNAME, SRV, MX, PTR, TXT, NS',
    ],
    ['  http: yes please\n', 'spec.http', 'broken.yaml:6: spec.http: must be a list of checks'],
    ['  icon: x\n', 'spec', 'broken.yaml:5: spec: has no checks'],
    [
      '  http:\n    - url: http://a\n      name: a\n      dependsOn: [b]\n',
      'spec.http',
      'broken.yaml:6: spec.http: "a" depends on "b", which is not a check of this canary',
    ],
  ])('%j', (spec, field, message) => {
    expect(problemsOf(document(spec))).toEqual([
      expect.objectContaining({ file: 'broken.yaml', field, message }),
    ]);
  });

  test('text that is not YAML names the line', () => {
    const [problem] = problemsOf('a: b\nc: [1, 2\nd: e\n');
    expect(problem?.line).toBeGreaterThan(1);
    expect(problem?.message).toMatch(/^broken\.yaml:\d+: \S/);
  });

  test('a good document beside a broken one is still good', () => {
    const good = document('  tcp:\n    - endpoint: a:1\n');
    const outcomes = readCanaryFile('two.yaml', `${good}---\n${document('  tcp:\n    - endpoint: b\n')}`);
    expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, false]);
  });

  test('a mistyped field is refused, for a threshold that is ignored would be a check that cannot fail', () => {
    const spec = '  tcp:\n    - endpoint: a:1\n      tresholdMillis: 3\n';
    expect(problemsOf(document(spec)).map(({ message }) => message)).toEqual([
      'broken.yaml:8: spec.tcp[0].tresholdMillis: is not a field of this kind; did you mean "thresholdMillis"?',
    ]);
  });

  test('an object of another API beside a canary is not ours to judge', () => {
    const job = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: j}\n---\n';
    const outcomes = readCanaryFile('two.yaml', job + document('  tcp:\n    - endpoint: a:1\n'));
    expect(outcomes.map((outcome) => outcome.ok)).toEqual([true]);
  });
});

describe('hostile files', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'
      .split('')
      .map(
        (name, at) =>
          `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]}`).join(',')}]`,
      ),
  ].join('\n');

  test('an anchor bomb is refused at once', () => {
    const started = performance.now();
    expect(problemsOf(bomb)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test.each([
    document('  http: !!js/function "x"\n'),
    document('  http: !include /etc/passwd\n'),
    'a: '.padEnd(2 * 1024 * 1024, 'x'),
    '['.repeat(10_000),
    '{}',
    'just text',
    '- list',
  ])('%.40j is refused', (content) => {
    expect(problemsOf(content).length).toBeGreaterThan(0);
  });

  test('__proto__ as a field changes nothing', () => {
    problemsOf(
      document(
        '  __proto__:\n    polluted: true\n  tcp:\n    - endpoint: a:1\n      __proto__: {polluted: true}\n',
      ),
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

test('labels, annotations and settings of the canary are kept, and suspended ones are paused', () => {
  const content =
    'kind: Canary\nmetadata:\n  name: a\n  namespace: prod\n  labels: {tier: 1}\n  annotations: {suspend: "true"}\nspec:\n  owner: me\n  tcp:\n    - endpoint: a:1\n    - endpoint: a:1\n';
  const [outcome] = readCanaryFile('a.yaml', content);
  expect(outcome).toMatchObject({
    ok: true,
    canary: {
      namespace: 'prod',
      labels: { tier: '1' },
      owner: 'me',
      isPaused: true,
      schedule: { kind: 'every', everyMs: 300_000 },
    },
  });
  expect(outcome?.ok && outcome.canary.entries.map((check) => check.name)).toEqual(['a:1', 'a:1 (2)']);
});

test('checks of one type have distinct names, whatever they are called', () => {
  const name = fc.constantFrom('a', 'a (2)', 'a (3)', 'a (2) (2)', 'b');
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 12 }), (given) => {
      const checks = given.map((one) => `    - {name: "${one}", endpoint: 'a:1'}\n`).join('');
      const [outcome] = readCanaryFile(
        'a.yaml',
        `kind: Canary\nmetadata: {name: a}\nspec:\n  tcp:\n${checks}`,
      );
      const names = outcome?.ok ? outcome.canary.entries.map((check) => check.name) : [];
      expect(names).toHaveLength(given.length);
      expect(new Set(names).size).toBe(given.length);
      expect(names[0]).toBe(given[0]);
    }),
  );
});

test('a name that no index holds is refused; one that was taken from another field is cut', () => {
  const one = (check: string, name = 'a') =>
    readCanaryFile('a.yaml', `kind: Canary\nmetadata:\n  name: ${name}\nspec:\n  tcp:\n    - ${check}\n`)[0];
  const long = 'x'.repeat(501);
  expect(one(`{name: ${long}, endpoint: 'a:1'}`)).toMatchObject({
    ok: false,
    problems: [{ field: 'spec.tcp[0].name' }],
  });
  expect(one(`endpoint: 'a:1'`, long)).toMatchObject({ ok: false, problems: [{ field: 'metadata.name' }] });
  const cut = one(`{endpoint: 'a:1', description: ${long}}`);
  expect(cut?.ok && cut.canary.entries[0]?.name).toBe(long.slice(0, 500));
});
