/** What a script of a definition of done says about its subject (schema §8.2). */
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { scriptRows } from './done-query.ts';
import type { ScriptSubject } from './done-query.ts';

/** A result is shown on a card; nobody reads more. */
const RESULT_LENGTH = 2000;

export type ScriptVerdict =
  /** `isUnknown` when it is not done only because nobody knows how its subject is: well, it would be done. */
  | { kind: 'done'; done: boolean; isUnknown: boolean }
  | { kind: 'text'; text: string }
  | { kind: 'error'; error: string };

export interface ScriptDeps {
  db: Queryable;
  expressions: Pick<Expressions, 'evaluate'>;
  now: () => number;
}

/** ms since the first of these times that there is. */
function ageMs(row: Record<string, unknown>, names: readonly string[], nowMs: number): number {
  const time = names.map((name) => row[name]).find((value) => typeof value === 'string');
  return typeof time === 'string' ? Math.max(0, nowMs - Date.parse(time)) : 0;
}

/** Since when each has been as it is; others have no time of their own for that. */
const AGES = {
  check: ['last_transition_time', 'created_at'],
  analysis: ['first_observed'],
  incident: ['created_at'],
} as const;

const SUBJECTS_OF_SCRIPTS = ['check', 'config', 'component'] as const;

/** The same with each subject well whose state nobody knows; null where all are known. */
function ifWell(variables: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const well: Record<string, unknown> = {};
  for (const name of SUBJECTS_OF_SCRIPTS) {
    const row = variables[name];
    if (typeof row !== 'object' || row === null || !('health' in row) || row.health !== 'unknown') continue;
    well[name] = { ...row, health: 'healthy', status: 'healthy' };
  }
  return Object.keys(well).length === 0 ? null : { ...variables, ...well };
}

/** Never throws for a reason of the script: that is its result. */
export async function evaluateScript(
  { db, expressions, now }: ScriptDeps,
  script: string,
  subject: ScriptSubject,
): Promise<ScriptVerdict> {
  const rows = await scriptRows(db, subject);
  const variables: Record<string, unknown> = { ...rows };
  for (const [name, times] of Object.entries(AGES)) {
    const row = rows[name as keyof typeof AGES];
    if (row !== null) variables[name] = { ...row, age: ageMs(row, times, now()) };
  }
  const durationNames = Object.keys(AGES).map((name) => `${name}.age`);
  const evaluate = (seen: Record<string, unknown>) =>
    expressions.evaluate({ expr: script }, { variables: seen, durationNames, lastResult: null });
  try {
    const value = await evaluate(variables);
    if (typeof value.json === 'boolean') {
      const well = value.json ? null : ifWell(variables);
      const isUnknown = well !== null && (await evaluate(well)).json === true;
      return { kind: 'done', done: value.json, isUnknown };
    }
    return { kind: 'text', text: value.text.slice(0, RESULT_LENGTH) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'error', error: reason.slice(0, RESULT_LENGTH) };
  }
}
