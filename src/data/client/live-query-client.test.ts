import { describe, expect, test } from 'vitest';
import type { LivePatch, LiveQuestion, LiveRow } from '../../contract/live-query.ts';
import { createLiveValue } from './live-value.ts';
import {
  cachedAs,
  isBetween,
  NO_ANSWER,
  openDifferences,
  patched,
  type LiveAnswer,
} from './live-query-client.ts';

const QUESTION: LiveQuestion = {
  collection: 'incidents',
  where: [],
  search: '',
  sort: [],
  groupBy: null,
  window: { start: 0, end: 10 },
};
const row = (id: string, title = id): LiveRow => ({ id, row: { id, title }, pending: 'none' });
const whole = (generation: number, ...ids: string[]): LivePatch => ({
  generation,
  frame: { isLoaded: true, total: ids.length, groups: [{ value: 'open', count: ids.length }] },
  order: { start: 0, ids },
  rows: ids.map((id) => row(id)),
});

/** A worker's side that answers only when told. */
async function open(shown: LiveAnswer | null = null) {
  const asked: LiveQuestion[] = [];
  const published: LiveAnswer[] = [];
  const listeners: ((patch: LivePatch) => void)[] = [];
  const storeName = createLiveValue<string | null>('of-alice');
  let closed = 0;
  const client = openDifferences(QUESTION, {
    empty: NO_ANSWER as LiveAnswer,
    patched,
    isBetween,
    cached: cachedAs('live-rows'),
    shown,
    storeName,
    open: async (question, listener) => {
      asked.push(question);
      listeners.push(listener);
      return {
        update: async (next) => void asked.push(next),
        close: async () => void (closed += 1),
      };
    },
    publish: (answer) => published.push(answer),
    report: (error) => {
      throw error;
    },
  });
  await Promise.resolve();
  return {
    client,
    asked,
    published,
    closed: () => closed,
    storeName,
    /** The worker's word on the question that was opened last, or before that. */
    patch: (patch: LivePatch, at = -1) => listeners.at(at)?.(patch),
    ids: () => published.at(-1)?.rows.map(({ id }) => id),
  };
}

/** The store is opened or filled anew: nothing of it was read yet. */
const notRead = (generation: number): LivePatch => ({
  generation,
  frame: { isLoaded: false, total: 0, groups: [] },
  order: { start: 0, ids: [] },
});

describe('what is shown while the same is looked for anew', () => {
  test('stays, so that what is typed over it does, until it is found again', async () => {
    const query = await open();
    query.patch(notRead(0));
    query.patch(whole(0, 'a'));
    const { length } = query.published;
    query.patch(notRead(0));
    expect(query.published).toHaveLength(length);
    query.patch({ ...whole(0, 'a'), rows: [row('a', 'changed meanwhile')] });
    expect(query.published.at(-1)?.rows).toEqual([row('a', 'changed meanwhile')]);
  });

  test('goes when it was deleted meanwhile', async () => {
    const query = await open();
    query.patch(whole(0, 'a'));
    query.patch(notRead(0));
    query.patch({ generation: 0, frame: { isLoaded: true, total: 0, groups: [] } });
    expect(query.published.at(-1)).toMatchObject({ isLoaded: true, rows: [] });
  });

  test('is never the answer to another question', async () => {
    const query = await open();
    query.patch(whole(0, 'a'));
    query.client.setQuestion({ ...QUESTION, collection: 'playbooks' });
    await Promise.resolve();
    query.patch(notRead(1));
    expect(query.published.at(-1)).toMatchObject({ isLoaded: false, rows: [] });
  });

  test('is nothing of a former person, not even from an answer that was under way', async () => {
    for (const next of ['of-bob', null]) {
      const query = await open();
      query.patch(whole(0, 'a'));
      query.client.setQuestion({ ...QUESTION, search: 'x' });
      query.storeName.set(next);
      expect(query.published.at(-1)).toEqual(NO_ANSWER);
      query.patch(whole(1, 'a'), 0);
      query.patch(notRead(0));
      expect(query.published.at(-1)).toEqual(NO_ANSWER);
      expect(query.asked.at(-1)).toMatchObject({ search: 'x' });
      query.patch({ generation: 0, frame: { isLoaded: true, total: 0, groups: [] } });
      expect(query.published.at(-1)).toMatchObject({ isLoaded: true, rows: [] });
      query.client.close();
      const { length } = query.published;
      query.storeName.set('of-carol');
      expect(query.published).toHaveLength(length);
    }
  });
});

