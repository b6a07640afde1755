import { describe, expect, test } from 'vitest';
import { createScriptEvaluator } from './evaluate-script.ts';
import type { ScriptSource } from './script.ts';

const NOW = Date.UTC(2026, 0, 2);
const evaluate = createScriptEvaluator({
  now: () => NOW,
  uuid: () => '0d5f1c1e-6f0a-4f0e-9d53-0f3d1a2b3c4d',
});
const run = (script: ScriptSource, variables: Record<string, unknown> = {}, lastResult: unknown = null) =>
  evaluate(script, { variables, durationNames: ['elapsed', 'sslAge'], lastResult });
const expr = (text: string, variables: Record<string, unknown> = {}, last: unknown = null) =>
  run({ expr: text }, variables, last).text;
const template = (text: string, variables: Record<string, unknown> = {}, last: unknown = null) =>
  run({ template: text }, variables, last).text;
const javascript = (text: string, variables: Record<string, unknown> = {}) =>
  run({ javascript: text }, variables).text;

describe('CEL', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['code in [200,201,301] && sslAge > Duration("7d")', { code: 200, sslAge: 8 * 86_400_000 }, 'true'],
    ['string(code).charAt(0)', { code: 404 }, '4'],
    ["'$1 = €' + string(json.rates.EUR)", { json: { rates: { EUR: 0.9 } } }, '$1 = €0.9'],
    ['json.count + 1', { json: { count: 2 } }, '3'],
    [
      'results.?files.orValue([]).map(i, i.name).join(", ")',
      { results: { files: [{ name: 'a' }, { name: 'b' }] } },
      'a, b',
    ],
    ['results.?files.orValue([]).size()', { results: {} }, '0'],
    ['["a", "b", "c", "d"].slice(1, 3).join(",")', {}, 'b,c'],
    ['{"detail": {"max": 3}}.toJSON()', {}, '{"detail":{"max":3}}'],
    ['[1].toJSONPretty("  ")', {}, '[\n  1\n]'],
    [
      'json.rates.keys().map(k, {"name": k, "value": json.rates[k]}).toJSON()',
      { json: { rates: { A: 1.5 } } },
      '[{"name":"A","value":1.5}]',
    ],
    ['"%s/%s".format(["a", "b"])', {}, 'a/b'],
    ['elapsed.getMilliseconds()', { elapsed: 1500 }, '1500'],
    ['HumanDuration(3600) + " " + HumanSize(1048576)', {}, '1h 1 MiB'],
    ['SemverCompare(">=1.2.3", "1.2.4")', {}, 'true'],
    ['string(time.Parse("2006-01-02", "2023-09-26"))', {}, '2023-09-26T00:00:00.000Z'],
    ['HumanDuration(time.Now() - timestamp("2026-01-01T00:00:00Z"))', {}, '1d'],
    ['uuid.IsValid(uuid.V4())', {}, 'true'],
    [
      'crypto.SHA384("hello world").startsWith("fdbd8e75a67f29f701a4e040385e2e23986303ea10239211af907fcbb83578b3")',
      {},
      'true',
    ],
  ])('%s', (text, variables, expected) => {
    expect(expr(text, variables)).toBe(expected);
  });

  test('last_result() answers the stored result, and an empty one before the first', () => {
    const script = 'last_result().results.?max.orValue("now-60d")';
    expect(expr(script, {}, { results: { max: '2020' } })).toBe('2020');
    expect(expr(script)).toBe('now-60d');
  });

  test('an error is one line', () => {
    expect(() => expr('nosuch == 1')).toThrow(/^Unknown variable: nosuch$/);
    expect(() => expr('1 +')).toThrow(/^[^\n]+$/);
  });

  test.each(['"".constructor', '{}.constructor', 'dyn({}).__proto__', 'json.constructor'])(
    '%s reaches nothing',
    (text) => {
      expect(() => expr(text, { json: {} })).toThrow();
    },
  );
});

test('both names of a language are the same to what runs it', () => {
  expect(run({ gotemplate: '{{.code}}' }, { code: 200 }).text).toBe('200');
  expect(run({ jsonpath: '$.code' }, { code: 200 }).text).toBe(
    run({ jsonPath: '$.code' }, { code: 200 }).text,
  );
});

