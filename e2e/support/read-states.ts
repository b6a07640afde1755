/** Reads the states of checks from pictures without colours: by the shape of their mark, and by the words beside it. */
import { expect, type Locator } from '@playwright/test';
import { difference, drawn, inkOf } from './ink.ts';

/** Two checks of each state that one check can have; the last word of a name is its state. */
const STATES = [
  'healthy',
  'unhealthy',
  'unknown',
  'paused',
  'overdue',
  'late-unhealthy',
  'silenced',
] as const;
/** What each says in words. */
const WORDS: Record<(typeof STATES)[number], RegExp> = {
  healthy: /Healthy/,
  unhealthy: /Unhealthy/,
  unknown: /Unknown/,
  paused: /Paused/,
  overdue: /was healthy/,
  'late-unhealthy': /Unhealthy.*overdue/s,
  silenced: /Silenced until/,
};
/** Of one of the two checks of a state. */
export const nameOf = (state: string, one: number) => `state-${one}-${state}`;

/** How far pictures of two states have to differ; those of one state are the nearest to each other. */
export const OTHER = 0.12;

/** What of an entry tells its state: the mark and the word beside it, and whatever stands beside its name. */
export interface Reading {
  state: string;
  shape: number[];
  words: string;
}

/** The entries of all of them, once each says its state in words. */
export async function readEntries(entryOf: (name: string) => Locator): Promise<Reading[]> {
  const readings: Reading[] = [];
  // All of them have come to what they are: rows that still change their places are no picture.
  for (const state of STATES)
    for (const one of [1, 2])
      await expect(entryOf(nameOf(state, one))).toContainText(WORDS[state], { timeout: 60_000 });
  for (const state of STATES) {
    for (const one of [1, 2]) {
      const entry = entryOf(nameOf(state, one));
      const shape = await inkOf(entry.locator('svg[viewBox="0 0 12 12"]').first());
      const text = (await entry.textContent()) ?? '';
      const words = Object.keys(WORDS).filter((known) => WORDS[known as keyof typeof WORDS].test(text));
      readings.push({ state, shape, words: words.join(' ') });
    }
  }
  return readings;
}

export const TOLD_BESIDE: readonly string[] = ['healthy', 'silenced'];

/** Each picture is read as its state: its twin is nearest, every other state far. Silence has a mark of its own beside it. */
export function expectTold(readings: readonly Reading[], where: string): void {
  for (const one of readings) {
    const twin = readings.find((other) => other !== one && other.state === one.state);
    expect(twin?.words, `${where}: ${one.state}`).toBe(one.words);
    const toTwin = difference(one.shape, twin?.shape ?? []);
    for (const other of readings.filter(({ state }) => state !== one.state)) {
      const pair = `${where}: ${one.state} and ${other.state}\n${drawn(one.shape)}\n${drawn(other.shape)}`;
      expect(one.words, pair).not.toBe(other.words);
      if ([one, other].every(({ state }) => TOLD_BESIDE.includes(state))) continue;
      expect(difference(one.shape, other.shape), pair).toBeGreaterThan(Math.max(OTHER, toTwin));
    }
  }
}
