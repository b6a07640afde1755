/** What a device without rows shows of what the server says: whose it is, until when, and by which clock. */
import { expect, test } from 'vitest';
import type { FirstVisit, ServedQuestion } from '../../contract/http/first-visit.ts';
import { storeNameOf } from '../../domain/store-name.ts';
import { CONTRACT_STAMP } from '../../contract/version.ts';
import { FIRST_STATUS } from './first-status.ts';
import { FirstVisitStart } from './first-visit-start.ts';
import type { Visit } from './first-visit.ts';
import type { VisitAnswer } from './platform-first-visit.ts';

const ORIGIN = 'http://holdfast';
const ADA = storeNameOf(ORIGIN, 'ada');
const asked = (args: string): ServedQuestion => ({ name: 'live-health', args });
const windowOf = (patch: string) => ({ patch: { patch }, later: null });

function answerFor(
  userId: string,
  over: Partial<FirstVisit> = {},
  question: ServedQuestion | null = asked('a'),
) {
  const user = { id: userId, name: userId, email: null, avatar: null, roles: ['viewer'] };
  const shell = { properties: [], isChecksOnly: false };
  const window = windowOf(`of ${userId}`);
  const body = { contract: CONTRACT_STAMP, serverMs: 5000, user, shell, window, ...over };
  return { question, body, sentMs: 2000 } satisfies VisitAnswer;
}

/** A page whose server answers what the test says, and that shows somebody's store. */
function openPage(
  server: (question: ServedQuestion) => VisitAnswer | null,
  { document = null as Promise<VisitAnswer | null> | null, isKnown = false } = {},
) {
  const seen = { visits: [] as Visit[], questions: [] as unknown[], news: 0, timers: [] as (() => void)[] };
  let storeName: string | null = null;
  const start = new FirstVisitStart({
    platform: {
      origin: ORIGIN,
      firstVisitAsked: () => document,
      askFirstVisit: async (question) => {
        seen.questions.push(question.args);
        return server(question);
      },
      later: (_, run) => seen.timers.push(run),
      whenIdle: (run) => run(),
    },
    storeName: () => storeName,
    onVisit: (visit) => {
      seen.visits.push(visit);
      return !isKnown;
    },
    onClock: () => {},
  });
  start.served.onNews(() => {
    seen.news += 1;
  });
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const run of seen.timers.splice(0)) run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const setStore = (name: string) => {
    storeName = name;
  };
  return { start, seen, settle, setStore };
}

test('what the document asked is shown by its question, and the workers begin after it', async () => {
  const page = openPage(() => null, { document: Promise.resolve(answerFor('ada')) });
  let hasBegun = false;
  void page.start.begin()?.then(() => {
    hasBegun = true;
  });
  await page.settle();
  expect(hasBegun).toBe(true);
  expect(page.seen.visits).toMatchObject([{ user: { id: 'ada', storeName: ADA }, offsetMs: 3000 }]);
  expect(page.start.served.get(asked('a'))).toEqual(windowOf('of ada'));
});

test('nothing is shown of an answer that came too late, is of another version, or says nothing', async () => {
  const odd: (VisitAnswer | null)[] = [
    null,
    answerFor('ada', { contract: 'another' }),
    { question: asked('a'), body: 'sign in', sentMs: 0 },
    { question: asked('a'), body: { contract: CONTRACT_STAMP, serverMs: 1 }, sentMs: 0 },
  ];
  for (const answer of odd) {
    const page = openPage(() => null, { document: Promise.resolve(answer) });
    const begun = page.start.begin();
    await page.settle();
    await begun;
    expect(page.seen.visits).toEqual([]);
    expect(page.start.served.get(asked('a'))).toBeNull();
  }
  const late = openPage(() => null, { document: Promise.resolve(answerFor('ada')), isKnown: true });
  const begun = late.start.begin();
  await late.settle();
  await begun;
  expect(late.start.served.get(asked('a'))).toBeNull();
});

test('a server that never answers holds nothing up, and nothing is waited for where nothing was asked', async () => {
  expect(openPage(() => null).start.begin()).toBeNull();
  const page = openPage(() => null, { document: new Promise(() => {}) });
  const begun = page.start.begin();
  await page.settle();
  await begun;
});

test('while a store is loaded from the start the server is asked once for each question, and not after', async () => {
  const page = openPage((question) => answerFor('ada', {}, question));
  page.setStore(ADA);
  expect(page.start.served.get(asked('b'))).toBeNull();
  expect(page.seen.questions).toEqual([]);
  page.start.withClock({ ...FIRST_STATUS, firstLoad: 0 });
  for (let time = 0; time < 3; time += 1) page.start.served.get(asked('b'));
  await page.settle();
  expect(page.seen.questions).toEqual(['b']);
  expect(page.start.served.get(asked('b'))).toEqual(windowOf('of ada'));
  page.start.withClock({ ...FIRST_STATUS, firstLoad: null });
  expect(page.start.served.get(asked('b'))).toBeNull();
  expect(page.seen.questions).toEqual(['b']);
});

test('an answer to somebody else, or one that comes after it is over, is not shown', async () => {
  const page = openPage((question) => answerFor('bo', {}, question));
  page.setStore(ADA);
  page.start.open();
  page.start.served.get(asked('b'));
  await page.settle();
  expect(page.start.served.get(asked('b'))).toBeNull();

  const left = openPage((question) => answerFor('ada', {}, question));
  left.setStore(ADA);
  left.start.open();
  left.start.served.get(asked('b'));
  left.start.served.close();
  await left.settle();
  left.start.open();
  const before = left.seen.questions.length;
  expect(left.start.served.get(asked('b'))).toBeNull();
  expect(left.seen.questions.length).toBe(before + 1);
});

test('whoever types meanwhile does not ask the server at every key, and is answered what they typed last', async () => {
  const page = openPage((question) => answerFor('ada', {}, question));
  page.setStore(ADA);
  page.start.open();
  for (const typed of ['w', 'wo', 'wor', 'word']) page.start.served.get(asked(typed));
  await page.settle();
  expect(page.seen.questions).toEqual(['w', 'word']);
  expect(page.start.served.get(asked('word'))).toEqual(windowOf('of ada'));
  for (let at = 0; at < 30; at += 1) {
    page.start.served.get(asked(`other ${at}`));
    await page.settle();
  }
  expect(page.start.served.get(asked('other 29'))).toEqual(windowOf('of ada'));
});

test('the clock is the server’s, never before what it said, until the sync worker knows it', async () => {
  const page = openPage(() => null, { document: Promise.resolve(answerFor('ada')) });
  const begun = page.start.begin();
  await page.settle();
  await begun;
  expect(page.start.withClock(FIRST_STATUS).offsetMs).toBe(3000);
  expect(page.start.withClock({ ...FIRST_STATUS, firstLoad: 0.5, offsetMs: 3400 }).offsetMs).toBe(3400);
  expect(page.start.withClock({ ...FIRST_STATUS, asOfMs: 6000, offsetMs: 2900 }).offsetMs).toBe(2900);
  expect(page.start.withClock({ ...FIRST_STATUS, asOfMs: 6000, offsetMs: 2800 }).offsetMs).toBe(2800);
});