describe('Go templates', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['code={{.code}}, age={{.sslAge}}', { code: 200, sslAge: 3_600_000 }, 'code=200, age=1h0m0s'],
    [
      '{{ range $i, $f := .results.Files }}{{if $i}}, {{end}}{{$f.Name}}{{end}}',
      { results: { files: [{ name: 'a' }, { name: 'b' }] } },
      'a, b',
    ],
    [
      '{{- if gt (conv.ToInt .n) 3 }} big {{- else if eq .n 3 }} three {{- else }} small {{- end }}',
      { n: 3 },
      ' three',
    ],
    ['{{ with .a }}{{ .b }}{{ else }}none{{ end }}', { a: { b: 'x' } }, 'x'],
    [
      '{{ (index .list 1).name | printf "%5s|%-4s|%03d" "x" }}',
      { list: [{}, { name: 'n' }] },
      '    x|n   |NaN',
    ],
    ['{{ len .list }} {{ .missing.deep }}{{ $x := 4 }}{{ $x }}{{/* gone */}}', { list: [1, 2] }, '2 4'],
    ['{{ .a | toJSONPretty "  " }}', { a: { b: 1 } }, '{\n  "b": 1\n}'],
    ['{{ range .none }}x{{ else }}empty{{ end }}', {}, 'empty'],
    ['{{ .size | humanizeBytes }} {{ strings.ToUpper "a}}b" }}', { size: 2048 }, '2 KiB A}}B'],
  ])('%s', (text, variables, expected) => {
    expect(template(text, variables)).toBe(expected);
  });

  test('last_result with a path chooses the branch', () => {
    const since = '{{- if last_result.results.max }}{{ last_result.results.max }}{{- else}}now-60d{{- end}}';
    expect(template(since)).toBe('now-60d');
    expect(template(since, {}, { results: { max: 'M' } })).toBe('M');
  });

  test.each(['{{ if .a }}', '{{ end }}', '{{ nosuch 1 }}', '{{ .a', '{{ $y }}', '{{ 1 2 }}'])(
    '%s is an error of one line',
    (text) => {
      expect(() => template(text)).toThrow(/^[^\n]+$/);
    },
  );

  test('no name reaches into prototypes', () => {
    expect(template('{{ .constructor }}{{ .a.__proto__ }}{{ index .a "constructor" }}', { a: {} })).toBe('');
    expect(() => template('{{ constructor }}')).toThrow('not known');
  });

  test('an output that explodes is stopped', () => {
    const list = Array.from({ length: 2000 }, () => 'x'.repeat(1000));
    expect(() => template('{{ range .list }}{{ . }}{{ end }}', { list })).toThrow('too long');
  });
});

describe('JavaScript and JSONPath', () => {
  test('the last expression is the result, and undeclared names work as in ES5', () => {
    const code = 'out = []\nfor (var k in json.rates) { out.push(k + "=" + json.rates[k]) }\nout.join(",")';
    expect(javascript(code, { json: { rates: { A: 1, B: 2 } } })).toBe('A=1,B=2');
  });

  test('underscore is there', () => {
    expect(javascript('_.map(results, function (r) { return r.n * 2 })', { results: [{ n: 2 }] })).toBe(
      '[4]',
    );
  });

  test.each([
    'while (true) {}',
    'var a = []; while (true) a.push({})',
    '(function f() { f() })()',
    'process.exit(1)',
    'require("fs")',
  ])('%s ends with an error and harms nothing', (code) => {
    expect(() => javascript(code)).toThrow();
    expect(javascript('1 + 1')).toBe('2');
  });

  test('a path gives the value it finds', () => {
    expect(
      run({ jsonPath: '$.json.items[*].name' }, { json: { items: [{ name: 'a' }, { name: 'b' }] } }).text,
    ).toBe('["a","b"]');
    expect(run({ jsonPath: '{.code}' }, { code: 7 }).text).toBe('7');
    expect(() => run({ jsonPath: '$..[?(@.x == 1)]' }, { json: [{ x: 1 }] })).toThrow();
  });

  test('yes and no are told apart from everything else', () => {
    expect(run({ expr: 'true' }).isTrue).toBe(true);
    expect(run({ template: ' false\n' }).isTrue).toBe(false);
    expect(run({ expr: '1' }).isTrue).toBeNull();
  });
});
