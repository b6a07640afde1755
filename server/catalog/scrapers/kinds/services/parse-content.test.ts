import { describe, expect, test } from 'vitest';
import { parseContent } from './parse-content.ts';

const { signal } = new AbortController();
const read = (text: string, format: string) => parseContent({ text, format, source: 'x' }, signal);

describe('formats', () => {
  test('properties are read as Java does', async () => {
    const text = '# c\n! c\na = 1\nb: two\\\n  lines\nc\\=d = \\u00e9\\t\n\nempty\n';
    expect(await read(text, 'properties')).toEqual([{ a: '1', b: 'twolines', 'c=d': 'é\t', empty: '' }]);
  });

  test.each([
    ['a = 100   # needs a restart', '100'],
    ['a = 100 #', '100'],
    ['a = # nothing', ''],
    ["a = 'one # two' # three", "'one # two'"],
    ['a = "one # two"', '"one # two"'],
    ["a = it's # not quoted", "it's"],
    ['a = #fff', ''],
    ['a = one#two', 'one#two'],
    [String.raw`a = one \# two`, 'one # two'],
    ['a = http://host/#part', 'http://host/#part'],
  ])('a comment behind a value is not part of it: %s', async (line, value) => {
    expect(await read(line, 'properties')).toEqual([{ a: value }]);
  });

  test('a YAML that multiplies itself is refused', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`;
    await expect(read(bomb, 'yaml')).rejects.toThrow(/^x is not yaml: Too many aliases/);
  });

  test('other formats stay as they are', async () => {
    expect(await read('<a/>', 'xml')).toEqual(['<a/>']);
  });
});
