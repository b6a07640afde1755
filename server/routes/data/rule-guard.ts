/**
 * Keeps incident rules that can't be read out of their table: a rule is an alarm, and one with a misspelt field would
 * be silent. Looks at what a write of the data API carries; says which field is wrong.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { incidentRuleSpecSchema } from '../../../src/contract/specs/incident-rule-spec.ts';
import type { DataApiRequest } from '../../data-api/engine.ts';
import { rowsOf } from './sent-rows.ts';

const TABLE = 'incident_rules';
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function problemOf(row: object, isNew: boolean): string | null {
  if (!Object.hasOwn(row, 'spec') && !isNew) return null;
  const parsed = incidentRuleSpecSchema.safeParse(Reflect.get(row, 'spec') ?? {});
  const issue = parsed.error?.issues[0];
  return issue === undefined ? null : `${['spec', ...issue.path].join('.')}: ${issue.message}`;
}

/** Throws when the write has a rule whose specification can't be read (schema §8.2). */
export function refuseUnreadableRules({ target, method, body }: DataApiRequest): void {
  if (target.kind !== 'table' || target.name !== TABLE || !WRITES.has(method)) return;
  for (const row of rowsOf(body)) {
    const problem = problemOf(row, method !== 'PATCH');
    if (problem !== null) throw new AppError('invalid', problem);
  }
}
