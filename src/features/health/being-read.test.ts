import { describe, expect, it } from 'vitest';
import { FIRST_STATUS } from '../../data/client/first-status.ts';
import { isBeingRead } from './being-read.ts';

const notLoaded = { isLoaded: false };

describe('a board that is not loaded', () => {
  it('is being read before the worker said anything, and while a device has rows, whatever the connection', () => {
    expect(isBeingRead(notLoaded, FIRST_STATUS)).toBe(true);
    for (const connection of ['connecting', 'live', 'offline', 'server-unreachable'] as const)
      expect(isBeingRead(notLoaded, { ...FIRST_STATUS, connection, asOfMs: 1 })).toBe(true);
  });

  it('has nothing to read in a first load, and where a first load cannot begin', () => {
    expect(isBeingRead(notLoaded, { ...FIRST_STATUS, firstLoad: 0 })).toBe(false);
    for (const connection of ['offline', 'server-unreachable'] as const)
      expect(isBeingRead(notLoaded, { ...FIRST_STATUS, connection })).toBe(false);
  });
});

it('a board that is loaded is not being read', () => {
  expect(isBeingRead({ isLoaded: true }, FIRST_STATUS)).toBe(false);
});
