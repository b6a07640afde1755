import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newsAfter,
  NO_NEWS,
  remember,
  TOLD_AGAIN_MS,
  withoutReds,
  withReds,
  type Red,
  type RedNews,
} from './red-news.ts';

const red = (id: string, isSilent = false): Red => ({ id, name: `Check ${id}`, isSilent });
const reds = (...ids: string[]) => ({ named: ids.map((id) => red(id)), total: ids.length });
/** As many as a window holds, of `total`. */
const window = (total: number) => ({
  named: Array.from({ length: Math.min(100, total) }, (_, at) => red(String(at))),
  total,
});

describe('news of red checks that all have a name', () => {
  const steps = fc.array(
    fc.record({ ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')), passMs: fc.nat(TOLD_AGAIN_MS) }),
    { minLength: 1, maxLength: 20 },
  );

  it('are those that did not fail before, each once in five minutes, and never what was red at the start', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let news = NO_NEWS;
        let nowMs = 1;
        const told = new Map<string, number>();
        for (const [at, { ids, passMs }] of list.entries()) {
          const { sinceMs } = news;
          nowMs += passMs;
          const now = nowMs;
          news = withReds(news, reds(...ids), now);
          const before = list[at - 1]?.ids;
          const fresh = (before === undefined ? [] : ids)
            .filter((id) => before?.includes(id) === false)
            .filter((id) => now - (told.get(id) ?? Number.NEGATIVE_INFINITY) >= TOLD_AGAIN_MS);
          for (const id of fresh) told.set(id, now);
          if (fresh.length > 0)
            expect(news).toMatchObject({ fresh: fresh.map((id) => red(id)), more: 0, sinceMs: now });
          else expect(news.sinceMs).toBe(sinceMs);
        }
      }),
    );
  });

  it('say nothing of what is silenced, neither when it fails nor when its silence ends', () => {
    const quiet = withReds(withReds(NO_NEWS, reds(), 1), { named: [red('a', true)], total: 1 }, 2);
    expect(quiet.sinceMs).toBe(0);
    expect(withReds(quiet, reds('a'), 3).sinceMs).toBe(0);
    expect(withReds(quiet, reds('a', 'b'), 4)).toMatchObject({ fresh: [red('b')], sinceMs: 4 });
  });

  it('are the same object while nothing changes, so that a page may ask at every render', () => {
    const news = withReds(withReds(NO_NEWS, reds('a'), 1), reds('a', 'b'), 2);
    expect(withReds(news, reds('b', 'a'), 3)).toBe(news);
    const many = withReds(news, window(150), 4);
    expect(withReds(many, window(150), 5)).toBe(many);
  });
});

describe('news of more red checks than have a name', () => {
  it('from none to 150 are all 150, as many as there are with their names', () => {
    const news = withReds(withReds(NO_NEWS, reds(), 1), window(150), 2);
    expect(news).toMatchObject({ more: 50, total: 150, sinceMs: 2 });
    expect(news.fresh).toHaveLength(100);
  });

  it('from 150 to 151 is one more without a name, whoever is in the window now', () => {
    const many = withReds(NO_NEWS, window(150), 1);
    expect(withReds(many, window(151), 2)).toMatchObject({ fresh: [], more: 1, total: 151, sinceMs: 2 });
  });

  it('is each new high of five minutes: what swings below one is told once', () => {
    const totals = fc.array(
      fc.record({ total: fc.integer({ min: 101, max: 110 }), passMs: fc.integer({ min: 1, max: 120_000 }) }),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(totals, (list) => {
        let news = NO_NEWS;
        let nowMs = 1;
        /** Each number with until when it was so. */
        const ended: { total: number; untilMs: number }[] = [];
        for (const { total, passMs } of list) {
          nowMs += passMs;
          const { total: before, sinceMs } = news;
          news = withReds(news, window(total), nowMs);
          if (before === null || before === total) {
            expect(news.sinceMs).toBe(sinceMs);
            continue;
          }
          ended.push({ total: before, untilMs: nowMs });
          const recent = ended
            .filter(({ untilMs }) => nowMs - untilMs < TOLD_AGAIN_MS)
            .map((one) => one.total);
          const isNew = total > Math.max(...recent);
          // Told again never sooner; a high that a higher one hid for a while may be forgotten with that one.
          if (!isNew) expect(news.sinceMs === nowMs && total <= before).toBe(false);
          else expect(news.sinceMs).toBe(nowMs);
        }
      }),
    );
  });

  it('one that swings over 101 for an hour is told once, not sixty times', () => {
    let news = withReds(NO_NEWS, window(101), 1);
    const toldAt = new Set<number>();
    for (let minute = 1; minute <= 60; minute += 1) {
      news = withReds(news, window(101 + (minute % 2)), minute * 60_000);
      toldAt.add(news.sinceMs);
    }
    expect([...toldAt]).toEqual([60_000]);
  });

  it('is nothing when enough pass that all have a name again, and what fails then is', () => {
    const few = withReds(withReds(NO_NEWS, window(150), 1), window(80), 2);
    expect(few.sinceMs).toBe(0);
    const { named } = window(80);
    expect(withReds(few, { named: [...named, red('new')], total: 81 }, 3)).toMatchObject({
      fresh: [red('new')],
      more: 0,
      sinceMs: 3,
    });
  });
});

describe('red checks while not everything is here yet', () => {
  it('are no news when it is', () => {
    const news = withReds(NO_NEWS, reds(), 1);
    const lost = withoutReds(news);
    expect(withoutReds(lost)).toBe(lost);
    expect(withReds(lost, reds('a'), 2)).toMatchObject({ fresh: [], sinceMs: 0 });
  });
});

describe('a page that loads itself again', () => {
  const steps = fc.array(
    fc.record({
      ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
      unnamed: fc.constantFrom(0, 0, 0, 120, 130),
      passMs: fc.integer({ min: 1, max: TOLD_AGAIN_MS }),
    }),
    { minLength: 2, maxLength: 20 },
  );
  const told = ({ fresh, more, sinceMs }: RedNews, nowMs: number) =>
    sinceMs === nowMs ? { fresh, more } : null;

  it('tells of checks with names what it would have told without, each once, whenever it loads', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (list, place) => {
        let [kept, again] = [NO_NEWS, NO_NEWS];
        let nowMs = 1;
        for (const [at, { ids, unnamed, passMs }] of list.entries()) {
          nowMs += passMs;
          if (at > 0 && at === place % list.length) again = newsAfter(remember(again));
          const now = { named: ids.map((id) => red(id)), total: ids.length + unnamed };
          [kept, again] = [withReds(kept, now, nowMs), withReds(again, now, nowMs)];
          if (kept.known !== null) expect(told(again, nowMs)).toEqual(told(kept, nowMs));
        }
      }),
    );
  });

  it('begins anew where nothing was left, or something else', () => {
    for (const text of [null, '', remember(NO_NEWS), '{', '[]', '{"known":["a"],"total":"1","told":[]}'])
      expect(newsAfter(text)).toEqual(NO_NEWS);
  });

  it('leaves no names', () => {
    const news = withReds(withReds(NO_NEWS, reds(), 1), reds('a'), 2);
    expect(remember(news)).not.toContain('Check');
  });
});
