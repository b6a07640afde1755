/** What is wrong with a playbook's specification that somebody wants to keep, whatever the way in. */
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { mergedProblems, problemsOf, unknownFieldProblems } from '../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';

function actionProblems({ actions, approval }: PlaybookSpec): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  for (const [at, action] of actions.entries()) {
    const { timeout = '', http, sql, notification } = action;
    const path = `spec.actions[${at}]`;
    if (timeout !== '' && !timeout.includes('{{') && !((parseDuration(timeout) ?? 0) > 0))
      add(`${path}.timeout`, `"${timeout}" is not a duration such as 30s or 5m`);
    for (const [kind, place] of Object.entries({ http, sql, notification }))
      if (place !== undefined && (place.url ?? '') === '' && (place.connection ?? '') === '')
        add(`${path}.${kind}.url`, 'is required, or a connection');
  }
  const { people = [], teams = [] } = approval?.approvers ?? {};
  if (approval !== undefined && people.length + teams.length === 0)
    add('spec.approval.approvers', 'name people or teams: nobody could approve a run');
  return problems;
}

/** Each with the path of the field; none when it can be kept. */
export function playbookProblems({ spec }: { spec?: unknown }): DocumentProblem[] {
  const root = spec ?? {};
  const misspelt = unknownFieldProblems(playbookSpecSchema, ['spec'], root);
  const parsed = playbookSpecSchema.safeParse(root);
  if (!parsed.success) return mergedProblems(misspelt, problemsOf(parsed.error, ['spec'], root));
  return mergedProblems(misspelt, actionProblems(parsed.data));
}
