/** What is wrong with a playbook's specification that somebody wants to keep, whatever the way in. */
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { mergedProblems, problemsOf, unknownFieldProblems } from '../../platform/yaml/document-problems.ts';
import { scheduleOf } from '../../platform/jobs/next-run.ts';
import { celProblem } from '../../platform/expressions/cel-problem.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';

const EXAMPLE = "success() or config.health != 'healthy'";

/** The conditions, each with its path; a delay may be a duration as well. */
function conditionsOf({ actions, filters = [], on }: PlaybookSpec): [string, string][] {
  const found: [string, string][] = filters.map((filter, at) => [`spec.filters[${at}]`, String(filter)]);
  for (const [at, { if: condition = '', delay = '' }] of actions.entries()) {
    found.push([`spec.actions[${at}].if`, condition]);
    if (parseDuration(delay) === null) found.push([`spec.actions[${at}].delay`, delay]);
  }
  const { canary = [], config = [], component = [] } = on ?? {};
  for (const [kind, triggers] of Object.entries({ canary, config, component }))
    for (const [at, { filter = '' }] of triggers.entries())
      found.push([`spec.on.${kind}[${at}].filter`, filter]);
  return found;
}

function conditionProblems(spec: PlaybookSpec): DocumentProblem[] {
  return conditionsOf(spec).flatMap(([field, condition]) => {
    const problem = condition.trim() === '' ? null : celProblem(condition);
    return problem === null
      ? []
      : [
          {
            field,
            message: `is no condition that can be evaluated: ${problem}; write CEL such as ${EXAMPLE}`,
          },
        ];
  });
}

/** Permissions that name nobody would let nobody run it. */
function permissionProblems({ permissions = [] }: PlaybookSpec): DocumentProblem[] {
  return permissions.flatMap(({ role = '', team = '', ref = '' }, at) =>
    role === '' && team === ''
      ? [
          {
            field: `spec.permissions[${at}]`,
            message: `${ref === '' ? 'names nobody' : 'ref means nobody here'}: give a role or a team`,
          },
        ]
      : [],
  );
}

/** Templates of an action are filled where it runs. */
function placeProblems({ actions, runsOn = [], templatesOn }: PlaybookSpec): DocumentProblem[] {
  return actions.flatMap((action, at) => {
    const isAway = (action.runsOn ?? runsOn).some((name) => name !== 'local');
    return isAway && (action.templatesOn ?? templatesOn) === 'host'
      ? [
          {
            field: `spec.actions[${at}].templatesOn`,
            message: 'host can not be had: templates are filled by the agent that runs the action',
          },
        ]
      : [];
  });
}

function gitopsProblems(path: string, gitops: PlaybookSpec['actions'][number]['gitops']): DocumentProblem[] {
  if (gitops === undefined) return [];
  const { repo, patches = [], files = [], pr } = gitops;
  const problems: DocumentProblem[] = [];
  const add = (field: string, message: string) => problems.push({ field: `${path}${field}`, message });
  if ((repo.url ?? '') === '' && (repo.connection ?? '') === '')
    add('.repo.url', 'is required, or a connection');
  if (patches.length + files.length === 0) add('.patches', 'is required, or files: nothing would change');
  if (pr !== undefined && (repo.branch ?? '') === '')
    add('.repo.branch', 'is required: a pull request needs a branch of its own');
  for (const [at, { yq, jq }] of patches.entries())
    if ((yq === undefined) === (jq === undefined)) add(`.patches[${at}]`, 'needs one of yq and jq');
  return problems;
}

function actionProblems({ actions, approval }: PlaybookSpec): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  for (const [at, action] of actions.entries()) {
    const { timeout = '', http, sql, notification, gitops, pod } = action;
    const path = `spec.actions[${at}]`;
    if (timeout !== '' && !timeout.includes('{{') && !((parseDuration(timeout) ?? 0) > 0))
      add(`${path}.timeout`, `"${timeout}" is not a duration such as 30s or 5m`);
    if (pod !== undefined && !(Array.isArray(pod.spec['containers']) && pod.spec['containers'].length > 0))
      add(`${path}.pod.spec.containers`, 'name at least one container');
    problems.push(...gitopsProblems(`${path}.gitops`, gitops));
    for (const [kind, place] of Object.entries({ http, sql, notification }))
      if (place !== undefined && (place.url ?? '') === '' && (place.connection ?? '') === '')
        add(`${path}.${kind}.url`, 'is required, or a connection');
  }
  const { people = [], teams = [] } = approval?.approvers ?? {};
  if (approval !== undefined && people.length + teams.length === 0)
    add('spec.approval.approvers', 'name people or teams: nobody could approve a run');
  return problems;
}

function scheduleProblems({ on, parameters = [] }: PlaybookSpec): DocumentProblem[] {
  const known = new Set(parameters.map(({ name }) => name));
  return (on?.schedule ?? []).flatMap(({ schedule, parameters: given = {} }, at) => {
    const field = `spec.on.schedule[${at}]`;
    const wrong =
      scheduleOf(schedule) === null
        ? [
            {
              field: `${field}.schedule`,
              message: `"${schedule}" is no schedule such as 0 3 * * * or @every 5m`,
            },
          ]
        : [];
    const unknown = Object.keys(given).filter((name) => !known.has(name));
    return [
      ...wrong,
      ...unknown.map((name) => ({
        field: `${field}.parameters.${name}`,
        message: 'is no parameter of this playbook',
      })),
    ];
  });
}

/** Each with the path of the field; none when it can be kept. */
export function playbookProblems({ spec }: { spec?: unknown }): DocumentProblem[] {
  const root = spec ?? {};
  const misspelt = unknownFieldProblems(playbookSpecSchema, ['spec'], root);
  const parsed = playbookSpecSchema.safeParse(root);
  if (!parsed.success) return mergedProblems(misspelt, problemsOf(parsed.error, ['spec'], root));
  const { data } = parsed;
  return mergedProblems(misspelt, [
    ...actionProblems(data),
    ...conditionProblems(data),
    ...permissionProblems(data),
    ...scheduleProblems(data),
    ...placeProblems(data),
  ]);
}
