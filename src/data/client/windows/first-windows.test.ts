import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryKey, type Reader } from './entry-key.ts';
import type { LiveQueryName } from '../../../contract/queries/queries.ts';
import type { AnswerCache } from './answer-cache.ts';
import { FirstWindows } from './first-windows.ts';
import { ServedWindows } from './served-windows.ts';

const QUESTION = { name: 'live-health', args: { query: 'a' } } as const;
const textOf = (owner: string) => JSON.stringify({ patch: `rows of ${owner}`, later: null });

const readerOf = (storeName: string | null, roles = ['viewer']): Reader | null =>
  storeName === null ? null : { storeName, roles };

/** An origin: what all its tabs store, who is signed in, and a worker that answers when it is told to. */
function origin() {
  const stored = new Map<string, string>();
  const state = {
    signedIn: null as string | null,
    roles: ['viewer'],
    room: Number.POSITIVE_INFINITY,
    /** Of an answer, as it comes from the worker. */
    letters: 0,
  };
  const waiting: (() => void)[] = [];
  const errors: unknown[] = [];
  const tab = (build = 'b1') => {
    const timers: (() => void)[] = [];
    let attached: string | null = null;
    let shown: string | null = null;
    const windows = new FirstWindows({
      platform: {
        build,
        frameName: 'frame:/health',
        readStored: (key) => stored.get(key) ?? null,
        writeStored(key, text) {
          if (text !== null && text.length > state.room) throw new DOMException('full', 'QuotaExceededError');
          if (text === null) stored.delete(key);
          else stored.set(key, text);
        },
        storedKeys: () => [...stored.keys()],
        later: (_, run) => timers.push(run),
        whenIdle: (run) => run(),
        report: (error) => errors.push(error),
      },
      // The worker may be attached to somebody else by the time it answers, or answer somebody who left.
      answer: () =>
        new Promise((resolve) => {
          const storeName = attached;
          waiting.push(() => {
            const text = textOf(storeName ?? '').padEnd(state.letters);
            resolve(storeName === null ? null : { storeName, text, untilMs: null });
          });
        }),
      signedIn: () => readerOf(state.signedIn, state.roles),
      served: new ServedWindows(async () => null),
    });
    // What a page looks like says whose rows it shows.
    windows.setFrameSource(() => shown);
    const caches = new Map<LiveQueryName, AnswerCache<unknown, unknown>>();
    return {
      windows,
      /** Looks at something, and has its answer. */
      note: ({ name, args }: { name: LiveQueryName; args: unknown } = QUESTION) => {
        const cache = caches.get(name) ?? windows.of(name);
        caches.set(name, cache);
        cache.read(args);
        cache.note(args);
      },
      show: (who: string | null) => {
        shown = who;
        windows.setReader(readerOf(who, state.roles));
      },
      attach: (storeName: string | null) => {
        attached = storeName;
      },
      pass: () => {
        for (const run of timers.splice(0)) run();
      },
    };
  };
  return {
    stored,
    state,
    errors,
    tab,
    answerAll: async () => {
      for (const answer of waiting.splice(0)) answer();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

const framesOf = (stored: ReadonlyMap<string, string>) =>
  [...stored].filter(([key]) => key.includes(':frame:'));
/** Where the next start looks for it. */
const frameKeyOf = (owner: string, roles = ['viewer']) =>
  entryKey({ storeName: owner, roles }, 'frame:/health');

/** A tab in which that person looked at something, and it was cached. */
async function cachedFor(owner: string, letters = 0) {
  const world = origin();
  world.state.letters = letters;
  const tab = world.tab();
  world.state.signedIn = owner;
  tab.attach(owner);
  tab.show(owner);
  tab.note();
  tab.pass();
  await world.answerAll();
  return { ...world, first: tab };
}

describe('cached first windows', () => {
  test('are read at the next start', async () => {
    const world = await cachedFor('ada');
    const next = world.tab().windows;
    next.setReader(readerOf('ada'));
    expect(next.read(QUESTION)).toEqual({ patch: 'rows of ada', later: null });
    expect(next.read({ ...QUESTION, args: { query: 'b' } })).toBeNull();
  });

  test('are cached with how the page looks, which is of the same person', async () => {
    const world = await cachedFor('ada');
    expect(framesOf(world.stored)).toEqual([[frameKeyOf('ada'), 'ada']]);
    world.first.windows.forgetAll();
    expect(framesOf(world.stored)).toEqual([]);
    // Somebody searches, then no more: only what the page begins with is how it begins.
    for (const [query, count] of [
      ['ab', 0],
      ['a', 1],
    ] as const) {
      world.first.note({ ...QUESTION, args: { query } });
      world.first.pass();
      await world.answerAll();
      expect(framesOf(world.stored)).toHaveLength(count);
    }
  });

  test('are cached of a board without groups, which is the longest, and of none that leaves no room', async () => {
    for (const [letters, isCached] of [
      [260_000, true],
      [600_000, false],
    ] as const) {
      const world = await cachedFor('ada', letters);
      const next = world.tab().windows;
      next.setReader(readerOf('ada'));
      expect(next.read(QUESTION) !== null).toBe(isCached);
      // The app would have nothing to put in its place.
      expect(framesOf(world.stored)).toHaveLength(isCached ? 1 : 0);
    }
  });

  test('are never shown to another person, whatever two tabs and a slow worker do', async () => {
    const step = fc.record({
      tab: fc.constantFrom(0, 1),
      does: fc.constantFrom('sign-in', 'sign-in', 'note', 'note', 'pass', 'answer', 'hear', 'worker'),
      who: fc.constantFrom('ada', 'bob', null),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const world = origin();
        const tabs = [world.tab(), world.tab()];
        const seen: (string | null)[] = [null, null];
        for (const { tab: at, does, who } of steps) {
          const tab = tabs[at];
          if (tab === undefined) continue;
          if (does === 'sign-in') world.state.signedIn = who;
          // A tab hears of a sign-in or sign-out late, and the worker it shares at another time than it does.
          if (does === 'sign-in' || does === 'hear') {
            seen[at] = world.state.signedIn;
            tab.show(world.state.signedIn);
          }
          if (does === 'worker') tab.attach(world.state.signedIn);
          if (does === 'note') tab.note();
          if (does === 'pass') tab.pass();
          if (does === 'answer') await world.answerAll();
          for (const [index, one] of tabs.entries()) {
            const found = one.windows.read<string>(QUESTION);
            if (found !== null) expect(found.patch).toBe(`rows of ${seen[index]}`);
          }
          for (const [key, text] of framesOf(world.stored)) expect(key).toBe(frameKeyOf(text));
        }
        world.state.signedIn = null;
        for (const tab of tabs) tab.show(null);
        for (const tab of tabs) tab.pass();
        await world.answerAll();
        expect([...world.stored.keys()]).toEqual([]);
      }),
      { seed: 15, numRuns: 300 },
    );
  });

  test('of who left in another tab are not written by an answer that comes late', async () => {
    const world = origin();
    const [one, other] = [world.tab(), world.tab()];
    world.state.signedIn = 'ada';
    for (const tab of [one, other]) {
      tab.attach('ada');
      tab.windows.setReader(readerOf('ada'));
    }
    other.note();
    other.pass();
    world.state.signedIn = null;
    one.windows.setReader(null);
    await world.answerAll();
    expect([...world.stored.keys()]).toEqual([]);
  });

  test('of the roles from before are gone, and an answer from before is not written', async () => {
    const world = await cachedFor('ada');
    const { windows } = world.first;
    world.first.note();
    world.first.pass();
    world.state.roles = ['editor'];
    windows.setReader(readerOf('ada', world.state.roles));
    expect(windows.read(QUESTION)).toBeNull();
    await world.answerAll();
    expect([...world.stored.keys()].filter((key) => key.startsWith('holdfast.window:'))).toEqual([]);
  });

  test('of a store that is gone are gone, shown or not, and an answer from before is not written', async () => {
    const world = await cachedFor('ada');
    const { windows } = world.first;
    let isShown = true;
    windows.onForget(() => {
      isShown = false;
    });
    world.first.note();
    world.first.pass();
    windows.forgetAll();
    await world.answerAll();
    expect(isShown).toBe(false);
    expect([...world.stored.keys()]).toEqual([]);
    world.first.note();
    world.first.pass();
    await world.answerAll();
    expect(windows.read(QUESTION)).not.toBeNull();
  });

  test('that were cut, changed, or written by another build are not there', async () => {
    const world = await cachedFor('ada');
    const [key = ''] = [...world.stored.keys()].filter((one) => one.includes(':live-health:'));
    const text = world.stored.get(key) ?? '';
    const damaged = [
      text.slice(0, -1),
      `${text} `,
      text.replace('rows', 'cows'),
      '',
      'x',
      '\n{}',
      `b1 0\n{}`,
    ];
    for (const bad of damaged) {
      world.stored.set(key, bad);
      expect(world.first.windows.read(QUESTION)).toBeNull();
    }
    world.stored.set(key, text);
    const other = world.tab('b2').windows;
    other.setReader(readerOf('ada'));
    expect(other.read(QUESTION)).toBeNull();
    expect(world.errors).toEqual([]);
  });

  test('are few, and those that were looked at last', async () => {
    const world = await cachedFor('ada');
    for (let at = 0; at < 100; at += 1) {
      world.first.note({ name: 'live-rows', args: at });
      world.first.pass();
      await world.answerAll();
    }
    const is = (at: number) => world.first.windows.read({ name: 'live-rows', args: at }) !== null;
    expect([is(99), is(60), is(30), is(0)]).toEqual([true, true, false, false]);
    // The order and a frame are among them.
    expect(world.stored.size).toBeLessThanOrEqual(61);
  });

  test('without room leave the place to others, and fail nobody', async () => {
    const world = await cachedFor('ada');
    world.state.room = 10;
    world.first.note();
    world.first.pass();
    await world.answerAll();
    expect([...world.stored.keys()]).toEqual([]);
    expect(world.errors).toEqual([]);
  });
});
