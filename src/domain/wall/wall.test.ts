import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hold, HOLD_MS, startRotation, turn } from './rotation.ts';
import {
  isDimmed,
  isOwnFault,
  isWallStale,
  isWallStuck,
  mayBeginAnew,
  pixelShift,
  remedyAfter,
  wallPollMs,
} from './screen-care.ts';

const TICK_MS = 1000;

describe('the rotation of boards', () => {
  it('gives each board its time, in turn, as long as nothing is held', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 5, max: 60 }), (count, seconds) => {
        let rotation = startRotation(0);
        for (let nowMs = 0; nowMs <= 300_000; nowMs += TICK_MS) {
          rotation = turn(rotation, nowMs, { count, everyMs: seconds * 1000 });
          expect(rotation.at).toBe(Math.floor(nowMs / (seconds * 1000)) % count);
        }
      }),
    );
  });

  it('never turns while it is held, and a board that went away gives way to the first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(299), { maxLength: 5 }), fc.integer({ min: 2, max: 6 }), (redAt, count) => {
        let rotation = startRotation(0);
        for (let second = 0; second < 300; second += 1) {
          const before = rotation.at;
          if (redAt.includes(second)) rotation = hold(rotation, second * 1000);
          rotation = turn(rotation, second * 1000, { count, everyMs: 10_000 });
          const isHeld = redAt.some((at) => at <= second && second * 1000 < at * 1000 + HOLD_MS);
          if (isHeld) expect(rotation.at).toBe(before);
        }
        expect(turn({ ...rotation, at: 9 }, 0, { count, everyMs: 10_000 }).at).toBe(0);
      }),
    );
  });
});

describe('a wall’s screen', () => {
  it.each([
    ['22:00', '06:00', '23:10', true],
    ['22:00', '06:00', '05:59', true],
    ['22:00', '06:00', '06:00', false],
    ['12:00', '13:00', '12:30', true],
    ['12:00', '13:00', '11:59', false],
    ['12:00', '12:00', '12:00', false],
  ])('dimmed from %s until %s is at %s: %s', (from, until, time, expected) => {
    expect(isDimmed({ from, until }, time)).toBe(expected);
  });

  it('that does not come up is loaded again twice before what it keeps is deleted, again and again', () => {
    const remedies = Array.from({ length: 6 }, (_, tries) => remedyAfter(tries));
    const round = ['load again', 'load again', 'begin anew'];
    expect(remedies).toEqual([...round, ...round]);
  });

  it('is stuck after five silent minutes of its own, also when it never heard anything', () => {
    const openForMs = 300_001;
    expect(isWallStuck({ asOfMs: null, nowMs: 0, openForMs: 300_000 })).toBe(false);
    expect(isWallStuck({ asOfMs: null, nowMs: 0, openForMs })).toBe(true);
    expect(isWallStuck({ asOfMs: 0, nowMs: 300_001, openForMs })).toBe(true);
    expect(isWallStuck({ asOfMs: 5000, nowMs: 300_001, openForMs })).toBe(false);
    // What is known is of yesterday: power was away, not the server.
    expect(isWallStuck({ asOfMs: 0, nowMs: 86_400_000, openForMs: 1000 })).toBe(false);
  });

  it('that the server gave no answer deletes nothing; its own damage, a full disk and silence do', () => {
    const codes = ['network', 'timeout', 'server', 'storage', 'quota'];
    expect(codes.filter((code) => isOwnFault({ code }))).toEqual(['storage', 'quota']);
    expect(isOwnFault(null)).toBe(true);
  });

  it('deletes what a wall keeps, and nothing that a person may not have sent yet', () => {
    expect(mayBeginAnew({ account: { type: 'wall' }, hasOutbox: true })).toBe(true);
    expect(mayBeginAnew({ account: { type: null }, hasOutbox: true })).toBe(false);
    expect(mayBeginAnew({ account: {}, hasOutbox: false })).toBe(false);
    expect(mayBeginAnew({ account: null, hasOutbox: true })).toBe(false);
    expect(mayBeginAnew({ account: null, hasOutbox: false })).toBe(true);
  });

  it('asks often enough that one answer may be lost before it is stale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 15, max: 30 }), fc.nat(1_000_000), (staleSeconds, asOfMs) => {
        const second = asOfMs + 2 * wallPollMs(staleSeconds);
        expect(isWallStale(asOfMs, second, staleSeconds)).toBe(false);
      }),
    );
  });

  it('stale is what is older than allowed, and what has nothing', () => {
    expect(isWallStale(null, 0, 20)).toBe(true);
    expect(isWallStale(1000, 21_000, 20)).toBe(false);
    expect(isWallStale(1000, 21_001, 20)).toBe(true);
  });

  it('no place of the picture is kept for more than two minutes of a quarter of an hour', () => {
    const places = Array.from({ length: 8 }, (_, at) => pixelShift(at * 120_000).join());
    expect(new Set(places).size).toBe(8);
  });
});
