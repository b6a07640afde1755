import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BrokenFileError, decodeUtf8, readJsonRows } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(text: string, size = text.length || 1): Promise<JsonRow[]> {
  const rows: JsonRow[] = [];
  for await (const row of readJsonRows(inPieces(text, size))) rows.push(row);
  return rows;
}

async function refusal(text: string): Promise<BrokenFileError> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof BrokenFileError) return error;
    throw error;
  }
  throw new Error('the text was taken');
}

test('rows are what JSON.parse finds, wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1, '\t\r\n'),
      async (rows, size, indent) => {
        const text = JSON.stringify(rows, null, indent);
        const found = await read(text, size);
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(text));
        expect(found.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
      },
    ),
    { numRuns: 200 },
  );
});

test('a row keeps its own text, with numbers that JavaScript would round', async () => {
  const [row] = await read('[ {"n": 12345678901234567890.123456789} ]');
  expect(row?.text).toContain('12345678901234567890.123456789');
});

test('a row tells the line where it begins', async () => {
  const rows = await read('[\n {"a": "\\n"},\n\n {"a":\n 2}\n]\n');
  expect(rows.map(({ line }) => line)).toEqual([2, 4]);
});

test.each([
  ['', 1, 'empty'],
  ['{"a": 1}', 1, 'array of rows'],
  ['\n\n"a"', 3, 'array of rows'],
  ['[{"a": 1}\n', 1, 'ends before its array does, at row 1'],
  ['[\n{"a": "x', 2, 'at row 1'],
  ['[\n{"a": 1},\n{"a": }\n]', 3, "row 2 isn't valid JSON"],
  ['[{"a": 1},\n]', 2, 'comma without a row'],
  ['[,{"a": 1}]', 1, 'comma without a row'],
  ['[{"a": 1}]\n[]', 2, 'follows the array'],
  ['[}]', 1, 'brace'],
  ['[{"a": 1}{"b": 2}]', 1, "isn't valid JSON"],
])('%j is no array of rows: line %i', async (text, line, reason) => {
  const error = await refusal(text);
  expect(error.line).toBe(line);
  expect(error.message).toContain(reason);
});

test('an empty array is no row', async () => {
  expect(await read(' [ ]\n')).toEqual([]);
});

test('a byte order mark before the array is passed over', async () => {
  expect(await read('\uFEFF[{"a": 1}]')).toHaveLength(1);
});

test('a row that is no object is refused alone', async () => {
  const rows = await read('[1, {"a": 1}, null]');
  expect(rows.map(({ problem }) => problem === null)).toEqual([false, true, false]);
});

test('10,000 levels are refused without being parsed, and the rows after them are read', async () => {
  const rows = await read(`[{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}, {"a": 1}]`);
  expect(rows.map(({ problem }) => problem)).toEqual(['nested deeper than 256 levels', null]);
});

test('bytes that are not UTF-8 are refused with their line', async () => {
  async function* bytes() {
    yield new Uint8Array([0x5b, 0x0a]);
    yield new Uint8Array([0x22, 0xff, 0x22]);
  }
  const decode = async () => {
    for await (const piece of decodeUtf8(bytes())) expect(piece).toBe('[\n');
  };
  await expect(decode()).rejects.toMatchObject({ line: 2 });
});
