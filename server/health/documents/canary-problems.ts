/** What is wrong with a canary that somebody wants to keep, by the fields of its row. */
import { ASKED_OF_CHECKS } from '../../../src/contract/specs/asked-fields.ts';
import { missingProblems } from '../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';
import { readCanary } from './canary-document.ts';

/** The row as it is sent; what a change leaves out is taken as right. */
export interface SentRow {
  name?: unknown;
  namespace?: unknown;
  labels?: unknown;
  annotations?: unknown;
  spec?: unknown;
}

/** Fields are named as in the row (`spec.http[0].url`); none when it can be kept. */
export function canaryProblems(row: SentRow): DocumentProblem[] {
  const { name = 'name', namespace, labels, annotations, spec } = row;
  const metadata = { name, namespace, labels, annotations };
  const read = readCanary({ kind: 'Canary', metadata, spec }, 'canary');
  if (read.ok) return missingProblems(ASKED_OF_CHECKS, spec);
  return read.problems.map(({ field, message }) => ({ field: field.replace(/^metadata\./, ''), message }));
}
