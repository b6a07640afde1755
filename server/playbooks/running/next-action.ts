/** Which action of a run comes next (schema §7.4). */
import type { PlaybookAction, PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import type { FinishedAction } from '../../platform/expressions/script.ts';
import type { ActionRow } from './run-query.ts';

/** Set in the result of an action that its time limit ended, and of one that a server left unfinished. */
export const TIMED_OUT = 'timedOut';
export const INTERRUPTED = 'interrupted';

/** The actions so far, as expressions see them. */
export function finishedActions(rows: readonly ActionRow[]): FinishedAction[] {
  return rows.map(({ name, status, error, result }) => ({
    name,
    status,
    error,
    result: result ?? {},
    isTimeout: result?.[TIMED_OUT] === true,
  }));
}

/** True when an action of the run has failed. */
export const hasFailed = (rows: readonly Pick<ActionRow, 'status'>[]): boolean =>
  rows.some(({ status }) => status === 'failed');

/** The first one after the last that has a row; after a failure only those with a condition count. */
export function nextAction(spec: PlaybookSpec, rows: readonly ActionRow[]): PlaybookAction | null {
  const last = rows.at(-1)?.name;
  const from = last === undefined ? 0 : spec.actions.findIndex(({ name }) => name === last) + 1;
  const left = spec.actions.slice(from);
  const isAfterFailure = hasFailed(rows);
  return left.find((action) => !isAfterFailure || (action.if ?? '').trim() !== '') ?? null;
}
