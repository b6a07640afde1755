/** What the templates and conditions of a run see (schema §7.4), and how they are evaluated. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { FinishedAction, ScriptSource, ScriptValue } from '../../platform/expressions/script.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import {
  OWN_AGENT,
  readAgent,
  readPerson,
  readPlaybookFacts,
  readResource,
} from '../requests/playbook-query.ts';
import type { PlaybookResource } from '../requests/playbook-query.ts';
import { lastRepository } from './repository-variable.ts';
import { LOCAL } from './place-of-action.ts';
import { piecesOf } from '../templates/template-pieces.ts';
import type { TemplatePiece } from '../templates/template-pieces.ts';

/** What a run is about, as its row has it. */
export interface RunFacts {
  id: string;
  playbook_id: string;
  config_id: string | null;
  component_id: string | null;
  check_id: string | null;
  /** Asked for, or the first one that did an action of it. */
  agent_id: string | null;
  parameters: Record<string, string> | null;
  request: Record<string, unknown> | null;
  created_by: string | null;
  created_at: string;
}

const RESOURCES: readonly {
  kind: PlaybookResource;
  word: 'config' | 'component' | 'check';
  field: 'config_id' | 'component_id' | 'check_id';
}[] = [
  { kind: 'configs', word: 'config', field: 'config_id' },
  { kind: 'components', word: 'component', field: 'component_id' },
  { kind: 'checks', word: 'check', field: 'check_id' },
];

/** Parameters that name a resource are that resource; others are the text that was given. */
async function parametersOf(
  db: Queryable,
  spec: PlaybookSpec,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const types = new Map((spec.parameters ?? []).map(({ name, type }) => [name, type]));
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const resource = RESOURCES.find(({ word }) => word === types.get(name));
    const isId = resource !== undefined && z.guid().safeParse(value).success;
    const found = isId ? await readResource(db, resource.kind, value) : null;
    values[name] = found ?? value;
  }
  return values;
}

/**
 * The variables of a run's templates, without its `env`. `agent` is the run's, else the one that its resource comes from,
 * else this server, which specifications call `local`.
 */
export async function variablesOf(
  db: Queryable,
  run: RunFacts,
  spec: PlaybookSpec,
): Promise<Record<string, unknown>> {
  const variables: Record<string, unknown> = {
    config: null,
    component: null,
    check: null,
    playbook: await readPlaybookFacts(db, run.playbook_id),
    run: { id: run.id, created_at: run.created_at },
    params: await parametersOf(db, spec, run.parameters ?? {}),
    request: run.request ?? {},
    user: run.created_by === null ? null : await readPerson(db, run.created_by),
    git: null,
  };
  let agentId = run.agent_id ?? OWN_AGENT;
  for (const { kind, word, field } of RESOURCES) {
    const id = run[field];
    const resource = id === null ? null : await readResource(db, kind, id);
    if (resource === null) continue;
    variables[word] = resource;
    if (agentId === OWN_AGENT && typeof resource['agent_id'] === 'string') agentId = resource['agent_id'];
  }
  // One that was deleted since leaves this server.
  variables['agent'] = (await readAgent(db, agentId)) ?? { id: OWN_AGENT, name: LOCAL };
  return variables;
}

/** Templates and conditions of one run at one moment. */
export interface RunScope {
  variables: Readonly<Record<string, unknown>>;
  fill: (template: string) => Promise<string>;
  pieces: (template: string) => Promise<TemplatePiece[]>;
  evaluate: (expression: string) => Promise<ScriptValue>;
  /** The same with more variables. */
  with: (more: Readonly<Record<string, unknown>>) => RunScope;
}

/** `mark` is a word that nobody can guess. */
export function createRunScope(
  deps: { expressions: Expressions; mark: string },
  given: Record<string, unknown>,
  actions: readonly FinishedAction[],
): RunScope {
  const variables = { ...given, git: given['git'] ?? lastRepository(actions) };
  const run = async (script: ScriptSource, mark?: string): Promise<ScriptValue> => {
    const scope = { variables, durationNames: [], lastResult: null, actions };
    try {
      return await deps.expressions.evaluate(script, mark === undefined ? scope : { ...scope, mark });
    } catch (error) {
      const text = script.template ?? script.expr ?? '';
      throw new AppError('invalid', `"${text.slice(0, 200)}" fails: ${reasonOf(error)}`, { cause: error });
    }
  };
  return {
    variables,
    fill: async (template) => (template.includes('{{') ? (await run({ template })).text : template),
    async pieces(template) {
      if (!template.includes('{{')) return template === '' ? [] : [{ kind: 'text', text: template }];
      return piecesOf((await run({ template }, deps.mark)).text, deps.mark);
    },
    evaluate: (expr) => run({ expr }),
    with: (more) => createRunScope(deps, { ...variables, ...more }, actions),
  };
}
