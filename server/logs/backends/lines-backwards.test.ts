import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesBackwards, type RawLine } from './lines-backwards.ts';
import { MAX_LINE_CHARS } from './log-backend.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Buffer): Promise<RawLine[]> {
  const path = join(folder, 'file.log');
  await writeFile(path, content);
  const found: RawLine[] = [];
  for await (const line of linesBackwards(path, () => undefined)) found.push(line);
  return found;
}

test('the lines of any text come from the last to the first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ') })), async (lines) => {
      const found = await read(lines.map((line) => `${line}\n`).join(''));
      expect(found.map(({ text }) => text)).toEqual(lines.toReversed());
    }),
    { numRuns: 50 },
  );
});

test('from the end of any line come that line and those before it', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at} ${'x'.repeat(at % 97)}`);
  const all = await read(lines.join('\n'));
  const path = join(folder, 'file.log');
  for (const at of [0, 1, 7000, 19_998, 19_999]) {
    const found: string[] = [];
    for await (const { text } of linesBackwards(path, () => undefined, all[at]?.end)) found.push(text);
    expect(found).toEqual(lines.toReversed().slice(at));
  }
});

test('lines that lie across the pieces of a large file, and a last one without its end', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at} ${'x'.repeat(at % 97)}`);
  const found = await read(lines.join('\n'));
  expect(found.map(({ text }) => text)).toEqual(lines.toReversed());
});

test('of a line of ten megabytes its beginning is kept, and how long it is', async () => {
  const long = `begin ${'y'.repeat(10 * 1024 * 1024)} end`;
  const found = await read(`before\n${long}\nafter\n`);
  expect(found.map(({ bytes }) => bytes)).toEqual([5, long.length, 6]);
  expect(found[1]?.text.startsWith('begin yyy')).toBe(true);
  expect(found[1]?.text.length).toBeLessThanOrEqual(MAX_LINE_CHARS * 4);
});

test('bytes that are no text are lines like others', async () => {
  const found = await read(Buffer.from([0xff, 0x00, 0x0a, 0xc3, 0x28, 0x0d, 0x0a]));
  expect(found).toHaveLength(2);
});
