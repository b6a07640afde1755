/**
 * Sums that can be taken back: what is under a component, as numbers by key. Adding and then subtracting the same leaves
 * what was there, which lets a roll-up follow one change without summing everything again.
 */
import type { ComponentSummary, Counts, CountsByType } from './component.ts';

/** What a component counts as; a summary has one number for each. */
export const LEVELS = ['healthy', 'unhealthy', 'warning', 'info'] as const;
export type Level = (typeof LEVELS)[number];

/** By key; no entry is zero. */
export type Tally = Map<string, number>;

/** Between the parts of a key: the list, then its words. Any other character may stand in a word. */
const SEPARATOR = '\u0000';

/** Adds so many of one key. */
export function addTo(tally: Tally, key: string, count: number): void {
  const sum = (tally.get(key) ?? 0) + count;
  if (sum === 0) tally.delete(key);
  else tally.set(key, sum);
}

/** Adds all of another one, or takes it back (`sign` -1). */
export function addAll(tally: Tally, added: ReadonlyMap<string, number>, sign: 1 | -1 = 1): void {
  for (const [key, count] of added) addTo(tally, key, sign * count);
}

/** Adds counts to the list of that name. */
export function addCounts(tally: Tally, list: string, counts: Counts | null | undefined): void {
  if (counts === null || counts === undefined) return;
  for (const [key, count] of Object.entries(counts)) addTo(tally, list + SEPARATOR + key, count);
}

/** Adds counts by type and severity to the list of that name. */
export function addByType(tally: Tally, list: string, counts: CountsByType | null | undefined): void {
  if (counts === null || counts === undefined) return;
  for (const [type, bySeverity] of Object.entries(counts))
    addCounts(tally, list + SEPARATOR + type, bySeverity);
}

/** Of nothing; shared, so nobody adds to it. */
export const NO_TALLY: ReadonlyMap<string, number> = new Map();

/** The counts of one list whose words are `key`. */
function countsOf(tally: ReadonlyMap<string, number>, list: string): Counts {
  const prefix = list + SEPARATOR;
  const found: [string, number][] = [];
  for (const [key, count] of tally) if (key.startsWith(prefix)) found.push([key.slice(prefix.length), count]);
  return Object.fromEntries(found);
}

/** The counts of one list whose words are a type and a severity. */
function countsByTypeOf(tally: ReadonlyMap<string, number>, list: string): CountsByType {
  const types = new Map<string, [string, number][]>();
  for (const [key, count] of Object.entries(countsOf(tally, list))) {
    const [type = '', severity = ''] = key.split(SEPARATOR);
    const counts = types.get(type) ?? [];
    counts.push([severity, count]);
    types.set(type, counts);
  }
  return Object.fromEntries([...types].map(([type, counts]) => [type, Object.fromEntries(counts)]));
}

/** As a component shows it (schema §6.5): lists and levels of which there are none are left out. */
export function summaryOf(
  levels: Readonly<Record<Level, number>>,
  tally: ReadonlyMap<string, number>,
): ComponentSummary {
  const summary: ComponentSummary = {};
  for (const level of LEVELS) if (levels[level] > 0) summary[level] = levels[level];
  if (tally.size === 0) return summary;
  const incidents = countsByTypeOf(tally, 'incidents');
  const insights = countsByTypeOf(tally, 'insights');
  const checks = countsOf(tally, 'checks');
  if (Object.keys(incidents).length > 0) summary.incidents = incidents;
  if (Object.keys(insights).length > 0) summary.insights = insights;
  if (Object.keys(checks).length > 0) summary.checks = checks;
  return summary;
}
