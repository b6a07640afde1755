/**
 * What a thing says about its own condition, and how loosely shaped documents are read for it. Pure: the clock is
 * handed in, nothing is fetched, and no document makes it throw.
 */
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { ItemHealth } from '../specs/scraped.ts';

export interface Health {
  health: ItemHealth;
  /** A word or two for a person; empty when nothing is known. */
  status: string;
  /** Whether it has settled: false while it is still on its way to where it should be. */
  ready: boolean;
  message: string;
}

export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = {};

/** The object at a path; an empty one where there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): Json {
  let at: unknown = value;
  for (const key of path) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return isRecord(at) ? at : NOTHING;
}

/** The objects of a list; none for what isn't one. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Empty for what is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** 0 for what is no number. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** The moment a text names; null for anything else. */
export function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value === '') return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** ms between a moment and now; null when there is no moment. */
export function ageMs(value: unknown, now: Date): number | null {
  const time = timeOf(value);
  return time === null ? null : now.getTime() - time.getTime();
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** `CREATE_FAILED`, `shutting-down` and `MemoryPressure` as people read them: each word with a capital. */
export function humanWords(text: string): string {
  const words = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(/[_\-\s]+/);
  return words
    .filter((word) => word !== '')
    .map(capital)
    .join(' ');
}

const SEVERITY: readonly ItemHealth[] = ['unknown', 'healthy', 'warning', 'unhealthy'];

/** Whether one health is at least as bad as another; unknown is the least. */
export function isAtLeast(health: ItemHealth, other: ItemHealth): boolean {
  return SEVERITY.indexOf(health) >= SEVERITY.indexOf(other);
}

/** `unknown` for none. */
export function worstOf(...healths: readonly ItemHealth[]): ItemHealth {
  return healths.reduce((worst, health) => (isAtLeast(health, worst) ? health : worst), 'unknown');
}

/** The texts that are there, in one line. */
export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');
