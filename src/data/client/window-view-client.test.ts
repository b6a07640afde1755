import { describe, expect, test } from 'vitest';
import { checkSchema } from '../../contract/http/canary.ts';
import type { HealthFrame, HealthPatch, HealthQuery, HealthRow, RowWindow } from '../../contract/worker.ts';
import { EMPTY_FRAME, HEALTH_PARTS } from './health-view-client.ts';
import { WindowViewClient } from './window-view-client.ts';

const QUERY: HealthQuery = {
  hidePassing: true,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};
const row = (id: string): HealthRow => ({
  kind: 'check',
  key: id,
  check: checkSchema.parse({ id, canary_id: 'c', name: id, type: 'http' }),
  health: { state: 'healthy', lastKnown: 'healthy', isStale: false },
  isNested: false,
  pivot: null,
});
const rows = (start: number, end: number, word = 'r') =>
  Array.from({ length: end - start }, (_, at) => row(`${word}${start + at}`));

type Cached = { frame: HealthFrame; rows: HealthRow[] } | null;

/** A worker's side that answers only when told, beside what was cached of questions. */
async function open(
  cached: (query: HealthQuery) => Cached = () => null,
  own: { windowRows?: number; isPartial?: (frame: HealthFrame) => boolean } = {},
) {
  const noted: HealthQuery[] = [];
  let retime = () => {};
  const windows: RowWindow[] = [];
  const queries: HealthQuery[] = [];
  const errors: unknown[] = [];
  let listener: (patch: HealthPatch) => void = () => {};
  let closed = 0;
  const client = new WindowViewClient<HealthQuery, HealthFrame, HealthRow>(QUERY, {
    open: async ({ window }, given) => {
      windows.push(window);
      let answered = 0;
      listener = given;
      return {
        update: async (next, generation) => {
          if (generation === answered) windows.push(next.window);
          else queries.push(next.query);
          answered = generation;
        },
        close: async () => void (closed += 1),
      };
    },
    report: (error) => errors.push(error),
    cache: {
      read: cached,
      note: (query) => noted.push(query),
      drop: () => {},
      whenOld: (run) => {
        retime = run;
      },
    },
    ...own,
    emptyFrame: EMPTY_FRAME,
    parts: HEALTH_PARTS,
  });
  await Promise.resolve();
  return {
    client,
    windows,
    queries,
    noted,
    retime: () => retime(),
    closed: () => closed,
    patch: (patch: HealthPatch) => listener(patch),
    whole: (rowCount: number, generation = 0, word = 'r') =>
      listener({
        generation,
        frame: { ...EMPTY_FRAME, isLoaded: true, rowCount },
        rows: { start: 0, rows: rows(0, Math.min(100, rowCount), word) },
      }),
  };
}
const flush = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the view of the health board', () => {
  test('keeps showing the old rows until the new question is answered', async () => {
    const { client, whole, queries } = await open();
    whole(50);
    client.setQuery({ ...QUERY, query: 'x' });
    await flush();
    expect(queries).toHaveLength(1);
    expect(client.state.get().getRow(0)?.key).toBe('r0');
    whole(3, 1, 'new');
    expect(client.state.get().getRow(0)?.key).toBe('new0');
    expect(client.state.get().getRow(10)).toBeNull();
  });

  test('what comes to be cached of the present question takes the place of rows of another', async () => {
    const answers = new Map([['', 'all']]);
    const { client, whole } = await open(({ query }) => {
      const word = answers.get(query);
      return word === undefined
        ? null
        : { frame: { ...EMPTY_FRAME, isLoaded: true, rowCount: 5 }, rows: rows(0, 5, word) };
    });
    client.lookAgain();
    client.setQuery({ ...QUERY, query: 'x' });
    expect(client.state.get().getRow(0)?.key).toBe('all0');
    answers.set('x', 'found');
    client.lookAgain();
    const shown = client.state.get();
    expect(shown.getRow(0)?.key).toBe('found0');
    client.lookAgain();
    expect(client.state.get()).toBe(shown);
    whole(5, 1, 'answered');
    client.lookAgain();
    expect(client.state.get().getRow(0)?.key).toBe('answered0');
  });

  test('an answer to a question that was replaced is not shown', async () => {
    const { client, whole } = await open();
    whole(5);
    client.setQuery({ ...QUERY, query: 'a' });
    client.setQuery({ ...QUERY, query: 'ab' });
    whole(4, 1, 'half');
    expect(client.state.get().getRow(0)?.key).toBe('r0');
    whole(2, 2, 'whole');
    expect(client.state.get().getRow(0)?.key).toBe('whole0');
  });

  test('a row that says the same is the same object, wherever it stands in the next answer', async () => {
    const { client, whole, patch } = await open();
    whole(5);
    const before = client.state.get().getRow(2);
    client.setQuery({ ...QUERY, query: 'r' });
    patch({
      generation: 1,
      frame: { ...EMPTY_FRAME, isLoaded: true, rowCount: 2 },
      rows: { start: 0, rows: [row('other'), row('r2')] },
    });
    expect(client.state.get().getRow(1)).toBe(before);
    expect(client.state.get().getRow(0)?.key).toBe('other');
  });

  test('the same question again asks nothing', async () => {
    const { client, queries } = await open();
    client.setQuery({ ...QUERY });
    await flush();
    expect(queries).toEqual([]);
  });

  test('asks for rows before the screen reaches the edge, and not at every step', async () => {
    const { client, whole, windows } = await open();
    whole(1000);
    client.state.get().setVisibleRange(20, 50);
    await flush();
    expect(windows).toHaveLength(1);
    client.state.get().setVisibleRange(70, 95);
    client.state.get().setVisibleRange(71, 96);
    await flush();
    expect(windows).toEqual([
      { start: 0, end: 100 },
      { start: 32, end: 132 },
    ]);
  });

  test('a view of few rows asks for few, and for more where more are on the screen', async () => {
    const { client, whole, windows } = await open(undefined, { windowRows: 40 });
    whole(1000);
    client.state.get().setVisibleRange(0, 14);
    client.state.get().setVisibleRange(20, 32);
    client.state.get().setVisibleRange(0, 60);
    client.state.get().setVisibleRange(0, 140);
    client.state.get().setVisibleRange(0, 140);
    await flush();
    expect(windows).toEqual([
      { start: 0, end: 40 },
      { start: 4, end: 48 },
      { start: 0, end: 92 },
      { start: 20, end: 120 },
    ]);
  });

  test('rows that were seen stay for scrolling back, but never more than five windows', async () => {
    const { client, whole, patch } = await open();
    whole(2000);
    for (let start = 100; start < 1000; start += 100) {
      client.state.get().setVisibleRange(start + 30, start + 70);
      patch({ generation: 0, rows: { start, rows: rows(start, start + 100) } });
    }
    const kept = Array.from({ length: 2000 }, (_, at) => client.state.get().getRow(at)).filter(
      (one) => one !== null,
    );
    expect(kept.length).toBeLessThanOrEqual(500);
    expect(client.state.get().getRow(950)?.key).toBe('r950');
  });

  test('the state is the same object until something changes', async () => {
    const { client, whole } = await open();
    const before = client.state.get();
    expect(client.state.get()).toBe(before);
    whole(1);
    expect(client.state.get()).not.toBe(before);
    expect(client.state.get().getRow).toBe(before.getRow);
  });

  test('rows beyond the end are forgotten when the board shrinks', async () => {
    const { client, whole, patch } = await open();
    whole(10);
    patch({ generation: 0, frame: { ...EMPTY_FRAME, isLoaded: true, rowCount: 4 } });
    expect(client.state.get().getRow(3)?.key).toBe('r3');
    expect(client.state.get().getRow(4)).toBeNull();
  });
});

