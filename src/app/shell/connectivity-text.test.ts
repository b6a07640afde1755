import { expect, test } from 'vitest';
import type { SyncStatus } from '../../contract/worker.ts';
import { connectivityText, isNotCurrent, shownFreshness } from './connectivity-text.ts';

const NOW = new Date(2025, 2, 1, 10, 45).getTime();
const minutesAgo = (count: number) => NOW - count * 60_000;

const status = (part: Partial<SyncStatus>): SyncStatus => ({
  connection: 'live',
  downSinceMs: null,
  asOfMs: NOW,
  freshness: 'fresh',
  offsetMs: 0,
  isPulling: false,
  firstLoad: null,
  lastError: null,
  expectMs: 9000,
  versions: { app: '1', server: '1' },
  ...part,
});

test('it says Live only of a fresh stream', () => {
  expect(connectivityText(status({}), NOW)).toEqual({
    tone: 'current',
    text: 'Live',
    shortText: 'Live',
    asOf: null,
  });
  for (const freshness of ['ageing', 'stale'] as const) {
    expect(connectivityText(status({ freshness }), NOW).text).not.toContain('Live');
    expect(connectivityText(status({ freshness }), NOW).asOf).toBe('data as of 10:45');
  }
});

test('offline, it says since when, and from when the data is', () => {
  expect(
    connectivityText(
      status({
        connection: 'offline',
        downSinceMs: minutesAgo(3),
        asOfMs: minutesAgo(4),
        freshness: 'stale',
      }),
      NOW,
    ),
  ).toEqual({
    tone: 'down',
    text: 'Offline since 10:42',
    shortText: 'Offline since 10:42',
    asOf: 'data as of 10:41',
  });
});

test('an unreachable server is told from a missing network', () => {
  expect(
    connectivityText(
      status({ connection: 'server-unreachable', downSinceMs: minutesAgo(3), asOfMs: null }),
      NOW,
    ),
  ).toEqual({
    tone: 'down',
    text: 'Server unreachable since 10:42',
    shortText: 'Unreachable since 10:42',
    asOf: 'first load not finished',
  });
});

test('what this device cannot store is not blamed on the server, and nothing is called live meanwhile', () => {
  const texts = { quota: 'Out of storage space', storage: 'Storage error' };
  for (const code of ['quota', 'storage'] as const) {
    const lastError = { code, message: '', retryable: false, status: null };
    for (const connection of ['live', 'polling', 'connecting'] as const)
      expect(connectivityText(status({ connection, lastError }), NOW)).toEqual({
        tone: 'down',
        text: texts[code],
        shortText: texts[code],
        asOf: 'data as of 10:45',
      });
    expect(connectivityText(status({ connection: 'offline', lastError }), NOW).text).toBe('Offline');
  }
});

test('while connecting it claims nothing', () => {
  expect(
    connectivityText(status({ connection: 'connecting', asOfMs: minutesAgo(5), freshness: 'stale' }), NOW),
  ).toEqual({
    tone: 'ageing',
    text: 'Connecting …',
    shortText: 'Connecting …',
    asOf: 'data as of 10:40',
  });
});

test('without a connection nothing is called fresh, and what is stale stays stale', () => {
  expect(shownFreshness(status({ connection: 'offline' }))).toBe('ageing');
  expect(shownFreshness(status({ connection: 'offline', freshness: 'stale' }))).toBe('stale');
  expect(shownFreshness(status({}))).toBe('fresh');
});

test('pages without a connection or without news are marked as a whole, but not while a start is still connecting', () => {
  expect(isNotCurrent(status({ connection: 'server-unreachable' }))).toBe(true);
  expect(isNotCurrent(status({ connection: 'offline', freshness: 'stale' }))).toBe(true);
  expect(isNotCurrent(status({ freshness: 'stale' }))).toBe(true);
  expect(isNotCurrent(status({ connection: 'connecting', freshness: 'stale' }))).toBe(false);
  expect(isNotCurrent(status({ freshness: 'ageing' }))).toBe(false);
});

test('while everything is loaded for the first time, it says how far that is', () => {
  const first = status({ connection: 'connecting', asOfMs: null, freshness: 'stale', firstLoad: 0.404 });
  expect(connectivityText(first, NOW)).toMatchObject({ tone: 'ageing', text: 'Loading … 40 %', asOf: null });
});
