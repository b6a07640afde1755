/** Files: whatever order their lines are in, pages have each line of the range once; no path leads out. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeAnswers } from '../merge-answers.ts';
import type { LogCursor } from '../log-cursor.ts';
import { fileBackend } from './file-backend.ts';
import { cutLine } from './log-backend.ts';
import type { BackendContext, LogQuestion } from './log-backend.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-log-files-'));
  await mkdir(join(folder, 'logs', 'web'), { recursive: true });
  await writeFile(join(folder, 'outside.log'), '2026-03-01T11:59:00Z not for anybody\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const question = (part: Partial<LogQuestion> = {}): LogQuestion => ({
  id: 'shop/web',
  type: 'Pod',
  namespace: 'shop',
  name: 'app',
  labels: { app: 'web' },
  words: [],
  startMs: NOW - 3_600_000,
  endMs: NOW,
  limit: 10_000,
  ...part,
});
const context = () =>
  ({
    signal: new AbortController().signal,
    now: () => NOW,
    logsDir: join(folder, 'logs'),
  }) as unknown as BackendContext;
const read = (asked: LogQuestion, paths = ['$(labels.app)/*.log']) =>
  fileBackend.read({ paths }, asked, context());

/** All pages of a range. */
async function pages(limit: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: LogCursor | null = null;
  const startMs = NOW - 3_600_000;
  for (let page = 0; page < 500; page += 1) {
    const given: number = cursor?.given['a'] ?? 0;
    const endMs: number = Math.min(NOW, cursor?.endMs ?? NOW);
    const answer = await read(question({ endMs, limit: limit + given, places: cursor?.places?.['a'] }));
    const merged = mergeAnswers([{ id: 'a', answer }], { cursor, limit, startMs });
    found.push(...merged.lines.map(({ message }) => message));
    if (merged.next === null) return found;
    cursor = merged.next;
  }
  throw new Error('the pages do not end');
}

it('pages have every line of the range once, however its lines are shuffled near by, and wherever a clock jumped', async () => {
  const late = fc.integer({ min: 0, max: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(late, { minLength: 1, maxLength: 600 }),
      fc.integer({ min: 1, max: 200 }),
      fc.option(fc.nat({ max: 500 }), { nil: null }),
      async (lates, limit, jumpAt) => {
        const lines = lates.map((seconds, at) => {
          const atMs = at === jumpAt ? NOW - 86_400_000 : NOW - (lates.length - at) * 1000 - seconds * 1000;
          return { atMs, text: `${new Date(atMs).toISOString()} line ${at}` };
        });
        await writeFile(join(folder, 'logs', 'web', 'a.log'), lines.map(({ text }) => `${text}\n`).join(''));
        const inRange = lines.filter(({ atMs }) => atMs >= NOW - 3_600_000).map(({ text }) => text);
        expect((await pages(limit)).toSorted()).toEqual(inRange.toSorted());
      },
    ),
    { numRuns: 30 },
  );
});

it('a page reads no line again that is newer than where the page before has ended, and another file of the name from its end', async () => {
  const path = join(folder, 'logs', 'web', 'a.log');
  const lines = (word: string) =>
    Array.from(
      { length: 2000 },
      (_, at) => `${new Date(NOW - (2000 - at) * 1000).toISOString()} ${word} ${at}\n`,
    );
  await writeFile(path, lines('first').join(''));
  const first = await read(question({ limit: 500 }));
  const endMs = first.lines.at(-1)?.atMs ?? 0;
  const places = first.placesFor?.(endMs);
  // What is behind the place is not looked at: else a line that is too old there would be answered.
  const marked = lines('first').map((line, at) =>
    at > 1600 ? line.replace(/^\S+/, lines('')[0]?.slice(0, 24) ?? '') : line,
  );
  await writeFile(path, marked.join(''));
  const next = await read(question({ endMs, limit: 10_000, places }));
  expect(next.lines.map(({ message }) => message)).toEqual(
    lines('first')
      .slice(0, 1501)
      .map((line) => line.trimEnd())
      .toReversed(),
  );
  // It stays somewhere, or the next one may get its number.
  await rename(path, join(folder, 'rotated'));
  await writeFile(path, lines('second').join(''));
  const [newest] = (await read(question({ places }))).lines;
  expect(newest?.message).toContain('second');
});

it('a line of 10 MB, bytes that are no text and lines without a time have their end', async () => {
  const long = Buffer.concat([
    Buffer.from('2026-03-01T11:59:01Z '),
    Buffer.alloc(10_000_000, 'x'),
    Buffer.from('\n'),
  ]);
  const binary = Buffer.concat([
    Buffer.from('2026-03-01T11:59:02Z '),
    Buffer.from([0xff, 0xfe, 0, 1, 2, 0xc3]),
    Buffer.from(' end\n\tat no time\n'),
  ]);
  await writeFile(join(folder, 'logs', 'web', 'a.log'), Buffer.concat([long, binary]));
  const { lines } = await read(question());
  expect(lines).toHaveLength(3);
  const [trace, bytes, cut] = lines.map(cutLine);
  expect(trace?.message).toContain('at no time');
  expect(trace?.atMs).toBe(bytes?.atMs);
  expect(bytes?.message).toMatch(/\uFFFD.* end$/su);
  expect(cut?.message.length).toBeLessThan(33_000);
  expect(cut?.message).toMatch(/cut here: this line has 10,000,0\d\d characters$/);
});

it('no label of a selector and no path of a specification reaches what is not below the folder', async () => {
  await writeFile(join(folder, 'logs', 'web', 'a.log'), '2026-03-01T11:59:00Z ours\n');
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '../..', '/etc', '*', '**', '{web,..}', '..\\..', '.', '@(web|..)', '!(x)', '\0'),
    fc
      .array(fc.constantFrom('..', '/', '*', 'web', '{', '}', ',', '\\', '.'), { maxLength: 6 })
      .map((all) => all.join('')),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (label, path) => {
      for (const [asked, paths] of [
        [question({ labels: { app: label } }), ['$(labels.app)/*.log', '$(labels.app)']],
        [question(), [`${path}/*.log`, path]],
      ] as const) {
        const found = await read(asked, [...paths]).catch(() => null);
        for (const { message } of found?.lines ?? []) expect(message).toMatch(/ours$/);
      }
      // Another value than the folder's own name is no way to it.
      const found = await read(question({ labels: { app: label } })).catch(() => null);
      if (label !== 'web') expect(found?.lines ?? []).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
