import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_HELD_LINES, type LogPatch, type LogQuery } from '../../../src/contract/logs/log-view.ts';
import { hasWords, searchWords } from '../../../src/domain/logs/search-words.ts';
import { LogBook, type SentLine } from './log-book.ts';
import { LogBooks } from './log-books.ts';
import { LogSearch } from './log-search.ts';

const platform = { now: () => 0, later: (_delayMs: number, run: () => void) => run() };
const QUERY: LogQuery = {
  book: 'a',
  search: '',
  levels: [],
  untilSeq: null,
  between: null,
  groupBy: null,
  group: null,
};
const line = (atMs: number, message: string, labels: Record<string, string> = {}): SentLine => ({
  timestamp: new Date(atMs).toISOString(),
  message,
  labels,
});
const bytesOf = (results: readonly SentLine[]) => new TextEncoder().encode(JSON.stringify({ results }));

test('lines that come again while following are there once, equal ones as often as they were written', () => {
  const time = fc.integer({ min: 1, max: 6 });
  const sent = fc.array(fc.tuple(time, fc.constantFrom('a', 'b')), { maxLength: 12 });
  fc.assert(
    fc.property(sent, fc.nat(), (written, place) => {
      // What the server has, newest first; the page saw the older part, then asks for the last moments again.
      const all = written
        .map(([atMs, text]) => line(atMs, text))
        .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
      const seen = all.slice(place % (all.length + 1));
      const book = new LogBook();
      book.replace(seen);
      book.addNewer(all);
      book.addNewer(all);
      const found = book.lines.map(({ atMs, raw }) => `${atMs} ${raw}`);
      expect(found.toSorted()).toEqual(
        all.map(({ timestamp, message }) => `${Date.parse(timestamp)} ${message}`).toSorted(),
      );
      const times = book.lines.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }),
  );
});

test('a search that is typed on finds what it finds when it is asked at once', () => {
  const book = new LogBook();
  book.replace(
    Array.from({ length: 300 }, (_, at) => line(at, `Line ${at} of ${at % 7 === 0 ? 'Error' : 'order'} "x"`)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('e', 'r', ' ', '1', '"', 'E', 'ro', 'or'), { maxLength: 6 }),
      (keys) => {
        const typed = new LogSearch();
        let search = '';
        for (const key of keys) {
          search += key;
          const one = { ...QUERY, search };
          const found = [...typed.find(book, one).places];
          expect(found).toEqual([...new LogSearch().find(book, one).places]);
          // Letters are told by their bits: the same as what is read.
          const words = searchWords(search);
          expect(found).toEqual(book.lines.flatMap(({ lower }, at) => (hasWords(lower, words) ? [at] : [])));
        }
      },
    ),
  );
});

test('what is narrowed by text, level, time and number is what each line says of itself, and so are the counts', () => {
  const words = ['error', 'warn', 'slow Ü', 'xyz', 'a"b', '7'];
  const LEVELS: LogQuery['levels'][] = [[], ['error'], ['warning', 'unknown']];
  const written = fc.array(fc.tuple(fc.nat(50), fc.constantFrom(...words), fc.constantFrom(...words)), {
    maxLength: 40,
  });
  const asked = fc.record({
    search: fc.constantFrom('', 'e', 'er', 'x', 'w r', 'ü', '7', 'a"b', '"slow ü"', 'E z'),
    levels: fc.constantFrom(...LEVELS),
    untilSeq: fc.option(fc.nat(40)),
    between: fc.option(fc.tuple(fc.nat(50), fc.nat(50)).map(([fromMs, toMs]) => ({ fromMs, toMs }))),
  });
  fc.assert(
    fc.property(written, asked, (texts, question) => {
      const book = new LogBook();
      const inOrder = texts.toSorted(([a], [b]) => b - a);
      book.replace(inOrder.map(([atMs, one, other]) => line(atMs, `${one} ${other}`)));
      const { search, levels, untilSeq, between } = question;
      const { places, frame } = new LogSearch().find(book, { ...QUERY, ...question });
      const inText = book.lines.filter(
        ({ lower, seq }) => (untilSeq === null || seq <= untilSeq) && hasWords(lower, searchWords(search)),
      );
      const inLevels = inText.filter(
        ({ level }) => levels.length === 0 || levels.some((one) => one === level),
      );
      const wanted = inLevels.filter(
        ({ atMs }) => between === null || (atMs >= between.fromMs && atMs <= between.toMs),
      );
      expect([...places].map((place) => book.lines[place])).toEqual(wanted);
      expect(frame.rowCount).toBe(wanted.length);
      expect(frame.levels.reduce((sum, { count }) => sum + count, 0)).toBe(inText.length);
      const bars = frame.histogram?.buckets ?? [];
      expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(inLevels.length);
      const ofLevel = (level: string) => inLevels.filter((one) => one.level === level).length;
      expect(bars.reduce((sum, { errors }) => sum + errors, 0)).toBe(ofLevel('error') + ofLevel('fatal'));
      expect(bars.reduce((sum, { warnings }) => sum + warnings, 0)).toBe(ofLevel('warning'));
    }),
  );
});

