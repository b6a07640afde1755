import { describe, expect, test } from 'vitest';
import { createStoredFailedCanaries } from './stored-failed-canaries.ts';

const canary = (at: number) => ({
  id: `c${at}`,
  name: `canary ${at}`,
  namespace: 'ns',
  source: null,
  error: 'bad',
});
const failed = (total: number) => ({
  total,
  canaries: Array.from({ length: total }, (_, at) => canary(at)),
});

function device() {
  const kept = new Map<string, string>();
  const reported: unknown[] = [];
  const state = { isFull: false };
  const platform = {
    readStored: (key: string) => kept.get(key) ?? null,
    writeStored(key: string, text: string | null) {
      if (state.isFull && text !== null) throw new DOMException('full', 'QuotaExceededError');
      if (text === null) kept.delete(key);
      else kept.set(key, text);
    },
    report: (error: unknown) => reported.push(error),
  };
  return { kept, reported, state, open: () => createStoredFailedCanaries(platform) };
}

describe('the canaries that could not be loaded', () => {
  test('are those of the last visit until this one knows better, however many as many as are listed', () => {
    const { open } = device();
    const first = open();
    first.set(failed(2000));
    expect(first.get()?.canaries).toHaveLength(2000);
    expect(open().get()).toEqual({ ...failed(50), total: 2000 });
    first.set(failed(0));
    expect(open().get()).toEqual(failed(0));
  });

  test('that say the same are no news', () => {
    const canaries = device().open();
    let told = 0;
    canaries.subscribe(() => {
      told += 1;
    });
    canaries.set(failed(2));
    canaries.set(failed(2));
    expect(told).toBe(1);
  });

  test('leave nothing on the device once they are forgotten', () => {
    const { open, kept } = device();
    const canaries = open();
    canaries.set(failed(2));
    canaries.set(null);
    expect([...kept.keys()]).toEqual([]);
  });

  test('are shown where there is no room to store them', () => {
    const { open, state, reported } = device();
    state.isFull = true;
    const canaries = open();
    canaries.set(failed(2));
    expect(canaries.get()).toEqual(failed(2));
    expect(reported).toHaveLength(1);
  });

  test.each(['{', '[]', '{"total":1}', '{"total":1,"canaries":[{"id":"a","name":"b"}]}'])(
    'that make no sense are none: %s',
    (text) => {
      const { open, kept } = device();
      kept.set('holdfast.failed-canaries', text);
      expect(open().get()).toBeNull();
    },
  );
});
