/** Ways, quiet hours and the one line about them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInOperation } from '../incident/rule-hours.ts';
import {
  DEFAULT_REACH,
  firstWays,
  isLeadOf,
  isUrgentMessage,
  MAIL_CHOICES,
  nextStep,
  PUSH_STEPS,
  quietUntilMs,
  reachVerdict,
  type PushStep,
} from './reach.ts';

const MINUTE_MS = 60_000;
const pad = (value: number) => String(value).padStart(2, '0');
const anyClock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((at) => `${pad(Math.floor(at / 60))}:${pad(at % 60)}`);
const anyZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
);
const anyQuiet = fc
  .record({ start: anyClock, end: anyClock, tz: anyZone })
  .filter(({ start, end }) => start !== end);
const anyMoment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 0, 1) });

describe('quiet hours', () => {
  test('end at the first minute that is not quiet', () => {
    fc.assert(
      fc.property(anyQuiet, anyMoment, (quiet, nowMs) => {
        const untilMs = quietUntilMs(quiet, nowMs);
        const isQuiet = (ms: number) => isInOperation([quiet], ms);
        expect(untilMs !== null).toBe(isQuiet(nowMs));
        if (untilMs === null) return;
        expect(untilMs).toBeGreaterThan(nowMs);
        expect(isQuiet(untilMs)).toBe(false);
        expect(isQuiet(untilMs - MINUTE_MS)).toBe(true);
      }),
    );
  });

  test('of a zone that is not known hold nothing', () => {
    expect(
      quietUntilMs({ start: '00:00', end: '23:59', tz: 'Mars/Olympus' }, Date.UTC(2025, 0, 1)),
    ).toBeNull();
  });
});

describe('ways', () => {
  const anySettings = fc.record({
    push: fc.boolean(),
    mail: fc.constantFrom(...MAIL_CHOICES),
    quiet: fc.constant(null),
    urgentPasses: fc.boolean(),
  });

  test('there is always one to begin with, and push only where a browser takes it', () => {
    fc.assert(
      fc.property(anySettings, fc.boolean(), fc.boolean(), (settings, hasBrowser, hasMail) => {
        const ways = firstWays(settings, { hasBrowser, hasMail });
        expect(ways.length).toBeGreaterThan(0);
        if (ways.includes('push')) expect(hasBrowser).toBe(true);
      }),
    );
  });

  test('go on from device to devices to mail, and come to an end', () => {
    fc.assert(
      fc.property(anySettings, fc.boolean(), fc.boolean(), (settings, hasOthers, hasMail) => {
        const taken: PushStep[] = [];
        for (
          let step: PushStep | null = 'device';
          step !== null;
          step = nextStep(step, settings, { hasOthers, hasMail })
        )
          taken.push(step);
        expect(taken).toEqual(PUSH_STEPS.filter((step) => taken.includes(step)));
        expect(taken.includes('mail')).toBe(hasMail && settings.mail === 'unconfirmed');
      }),
    );
  });

  test.each([
    [{ urgent: 'true' }, null, true],
    [{ priority: 'Critical' }, null, true],
    [{ priority: '3' }, 'Low', false],
    [{}, 'Blocker', true],
  ])('a rule with %j about an incident of severity %s is urgent: %s', (properties, severity, is) => {
    expect(isUrgentMessage(properties as Record<string, string>, severity)).toBe(is);
  });
});

describe('whether somebody can be reached', () => {
  const NOW = Date.UTC(2025, 5, 1);
  const at = (daysAgo: number) => new Date(NOW - daysAgo * 24 * 60 * MINUTE_MS).toISOString();
  const facts = {
    devices: 1,
    seenAt: at(0),
    test: null,
    settings: DEFAULT_REACH,
    hasAddress: true,
    hasMail: true,
  };

  test.each([
    ['a device that showed a test', { test: { at: at(1), isShown: true } }, 'yes'],
    ['a device that nobody tested', {}, 'untested'],
    [
      'a device that did not show it, and no mail',
      { test: { at: at(1), isShown: false }, hasMail: false },
      'doubtful',
    ],
    ['a device that was not seen for long, and no mail', { seenAt: at(9), hasMail: false }, 'doubtful'],
    ['mail alone', { devices: 0, seenAt: null }, 'yes'],
    ['no device and no address', { devices: 0, seenAt: null, hasAddress: false }, 'no'],
  ])('by %s: %s', (_what, more, verdict) => {
    expect(reachVerdict({ ...facts, ...more }, NOW)).toBe(verdict);
  });

  test('is for administrators, who made the team, and its commanders', () => {
    const team = { createdBy: 'ann', memberIds: ['bo', 'cy'] };
    expect(isLeadOf(team, 'ann', ['viewer'])).toBe(true);
    expect(isLeadOf(team, 'zed', ['admin'])).toBe(true);
    expect(isLeadOf(team, 'bo', ['commander'])).toBe(true);
    expect(isLeadOf(team, 'bo', ['responder'])).toBe(false);
    expect(isLeadOf(team, 'zed', ['commander'])).toBe(false);
  });
});