test('lines are counted by the values of a label, and one of them shown alone; files have them by group', async () => {
  const books = new LogBooks(platform);
  const results = [
    line(4000, '1970-01-01T00:00:04.000Z same', { pod: 'a', app: 'web' }),
    line(3000, '1970-01-01T00:00:03.000Z same', { pod: 'a', app: 'web' }),
    line(2000, 'other', { pod: 'b', app: 'web' }),
    line(1000, 'of none'),
  ];
  await books.put({ book: 'a', place: 'all', bytes: bytesOf(results) });
  const patches: LogPatch[] = [];
  const query: LogQuery = { ...QUERY, groupBy: 'pod' };
  const view = books.open({ query, window: { start: 0, end: 9 } }, (patch) => patches.push(patch));
  expect(patches.at(-1)?.frame).toMatchObject({
    rowCount: 4,
    labelNames: ['pod', 'app'],
    groups: [
      { value: 'a', count: 2 },
      { value: 'b', count: 1 },
      { value: '', count: 1 },
    ],
    groupCount: 3,
  });
  // The time that a line begins with is in its column.
  expect(patches.at(-1)?.rows?.rows[0]?.pieces).toEqual([{ text: 'same' }]);
  view.update({ query: { ...query, group: '' }, window: { start: 0, end: 9 } }, false);
  expect(patches.at(-1)?.frame).toMatchObject({ rowCount: 1, groupCount: 3 });
  const text = new TextDecoder().decode(books.write(query, 'counted'));
  const groups = text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as unknown);
  expect(groups).toMatchObject([
    { labels: {}, logs: [{ message: 'of none' }] },
    { labels: { pod: 'b', app: 'web' }, logs: [{ message: 'other', count: 1 }] },
    { labels: { pod: 'a', app: 'web' }, logs: [{ message: 'same', count: 2, labels: {} }] },
  ]);
});

test('a view says how many fit, holds newer lines back, narrows by level and time, and counts over time', async () => {
  const books = new LogBooks(platform);
  const patches: LogPatch[] = [];
  await books.put({
    book: 'a',
    place: 'all',
    bytes: bytesOf([
      line(3000, '{"level":"error","msg":"disk full","node":"n1"}'),
      line(2000, '\u001b[33mWARN\u001b[0m slow'),
      line(1000, 'INFO fine'),
    ]),
  });
  const view = books.open({ query: { ...QUERY, search: 'disk' }, window: { start: 0, end: 100 } }, (patch) =>
    patches.push(patch),
  );
  const last = () => patches.at(-1);
  expect(last()?.frame).toMatchObject({ rowCount: 1, totalCount: 3, newestMs: 3000 });
  expect(last()?.rows?.rows[0]).toMatchObject({
    level: 'error',
    pieces: [{ text: 'disk', isFound: true }, { text: ' full' }],
    labels: [['node', 'n1']],
  });
  view.update({ query: { ...QUERY, levels: ['warning'] }, window: { start: 0, end: 100 } }, false);
  expect(last()?.rows?.rows.map(({ pieces }) => pieces[0])).toEqual([{ text: 'WARN', tone: 'yellow' }]);
  const { newestSeq = null } = last()?.frame ?? {};
  view.update({ query: { ...QUERY, untilSeq: newestSeq }, window: { start: 0, end: 100 } }, false);
  await books.put({ book: 'a', place: 'newer', bytes: bytesOf([line(4000, 'ERROR later')]) });
  expect(last()?.frame).toMatchObject({ rowCount: 3, totalCount: 4, waiting: 1 });
  expect(last()?.frame?.histogram?.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  view.update(
    { query: { ...QUERY, between: { fromMs: 3000, toMs: 4000 } }, window: { start: 0, end: 100 } },
    false,
  );
  expect(last()?.frame?.rowCount).toBe(2);
  const packed = books.pack('a', [0]);
  expect(packed.payload.lines.map(({ message }) => message)).toHaveLength(4);
  expect(packed.payload.selected_lines).toHaveLength(1);
  expect(new TextDecoder().decode(books.write({ ...QUERY, search: 'fine' }, 'text'))).toBe(
    '1970-01-01T00:00:01.000Z INFO fine\n',
  );
  expect(books.line(QUERY, 0)?.fields).toContainEqual(['node', 'n1']);
  view.close();
});

test('a log holds so many lines and no more, the newest', () => {
  const book = new LogBook();
  book.replace(Array.from({ length: MAX_HELD_LINES }, (_, at) => line(MAX_HELD_LINES - at, 'x')));
  book.addNewer([line(MAX_HELD_LINES + 5, 'new')]);
  expect(book.lines).toHaveLength(MAX_HELD_LINES);
  expect(book.lines[0]?.raw).toBe('new');
  expect(book.lines.at(-1)?.atMs).toBe(2);
});
