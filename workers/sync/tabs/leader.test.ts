/** Leadership between tabs: at most one leads, a visible one is preferred, silence is replaced. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Leader } from './leader.ts';
import type { LockRequest } from '../platform.ts';

/** Locks and messages as the browser has them between tabs; a frozen tab neither hears nor acts. */
function createOrigin() {
  let holder: { lost: AbortController; tab: string } | null = null;
  const waiting: (() => void)[] = [];
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const frozen = new Set<string>();
  const leading = new Set<string>();
  let ids = 0;

  const grant = async (tab: string, run: (lost: AbortSignal) => Promise<void>) => {
    const mine = { lost: new AbortController(), tab };
    holder = mine;
    await run(mine.lost.signal);
    if (holder === mine) {
      holder = null;
      waiting.shift()?.();
    }
  };
  const platformOf = (tab: string) => ({
    elapsed: () => Date.now(),
    later(delayMs: number, callback: () => void) {
      const timer = setTimeout(() => {
        if (!frozen.has(tab)) callback();
      }, delayMs);
      return () => clearTimeout(timer);
    },
    newId: () => `${tab}-${(ids += 1)}`,
    announce(message: unknown) {
      for (const [other, set] of listeners)
        if (other !== tab && !frozen.has(other)) for (const listener of set) listener(message);
    },
    listen(listener: (message: unknown) => void) {
      const set = listeners.get(tab) ?? new Set();
      listeners.set(tab, set.add(listener));
      return () => set.delete(listener);
    },
    async holdLock({ signal, steal }: LockRequest, run: (lost: AbortSignal) => Promise<void>) {
      if (steal) {
        holder?.lost.abort();
        await grant(tab, run);
        return;
      }
      if (holder !== null)
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => {
            const at = waiting.indexOf(resolve);
            if (at >= 0) waiting.splice(at, 1);
            reject(new Error('given up'));
          });
        });
      await grant(tab, run);
    },
    report: (error: unknown) => {
      throw error;
    },
  });
  const openTab = (tab: string, isVisible: boolean) => {
    const closed = new AbortController();
    const leader = new Leader({
      platform: platformOf(tab),
      storeName: 'store',
      isVisible,
      async lead(signal) {
        leading.add(tab);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
        if (!frozen.has(tab)) leading.delete(tab);
      },
    });
    void leader.run(closed.signal);
    return {
      leader,
      close: () => {
        closed.abort();
        listeners.delete(tab);
      },
    };
  };
  return { openTab, leading: () => [...leading].filter((tab) => !frozen.has(tab)), frozen };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('leadership', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('of two visible tabs one leads, and the other takes over when it closes', async () => {
    vi.useFakeTimers();
    const origin = createOrigin();
    const first = origin.openTab('a', true);
    origin.openTab('b', true);
    await pass(5000);
    expect(origin.leading()).toEqual(['a']);
    first.close();
    await pass(2000);
    expect(origin.leading()).toEqual(['b']);
  });

  test('a leader that is hidden gives way to a visible tab within two seconds', async () => {
    vi.useFakeTimers();
    const origin = createOrigin();
    const first = origin.openTab('a', true);
    await pass(100);
    origin.openTab('b', true);
    await pass(1500);
    first.leader.setVisible(false);
    await pass(2000);
    expect(origin.leading()).toEqual(['b']);
  });

  test('a hidden tab leads when no tab is visible', async () => {
    vi.useFakeTimers();
    const origin = createOrigin();
    origin.openTab('a', false);
    await pass(1000);
    expect(origin.leading()).toEqual(['a']);
  });

  test('a frozen leader is replaced within five seconds', async () => {
    vi.useFakeTimers();
    const origin = createOrigin();
    origin.openTab('a', true);
    origin.openTab('b', true);
    await pass(3000);
    expect(origin.leading()).toEqual(['a']);
    origin.frozen.add('a');
    await pass(5000);
    expect(origin.leading()).toEqual(['b']);
  });
});
