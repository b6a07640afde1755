import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createToastStore, MAX_TOASTS, TOAST_MS, type ToastStore } from './toast-store.ts';

const textsOf = (store: ToastStore) => store.get().map(({ text }) => text);

describe('toasts', () => {
  let store: ToastStore;
  beforeEach(() => {
    vi.useFakeTimers();
    store = createToastStore({
      now: () => Date.now(),
      later: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a message is there for five seconds and then gone', () => {
    store.success('Agent created');
    vi.advanceTimersByTime(TOAST_MS - 1);
    expect(textsOf(store)).toEqual(['Agent created']);
    vi.advanceTimersByTime(1);
    expect(textsOf(store)).toEqual([]);
  });

  test('while somebody looks closer nothing goes, and afterwards only the rest of the time is left', () => {
    store.error('An error occurred');
    vi.advanceTimersByTime(4000);
    store.hold();
    vi.advanceTimersByTime(60_000);
    expect(textsOf(store)).toEqual(['An error occurred']);
    store.release();
    vi.advanceTimersByTime(999);
    expect(textsOf(store)).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(textsOf(store)).toEqual([]);
  });

  test('a message that comes while held starts its time at the release', () => {
    store.success('one');
    store.hold();
    store.success('two');
    vi.advanceTimersByTime(60_000);
    store.release();
    vi.advanceTimersByTime(TOAST_MS);
    expect(textsOf(store)).toEqual([]);
  });

  test('the fifth message pushes the oldest out', () => {
    for (let number = 1; number <= MAX_TOASTS + 1; number += 1) store.success(`number ${number}`);
    expect(textsOf(store)).toEqual(['number 2', 'number 3', 'number 4', 'number 5']);
  });

  test('the same message again is shown once, with its full time', () => {
    store.error('Network Error. Please try again.');
    vi.advanceTimersByTime(4000);
    store.error('Network Error. Please try again.');
    vi.advanceTimersByTime(4000);
    expect(textsOf(store)).toEqual(['Network Error. Please try again.']);
  });

  test('a dismissed message is gone at once, the others stay, and the next one is not held', () => {
    store.success('one');
    store.hold();
    store.dismiss(store.get()[0]!.id);
    expect(textsOf(store)).toEqual([]);
    store.success('two');
    vi.advanceTimersByTime(TOAST_MS);
    expect(textsOf(store)).toEqual([]);
  });

  test('an offer is there for as long as it holds, also while somebody looks closer', () => {
    store.offer('INC-1: Investigating', { label: 'Undo', act: () => {}, forMs: 8000 });
    store.hold();
    vi.advanceTimersByTime(7999);
    expect(textsOf(store)).toEqual(['INC-1: Investigating']);
    vi.advanceTimersByTime(1);
    expect(textsOf(store)).toEqual([]);
  });
});
