/** What is wrong with a log backend's specification that somebody wants to keep. */
import { logBackendSpecSchema } from '../../src/contract/specs/log-backend-spec.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import { mergedProblems, problemsOf, unknownFieldProblems } from '../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../platform/yaml/document-problems.ts';

/** Each with the path of the field; none when it can be kept. */
export function logBackendProblems({ spec }: { spec?: unknown }): DocumentProblem[] {
  if (!isRecord(spec)) return [{ field: 'spec', message: 'is required' }];
  const parsed = logBackendSpecSchema.safeParse(spec);
  const found = parsed.success ? [] : problemsOf(parsed.error, ['spec'], spec);
  return mergedProblems(unknownFieldProblems(logBackendSpecSchema, ['spec'], spec), found);
}
