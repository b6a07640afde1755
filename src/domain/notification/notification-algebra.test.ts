/** The laws of repeat intervals, silences, groups and digests. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdOf, FLOOD_FIRST, NEAR_LIMIT, RATE_LIMIT, RATE_WINDOW_MS, type HoldFacts } from './hold-back.ts';
import { groupKeyOf, isRepeated, isStillSo, repeatIntervalMs } from './notification-rule.ts';
import { coverOf, isActive, type Silence, type SilencedResource } from './silence.ts';

const time = fc.integer({ min: 0, max: 10_000_000 });
const HEALTHS = ['healthy', 'unknown', 'warning', 'unhealthy'] as const;

describe('a repeat interval', () => {
  it('lets a thing through exactly when nobody was told within it', () => {
    fc.assert(
      fc.property(fc.array(time), fc.integer({ min: 1, max: 1_000_000 }), (times, intervalMs) => {
        let last: number | null = null;
        for (const at of times.toSorted((a, b) => a - b)) {
          if (isRepeated(last, intervalMs, at)) continue;
          if (last !== null) expect(at - last).toBeGreaterThanOrEqual(intervalMs);
          last = at;
        }
        expect(last === null).toBe(times.length === 0);
      }),
    );
  });

  it('is a month where the form says 1m, and minutes elsewhere', () => {
    expect(repeatIntervalMs('1m')).toBe(30 * 86_400_000);
    expect(repeatIntervalMs('5m')).toBe(300_000);
    expect([null, '', 'often', '-1h', '0'].map((text) => repeatIntervalMs(text))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('what was waited for', () => {
  it('is told of when it is as bad or worse, and the rule wants to know of that', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HEALTHS),
        fc.constantFrom(...HEALTHS),
        fc.subarray([...HEALTHS]),
        (then, now, wanted) => {
          const events = wanted.map((health) => `config.${health}`);
          const isWorse = HEALTHS.indexOf(now) >= HEALTHS.indexOf(then);
          expect(isStillSo(`config.${then}`, now, events)).toBe(isWorse && wanted.includes(now));
        },
      ),
    );
    expect(isStillSo('config.unhealthy', null, ['config.unhealthy'])).toBe(false);
    expect(isStillSo('config.deleted', null, ['config.deleted'])).toBe(true);
  });
});

const SILENCE: Silence = {
  id: 's',
  fromMs: 0,
  untilMs: 0,
  isRecursive: false,
  configId: null,
  componentId: null,
  checkId: null,
  canaryId: null,
  selector: null,
  filter: null,
  recurrence: [],
};
const CONFIG: SilencedResource = {
  kind: 'config',
  id: 'a',
  canaryId: null,
  above: ['top'],
  labels: { env: 'prod' },
};

describe('a silence', () => {
  it('holds from its start to its end, both included', () => {
    fc.assert(
      fc.property(time, time, time, (fromMs, untilMs, at) => {
        expect(isActive({ ...SILENCE, fromMs, untilMs }, at)).toBe(fromMs <= at && at <= untilMs);
      }),
    );
  });

  it('at recurring hours holds in the zone that it names, also when clocks change', () => {
    const night = { start: '22:00', end: '06:00', tz: 'Europe/Berlin' };
    const year = { ...SILENCE, fromMs: 0, untilMs: Date.parse('2100-01-01'), recurrence: [night] };
    const at = (text: string) => isActive(year, Date.parse(text));
    // Winter is one hour from UTC, summer two; on 29 March 2026 the clocks go forward at 01:00 UTC.
    expect(at('2026-03-28T20:59:00Z')).toBe(false);
    expect(at('2026-03-28T21:00:00Z')).toBe(true);
    expect(at('2026-03-29T03:59:00Z')).toBe(true);
    expect(at('2026-03-29T04:00:00Z')).toBe(false);
    expect(at('2026-03-29T20:00:00Z')).toBe(true);
  });

  it('covers what it names, what is below where it is recursive, and never what it doesn’t name', () => {
    expect(coverOf(SILENCE, CONFIG)).toBe('no');
    expect(coverOf({ ...SILENCE, configId: 'a' }, CONFIG)).toBe('yes');
    expect(coverOf({ ...SILENCE, checkId: 'a' }, CONFIG)).toBe('no');
    expect(coverOf({ ...SILENCE, configId: 'top' }, CONFIG)).toBe('no');
    expect(coverOf({ ...SILENCE, configId: 'top', isRecursive: true }, CONFIG)).toBe('yes');
    expect(coverOf({ ...SILENCE, selector: 'env=prod' }, CONFIG)).toBe('yes');
    expect(coverOf({ ...SILENCE, selector: 'env=dev' }, CONFIG)).toBe('no');
    expect(coverOf({ ...SILENCE, configId: 'a', selector: 'env=dev' }, CONFIG)).toBe('no');
    expect(coverOf({ ...SILENCE, filter: 'true' }, CONFIG)).toBe('asks');
    // A selector that can't be read must not silence everything.
    expect(coverOf({ ...SILENCE, selector: 'a in (b' }, CONFIG)).toBe('no');
  });
});

describe('a group', () => {
  it('is the same for the same values, and another for others', () => {
    const text = fc.string();
    fc.assert(
      fc.property(text, text, text, text, (a, b, c, d) => {
        const keyOf = (type: string, team: string) =>
          groupKeyOf(['type', 'label:team'], { fields: { type }, labels: { team }, tags: {} });
        expect(keyOf(a, b) === keyOf(c, d)).toBe(a === c && b === d);
      }),
    );
  });
});

describe('a flood', () => {
  const FACTS: HoldFacts = {
    nowMs: 0,
    sentOfRule: 0,
    singles: 0,
    lastDigestMs: null,
    isDigestOpen: false,
    isGroupOpen: false,
    changes: 1,
    hasGroup: false,
    waitMs: 0,
    mayBeBelow: false,
  };

  it('is told of at once, then in digests; the limit is never reached by one recipient, and nothing is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 1500 }), (gaps) => {
        let nowMs = 0;
        const sent: number[] = [];
        const singles: number[] = [];
        let digest: { dueMs: number; madeMs: number } | null = null;
        for (const gap of gaps) {
          nowMs += gap;
          const hold = holdOf({
            ...FACTS,
            nowMs,
            sentOfRule: sent.filter((at) => at > nowMs - RATE_WINDOW_MS).length,
            singles: singles.filter((at) => at > nowMs - 60_000).length,
            lastDigestMs: digest?.madeMs ?? null,
            isDigestOpen: digest !== null && digest.dueMs > nowMs,
          });
          expect(hold.kind).not.toBe('limited');
          if (hold.kind === 'limited') return;
          if (hold.kind === 'digest' && digest !== null && digest.dueMs > nowMs) continue;
          sent.push(nowMs);
          if (hold.kind === 'single') singles.push(nowMs);
          else digest = { dueMs: hold.dueMs, madeMs: nowMs };
          expect(sent.filter((at) => at > nowMs - RATE_WINDOW_MS).length).toBeLessThanOrEqual(RATE_LIMIT);
        }
        expect(singles.slice(0, FLOOD_FIRST)).toEqual(sent.slice(0, Math.min(FLOOD_FIRST, singles.length)));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves nothing alone near the limit, and says where it is reached', () => {
    expect(holdOf({ ...FACTS, sentOfRule: NEAR_LIMIT }).kind).toBe('digest');
    expect(holdOf({ ...FACTS, sentOfRule: RATE_LIMIT }).kind).toBe('limited');
    expect(holdOf({ ...FACTS, sentOfRule: RATE_LIMIT, isDigestOpen: true }).kind).toBe('digest');
  });

  it('of many groups comes in digests near the limit; a group that is open takes what is its own', () => {
    const grouped = { ...FACTS, hasGroup: true };
    expect(holdOf({ ...grouped, singles: FLOOD_FIRST }).kind).toBe('group');
    expect(holdOf({ ...grouped, sentOfRule: NEAR_LIMIT }).kind).toBe('digest');
    expect(holdOf({ ...grouped, sentOfRule: RATE_LIMIT, isGroupOpen: true }).kind).toBe('group');
    expect(holdOf({ ...grouped, sentOfRule: RATE_LIMIT, isDigestOpen: true }).kind).toBe('digest');
  });
});
