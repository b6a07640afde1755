import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readYaml, yamlDocument, yamlDocuments, yamlValue } from './read-yaml.ts';

const problemsOf = (text: string) =>
  yamlDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

describe('YAML that is read', () => {
  it('is what was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringify(value);
        expect(readYaml(text)).toEqual(parse(text));
      }),
    );
  });

  it('has a key once in each of its maps, and says where it stands again', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '1', '"1"', 'true'), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(keys, fc.boolean(), (names, isFlow) => {
        const values = names.map((name) => parse(name) as unknown);
        const again = values.findIndex((value, at) => values.indexOf(value) < at);
        const text = isFlow
          ? `{\n${names.map((name) => `${name}: 1`).join(',\n')}\n}`
          : names.map((name) => `${name}: 1`).join('\n');
        const line = again + (isFlow ? 2 : 1);
        expect(problemsOf(text)).toEqual(
          again < 0 ? [] : [`Map keys must be unique at line ${line}, column 1`],
        );
      }),
    );
  });

  it.each([
    ['[*a]', '*a has no anchor before it at line 1, column 2'],
    ['a: &a\n  - *a', '*a stands within what it names at line 2, column 5'],
    [
      `- &a x\n${lines(6000, () => '- *a')}`,
      'Too many aliases: more than 5000 with their anchors at line 5001, column 3',
    ],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'Nests too deep'],
    [
      `a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${lines(9, (at) => `a${at + 1}: &a${at + 1} [${Array.from({ length: 10 }, () => `*a${at}`).join(', ')}]`)}`,
      'Too many aliases: they stand for more than 100 times what is written',
    ],
    [
      `base: &base { ${lines(10_000, (at) => `  k${at}: 1,`)} }\nall: {<<: [${Array.from({ length: 60 }, () => '*base').join(',')}]}`,
      'Too many aliases: they stand for more than 1000000 values',
    ],
    [
      `a: &a [x, x, x, x, x, x, x, x]\n${lines(3, (at) => `${'bcd'[at]}: &${'bcd'[at]} [${Array.from({ length: 8 }, () => `*${'abc'[at]}`).join(', ')}]`)}`,
      'Too many aliases: they stand for more than 100 times what is written',
    ],
  ])('is refused in words: %.40s', (text, words) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(words)]);
  });

  it('may use one anchor in thousands of places', () => {
    const document = yamlDocument(
      `base: &base { every: 1m }\n${lines(4000, (at) => `n${at}: { <<: *base, at: ${at} }`)}`,
      {
        merge: true,
      },
    );
    expect(document.errors).toEqual([]);
    expect(yamlValue(document)).toMatchObject({ n3999: { every: '1m', at: 3999 } });
  });

  it('means by an alias what stood last under that name', () => {
    expect(readYaml('[&a x, *a, &a y, *a]')).toEqual(['x', 'x', 'y', 'y']);
  });

  // Compared with all before it, each of these keys would take a minute and a half together.
  it('has a hundred thousand keys', () => {
    expect(problemsOf(lines(100_000, (at) => `key${at}: 1`))).toEqual([]);
    expect(problemsOf(`${lines(100_000, (at) => `key${at}: 1`)}\nkey7: 2`)).toEqual([
      'Map keys must be unique at line 100001, column 1',
    ]);
  });
});
