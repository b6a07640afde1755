/** What is asked for while somebody follows a log, and what is said of lines that could not be read. */
import { expect, test } from 'vitest';
import type { LogPageRequest, ReadLogs } from '../../../contract/logs/log-pages.ts';
import { LogReader, type LogLoad } from './log-reader.ts';

const T0 = Date.parse('2026-03-01T10:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUESTION = { componentId: '', name: '', query: '', start: '1h', end: '' };
const secondsAfter = (start: string) => (Date.parse(start) - T0) / SECOND;

/** A reader whose server answers what it is given next; the first page is of `T0`. */
async function follower(first: Partial<ReadLogs> = {}) {
  const asked: LogPageRequest[] = [];
  const answers: Partial<ReadLogs>[] = [{ lines: 5000, ...first }];
  const loads: LogLoad[] = [];
  const sync = {
    act: (_name: string, page: LogPageRequest) => {
      asked.push(page);
      const value: ReadLogs = {
        bytes: new Uint8Array(),
        lines: 0,
        total: 0,
        next: null,
        notes: [],
        isPartial: false,
        asOfMs: T0,
        source: 'server',
        question: QUESTION,
        ...answers.shift(),
      };
      return Promise.resolve({ ok: true, value });
    },
  };
  const compute = { act: () => Promise.resolve({ ok: true, value: undefined }) };
  const workers = { sync, compute } as unknown as ConstructorParameters<typeof LogReader>[0]['workers'];
  const publish = (load: LogLoad) => loads.push(load);
  const reader = new LogReader({ workers, question: QUESTION, book: 'a', publish });
  await reader.start();
  const follow = async (newestMs: number | null, ...given: Partial<ReadLogs>[]) => {
    answers.push(...given);
    const before = asked.length;
    await reader.follow(newestMs);
    const [page] = asked.slice(before);
    return { start: secondsAfter(page?.start ?? ''), pages: asked.length - before, load: loads.at(-1) };
  };
  return { follow };
}

test('one source ahead of the others does not hide their lines; a quiet log is asked for since its newest', async () => {
  const { follow } = await follower();
  expect((await follow(T0 + 50 * SECOND, { asOfMs: T0 + SECOND })).start).toBe(-10);
  expect((await follow(T0 + 50 * SECOND, { asOfMs: T0 + 2 * SECOND })).start).toBe(-9);
  expect((await follow(T0 - 30 * SECOND)).start).toBe(-40);
});

test('what a backend has not said is asked for until it says it, and said meanwhile', async () => {
  const { follow } = await follower();
  const lost = { isPartial: true, notes: ['loki: did not answer'] };
  const failed = await follow(T0 + 30 * SECOND, { ...lost, asOfMs: T0 + 31 * SECOND });
  expect(failed.load).toMatchObject(lost);
  const again = await follow(T0 + 60 * SECOND, { asOfMs: T0 + 61 * SECOND });
  expect(again.start).toBe(-10);
  expect(again.load).toMatchObject({ isPartial: false, notes: [], gaps: [] });
  expect((await follow(T0 + 90 * SECOND)).start).toBe(51);
});

test('what is missing of the range stays said; a backend that is silent for long is waited for no longer', async () => {
  const { follow } = await follower({ isPartial: true, notes: ['loki: gone'] });
  const now = { asOfMs: T0 + 30 * MINUTE, isPartial: true, notes: ['loki: still gone'] };
  expect((await follow(null, now)).load).toMatchObject({
    isPartial: true,
    notes: ['loki: gone', 'loki: still gone'],
    gaps: ['silent'],
  });
  const later = await follow(T0 + 30 * MINUTE, { asOfMs: T0 + 31 * MINUTE });
  expect(later.start).toBe(20 * 60 - 10);
  expect(later.load).toMatchObject({ isPartial: true, notes: ['loki: gone'], gaps: ['silent'] });
});

test('more lines than can be followed are a gap that stays said', async () => {
  const { follow } = await follower();
  const page = { next: 'more', asOfMs: T0 + SECOND };
  const found = await follow(T0, page, page, page, page);
  expect(found).toMatchObject({ pages: 4, load: { gaps: ['tooMany'] } });
  const next = await follow(T0 + SECOND, { asOfMs: T0 + 2 * SECOND });
  expect(next).toMatchObject({ start: -9, pages: 1, load: { gaps: ['tooMany'], isPartial: false } });
});