describe('a live query on the page', () => {
  test('is put together from differences, and what is unchanged stays the same object', async () => {
    const query = await open();
    query.patch(whole(0, 'a', 'b'));
    const [before] = query.published;
    query.patch({ generation: 0, rows: [row('b', 'new')] });
    const after = query.published.at(-1);
    expect(after?.rows[1]?.row.title).toBe('new');
    expect(after?.rows[0]).toBe(before?.rows[0]);
    expect(after?.groups).toBe(before?.groups);
    query.patch({
      generation: 0,
      frame: { isLoaded: true, total: 9, groups: [{ value: 'open', count: 2 }] },
    });
    expect(query.published.at(-1)).toMatchObject({ total: 9 });
    expect(query.published.at(-1)?.rows).toBe(after?.rows);
    expect(query.published.at(-1)?.groups).toBe(before?.groups);
  });

  test('what the worker does not know yet of a cached row stays as it was', async () => {
    const team = { total: 1, who: [{ id: 'r1', name: 'Ada', image: null }] };
    const cached = { ...row('a'), team };
    const shown: LiveAnswer = { isLoaded: true, total: 1, groups: [], start: 0, rows: [cached] };
    const query = await open(shown);
    query.patch(whole(0, 'a'));
    expect(query.published.at(-1)?.rows[0]).toBe(cached);
    query.patch({ generation: 0, rows: [{ ...row('a'), team: { total: 0, who: [] } }] });
    expect(query.published.at(-1)?.rows[0]?.team?.total).toBe(0);
  });

  test('rows that left the window are forgotten', async () => {
    const query = await open();
    query.patch(whole(0, 'a', 'b'));
    query.patch({ generation: 0, order: { start: 1, ids: ['b'] } });
    expect(query.published.at(-1)).toMatchObject({ start: 1, rows: [row('b')] });
    query.patch({ generation: 0, order: { start: 0, ids: ['a', 'b'] }, rows: [row('a', 'again')] });
    expect(query.published.at(-1)?.rows).toEqual([row('a', 'again'), row('b')]);
  });

  test('the old answer stays until the question asked last is answered, and no difference is lost', async () => {
    const query = await open();
    query.patch(whole(0, 'a'));
    query.client.setQuestion({ ...QUESTION, search: 'x' });
    query.client.setQuestion({ ...QUESTION, search: 'xy' });
    await Promise.resolve();
    query.patch(whole(1, 'a', 'b'));
    expect(query.ids()).toEqual(['a']);
    // The worker knows that b was sent.
    query.patch({ generation: 2, order: { start: 0, ids: ['b'] } });
    expect(query.ids()).toEqual(['b']);
    expect(query.published.length).toBe(2);
  });

  test('the same question again is not asked again', async () => {
    const query = await open();
    query.client.setQuestion({ ...QUESTION });
    await Promise.resolve();
    expect(query.asked.length).toBe(1);
    query.patch(whole(0, 'a'));
    expect(query.ids()).toEqual(['a']);
  });

  test('nothing is published after it was closed', async () => {
    const query = await open();
    query.client.close();
    await Promise.resolve();
    query.patch(whole(0, 'a'));
    expect(query.closed()).toBe(1);
    expect(query.published).toEqual([]);
  });

  test('a question that is refused is reported once, whatever follows', async () => {
    const errors: unknown[] = [];
    const client = openDifferences(QUESTION, {
      empty: NO_ANSWER as LiveAnswer,
      patched,
      storeName: createLiveValue(null),
      open: () => Promise.reject(new Error('refused')),
      publish: () => {},
      report: (error) => errors.push(error),
    });
    client.setQuestion({ ...QUESTION, search: 'x' });
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(errors).toEqual([new Error('refused')]);
  });

  test('what was cached stays until the store is read, and what is the same stays the same objects', async () => {
    const shown = patched(NO_ANSWER, whole(0, 'a', 'gone', 'b'));
    const query = await open(shown);
    query.patch({
      generation: 0,
      frame: { isLoaded: false, total: 0, groups: [] },
      order: { start: 0, ids: [] },
    });
    expect(query.published).toEqual([]);
    query.patch(whole(0, 'b', 'new', 'a'));
    expect(query.ids()).toEqual(['b', 'new', 'a']);
    expect(query.published.at(-1)?.rows[0]).toBe(shown.rows[2]);
    query.patch({ generation: 0, rows: [row('new', 'other')] });
    expect(query.published.at(-1)?.rows[0]).toBe(shown.rows[2]);
  });

  test('what came late stays until the store is read, and is not taken for rows of one that was', async () => {
    const late = patched(NO_ANSWER, whole(0, 'a'));
    const query = await open();
    query.client.hold(late);
    query.patch(notRead(0));
    expect(query.published).toEqual([]);
    query.patch(whole(0, 'a', 'b'));
    expect(query.published.at(-1)?.rows[0]).toBe(late.rows[0]);
    query.client.hold(late);
    query.patch({ generation: 0, order: { start: 0, ids: ['b'] } });
    expect(query.ids()).toEqual(['b']);
  });

  test('what was cached is not taken for rows of a store that has none', async () => {
    const query = await open(patched(NO_ANSWER, whole(0, 'a')));
    query.patch({
      generation: 0,
      frame: { isLoaded: false, total: 0, groups: [] },
      order: { start: 0, ids: [] },
    });
    query.patch({ generation: 0, frame: { isLoaded: true, total: 0, groups: [] } });
    expect(query.ids()).toEqual([]);
  });
});
