import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeDocument } from './write-document.ts';
import { writeYaml } from './write-yaml.ts';

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'a\n',
    'a\nb',
    'a\n\nb\n\n',
    ' a\nb',
    'a \nb\t',
    '- a',
    'yes',
    '~',
    '0x1',
    '1e3',
    'a: b',
    'a #b',
    '#',
  ),
  fc.constantFrom(
    'null',
    '2024-01-01',
    '12:30',
    'a:b',
    'web:1.2',
    'http://a:80/b c',
    '=',
    '<<',
    '/a/b',
    '% x',
    '@a',
    '...',
    '---',
    'a\r\nb',
    '\n',
    'é',
    '😀',
  ),
);

test('what is written as YAML is read as what it was', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      const plain: unknown = JSON.parse(JSON.stringify(one));
      expect(parse(writeYaml(plain))).toEqual(plain);
    }),
    { numRuns: 2000 },
  );
});

test('lists and maps stand as people write them', () => {
  expect(
    writeYaml({ spec: { ports: [{ port: 80, name: 'web' }, [1, 2]], args: [], run: 'a\nb\n' }, on: 'off' }),
  ).toBe(
    'spec:\n  ports:\n    - port: 80\n      name: web\n    - - 1\n      - 2\n  args: []\n  run: |\n    a\n    b\n"on": "off"\n',
  );
});

test('a body of content is shown as it is, data in the form asked for', () => {
  const body = JSON.stringify({ format: 'xml', content: '<a>\n</a>' });
  expect(writeDocument(body, 'json')).toEqual({ text: '<a>\n</a>', form: 'text', format: 'xml' });
  expect(writeDocument('{"a":[1]}', 'json').text).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  expect(writeDocument('{"format":"a","content":"b","more":1}', 'yaml').form).toBe('yaml');
});

test('the time for two megabytes grows with their size, not with its square', () => {
  const pods = Array.from({ length: 8000 }, (_, at) => ({
    metadata: { name: `pod-${at}`, labels: { app: 'web', 'app.kubernetes.io/name': 'web' } },
    spec: { containers: [{ image: 'registry.example/web:1.2', args: ['--port=80', '-v'] }] },
    note: 'one line: of text, with "quotes" and so on and so forth',
  }));
  const started = performance.now();
  expect(writeYaml(pods).length).toBeGreaterThan(1_500_000);
  // Some 100 ms on an idle machine; a busy one must not fail this.
  expect(performance.now() - started).toBeLessThan(10_000);
});
