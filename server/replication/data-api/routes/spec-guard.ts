/**
 * Keeps specifications that can't be read out of their tables: a misspelt field would be a check that never runs, or
 * an alarm that stays silent. Looks at what a write of the data API carries; says which field is wrong and what is due.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { may } from '../../../../src/domain/access/matrix.ts';
import type { Area } from '../../../../src/domain/access/matrix.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { DataApiRequest } from '../answer/engine.ts';
import type { DocumentProblem } from '../../../platform/yaml/document-problems.ts';
import { rowsOf } from './sent-rows.ts';

/** A table whose rows carry a specification. */
export interface GuardedTable {
  /** Whoever may not write it hears that first. */
  area: Area;
  problems: (row: { spec?: unknown }) => DocumentProblem[];
  /** Of a table whose whole row is the specification. */
  ofRow?: (row: Readonly<Record<string, unknown>>, isNew: boolean) => DocumentProblem[];
  /** A new row may leave the specification out. */
  isOptional?: true;
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** What an answer names; who mended these sees the rest. */
const MAX_TOLD = 5;

const isWholeDocument = (spec: unknown): boolean =>
  isRecord(spec) && isRecord(spec['spec']) && ('apiVersion' in spec || 'kind' in spec || 'metadata' in spec);

const WHOLE_DOCUMENT: DocumentProblem = {
  field: 'spec',
  message:
    'is a whole document; send what stands under its own "spec", and its metadata as name, namespace and labels',
};

function problemsOfRow(guarded: GuardedTable, row: object, isNew: boolean): DocumentProblem[] {
  if (guarded.ofRow !== undefined) return guarded.ofRow({ ...row }, isNew);
  const isGiven = Object.hasOwn(row, 'spec');
  if (!isGiven && (!isNew || guarded.isOptional === true)) return [];
  return isGiven && isWholeDocument(Reflect.get(row, 'spec')) ? [WHOLE_DOCUMENT] : guarded.problems(row);
}

/** Throws when the write has a specification that can't be read (schema §4.1, §5.2, §6.1, §8.2). */
export function refuseUnreadableSpecs(
  { target, method, body, roles }: DataApiRequest,
  tables: ReadonlyMap<string, GuardedTable>,
): void {
  const guarded = target.kind === 'table' ? tables.get(target.name) : undefined;
  if (guarded === undefined || !WRITES.has(method)) return;
  if (!may(roles, guarded.area, 'write')) return;
  for (const row of rowsOf(body)) {
    const problems = problemsOfRow(guarded, row, method !== 'PATCH');
    const [first] = problems;
    if (first === undefined) continue;
    const told = problems.slice(0, MAX_TOLD).map(({ field, message }) => `${field}: ${message}`);
    throw new AppError('invalid', told.join('; '), { field: first.field });
  }
}
