/** What is wrong with a topology's specification that somebody wants to keep. */
import { topologySpecSchema } from '../../../src/contract/specs/topology-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { mergedProblems, problemsOf, unknownFieldProblems } from '../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';
import { scheduleOf } from '../../platform/jobs/next-run.ts';
import { nestedProblems } from './nested-problems.ts';

/** Each with the path of the field; none when it can be kept. */
export function topologyProblems({ spec }: { spec?: unknown }): DocumentProblem[] {
  if (!isRecord(spec)) return [{ field: 'spec', message: 'is required' }];
  const misspelt = unknownFieldProblems(topologySpecSchema, ['spec'], spec);
  const parsed = topologySpecSchema.safeParse(spec);
  if (!parsed.success) return mergedProblems(misspelt, problemsOf(parsed.error, ['spec'], spec));
  const { schedule, components = [] } = parsed.data;
  const problems = mergedProblems(misspelt, nestedProblems(parsed.data));
  if (schedule !== undefined && scheduleOf(schedule) === null)
    problems.push({
      field: 'spec.schedule',
      message: `"${schedule}" is not a schedule (five cron fields, @every 1h, @hourly, @never)`,
    });
  if (components.length === 0)
    problems.push({ field: 'spec.components', message: 'is required: a list of components' });
  return problems;
}