const FRAME = { ...EMPTY_FRAME, isLoaded: true };

describe('a window that was cached', () => {
  const kept = (count: number, word = 'r'): Cached => ({
    frame: { ...FRAME, rowCount: count },
    rows: rows(0, Math.min(100, count), word),
  });
  const keys = ({ client }: Awaited<ReturnType<typeof open>>, count: number) =>
    Array.from({ length: count }, (_, at) => client.state.get().getRow(at)?.key ?? null);

  test('is there before the worker has said anything, and rows beyond it are on their way', async () => {
    const view = await open(() => kept(1000));
    expect(view.client.state.get().frame.rowCount).toBe(1000);
    expect(view.client.state.get().getRow(99)?.key).toBe('r99');
    expect(view.client.state.get().getRow(100)).toBeNull();
  });

  test('stays while the worker has not read the store, and gives way to its answer whole', async () => {
    const view = await open(() => kept(3, 'old'));
    view.patch({ generation: 0, frame: EMPTY_FRAME, rows: { start: 0, rows: [] } });
    expect(keys(view, 3)).toEqual(['old0', 'old1', 'old2']);
    expect(view.noted).toEqual([]);
    view.patch({
      generation: 0,
      frame: { ...FRAME, rowCount: 3 },
      rows: { start: 0, rows: rows(0, 2, 'new') },
    });
    expect(keys(view, 3)).toEqual(['new0', 'new1', null]);
    expect(view.noted).toEqual([QUERY]);
  });

  test('keeps its rows where the answer says the same', async () => {
    const view = await open(() => kept(5));
    const { getRow, frame } = view.client.state.get();
    const [before, counts] = [getRow(2), frame.counts];
    view.whole(5);
    expect(view.client.state.get().getRow(2)).toBe(before);
    expect(view.client.state.get().frame.counts).toBe(counts);
  });

  test('is of the question that is asked', async () => {
    const view = await open(({ query }) => (query === 'none' ? null : kept(2, `${query}-`)));
    view.client.setQuery({ ...QUERY, query: 'a' });
    expect(keys(view, 2)).toEqual(['a-0', 'a-1']);
    view.whole(2, 1, 'answer');
    view.client.setQuery({ ...QUERY, query: 'b' });
    expect(keys(view, 2)).toEqual(['answer0', 'answer1']);
  });

  test('is looked at again by the clock until there is an answer, and goes when it can say nothing more', async () => {
    let found = kept(1, 'at-first');
    const view = await open(() => found);
    found = kept(1, 'later');
    view.retime();
    expect(keys(view, 1)).toEqual(['later0']);
    found = null;
    view.retime();
    expect(view.client.state.get().frame).toEqual(EMPTY_FRAME);
    found = kept(1, 'too-late');
    view.whole(1);
    view.retime();
    expect(keys(view, 1)).toEqual(['r0']);
  });

  describe('that says more than the first answer of the worker', () => {
    // Here: an answer is partial while nothing of it is healthy.
    const isPartial = ({ counts }: HealthFrame) => counts.healthy === 0;
    const whole = { ...FRAME, rowCount: 2, counts: { healthy: 2, unhealthy: 0, warning: 0, unknown: 0 } };
    const partial = { ...whole, counts: { ...whole.counts, healthy: 0 } };
    const openPartial = async () => {
      const opened = await open((query) => (query === QUERY ? { frame: whole, rows: rows(0, 2) } : null), {
        isPartial,
      });
      const shown = opened.client.state.get();
      opened.patch({ generation: 0, frame: partial, rows: { start: 0, rows: rows(0, 2, 's') } });
      expect(opened.client.state.get()).toBe(shown);
      return opened;
    };
    const keysOf = ({ client }: Awaited<ReturnType<typeof open>>) =>
      [0, 1].map((at) => client.state.get().getRow(at)?.key);

    test('stays until the answer says as much, with all that was said meanwhile', async () => {
      const opened = await openPartial();
      opened.patch({ generation: 0, rows: { start: 1, rows: rows(1, 2, 't') } });
      expect(keysOf(opened)).toEqual(['r0', 'r1']);
      opened.patch({ generation: 0, frame: whole });
      expect(keysOf(opened)).toEqual(['s0', 't1']);
      expect(opened.noted).toEqual([QUERY]);
    });

    test('gives way when the store that it is of is gone', async () => {
      const opened = await openPartial();
      opened.patch({ generation: 0, frame: EMPTY_FRAME });
      expect(opened.client.state.get().frame).toEqual(EMPTY_FRAME);
      expect(keysOf(opened)).toEqual([undefined, undefined]);
    });

    test('gives way when it has waited for long', async () => {
      const opened = await openPartial();
      opened.retime();
      expect(keysOf(opened)).toEqual(['s0', 's1']);
      expect(opened.client.state.get().frame).toEqual(partial);
    });

    test('gives way when something else is asked, or other rows are looked at', async () => {
      const asked = await openPartial();
      asked.client.setQuery({ ...QUERY, query: 'x' });
      asked.patch({ generation: 1, frame: partial, rows: { start: 0, rows: rows(0, 2, 'x') } });
      expect(keysOf(asked)).toEqual(['x0', 'x1']);
      const scrolled = await open(() => ({ frame: { ...whole, rowCount: 500 }, rows: rows(0, 100) }), {
        isPartial,
      });
      const long = { ...partial, rowCount: 500 };
      scrolled.patch({ generation: 0, frame: long, rows: { start: 0, rows: rows(0, 100, 's') } });
      scrolled.client.state.get().setVisibleRange(80, 99);
      scrolled.patch({ generation: 0, rows: { start: 100, rows: rows(100, 140, 's') } });
      expect([0, 120].map((at) => scrolled.client.state.get().getRow(at)?.key)).toEqual(['s0', 's120']);
    });
  });

  test('is gone once it is forgotten, but not what the worker said', async () => {
    const view = await open(() => kept(2));
    view.client.forgetCached();
    expect(view.client.state.get().frame).toEqual(EMPTY_FRAME);
    expect(keys(view, 2)).toEqual([null, null]);
    view.whole(1, 0, 'answer');
    view.client.forgetCached();
    expect(keys(view, 1)).toEqual(['answer0']);
  });
});
