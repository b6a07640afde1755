/**
 * Starts runs: by people, by triggers. Owns what has to be right before there is a run: the playbook can be read, it is
 * for this resource and for this person, its parameters are there. Whether it needs an approval is decided here too.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { mayAct } from '../../../src/domain/access/objects.ts';
import { isNameTyped, nameToType } from '../../../src/domain/playbook/danger.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { approveOwnRun } from '../approvals/approve-run.ts';
import { readAgent } from '../requests/playbook-query.ts';
import type { PlaybookRow } from '../requests/playbook-query.ts';
import { checkValues } from '../requests/parameter-values.ts';
import { checkParameters } from '../requests/playbook-request.ts';
import type { Target } from '../requests/playbook-request.ts';
import { specOfPlaybook, suits, templatedParameters } from '../requests/runnable-playbooks.ts';
import { noteChange } from './run-query.ts';
import { envOfConditions } from './render-context.ts';
import { createRunScope, variablesOf } from './run-scope.ts';
import type { RunFacts } from './run-scope.ts';
import { hideSecrets, secretValues } from './secrets/run-secrets.ts';
import { insertRun, readTeamNames } from './start-run-query.ts';
import type { StartedRun } from './start-run-query.ts';

export interface RunRequest {
  playbook: PlaybookRow;
  target: Target | null;
  params: Readonly<Record<string, string>>;
  /** The agent that it is asked for; without one, this server. */
  agentId?: string | null;
  /** Null: a trigger's. */
  person: { id: string; roles: readonly string[] } | null;
  /** What a webhook was sent, or the event that started it. */
  request?: Record<string, unknown>;
  /** The same key of the same person is the same run. */
  requestKey?: string | null;
  /** The name that was typed for a dangerous one. */
  confirm?: string | null;
}

export interface StartDeps {
  db: Transactions;
  expressions: Expressions;
  newId: () => string;
  now: () => number;
  secret: (sizeBytes: number) => string;
  sealer: Pick<Sealer, 'seal'>;
}

/** Throws `forbidden` where the playbook is for other roles or teams; administrators may run all. */
async function checkPermissions(
  db: Queryable,
  { permissions = [] }: PlaybookSpec,
  person: RunRequest['person'],
): Promise<void> {
  if (permissions.length === 0 || person === null || person.roles.includes('admin')) return;
  const teams = await readTeamNames(db, person.id);
  const isAllowed = permissions.some(
    ({ role, team }) =>
      (role !== undefined || team !== undefined) &&
      (role === undefined || person.roles.includes(role)) &&
      (team === undefined || teams.includes(team)),
  );
  if (isAllowed) return;
  const wanted = permissions.map(({ role, team }) => [role, team].filter(Boolean).join(' in team '));
  throw new AppError(
    'forbidden',
    `this playbook may be run by: ${wanted.filter(Boolean).join(', ') || 'nobody'}`,
  );
}

/**
 * Throws `invalid` where somebody starts it on a resource that it is not for. What sets it off by itself has conditions of
 * its own, and a playbook that names no resources is for any.
 */
async function checkResource(db: Queryable, spec: PlaybookSpec, { playbook, target, person }: RunRequest) {
  const { configs = [], components = [], checks = [] } = spec;
  if (target === null || person === null || configs.length + components.length + checks.length === 0) return;
  if (await suits(db, playbook, target)) return;
  throw new AppError('invalid', `${target.word}_id: the playbook is not for this ${target.word}`);
}

/** Throws `invalid` for an agent that there is not. */
async function checkAgent(db: Queryable, { agentId = null }: RunRequest): Promise<void> {
  if (agentId === null || (await readAgent(db, agentId)) !== null) return;
  throw new AppError('invalid', `agent_id: there is no agent ${agentId}`);
}

/** The parameters with defaults for those that weren't given. */
export async function filledParameters(
  spec: PlaybookSpec,
  given: Readonly<Record<string, string>>,
  { expressions, variables }: { expressions: Expressions; variables: Record<string, unknown> },
): Promise<Record<string, string>> {
  const known = spec.parameters ?? [];
  checkParameters(known, given);
  await checkValues(known, given, expressions);
  const missing = known.filter(
    ({ name, default: value }) => !Object.hasOwn(given, name) && value !== undefined,
  );
  const filled = await templatedParameters(expressions, missing, { ...variables, params: given });
  const defaults = filled.map(({ name, default: value }): [string, string] => [name, String(value ?? '')]);
  return { ...Object.fromEntries(defaults), ...given };
}

/** The playbook's own filters do not want this run: for who starts it a refusal, for a trigger nothing to speak of. */
export class FilteredOut extends AppError {
  constructor(reason: string) {
    super('invalid', reason.slice(0, 500));
    this.name = 'FilteredOut';
  }
}

export interface CheckedRun {
  spec: PlaybookSpec;
  parameters: Record<string, string>;
  /** What templates see, without `env`. */
  variables: Record<string, unknown>;
}

type Asked = Pick<RunRequest, 'playbook' | 'target'> &
  Partial<Pick<RunRequest, 'params' | 'agentId' | 'request'>> & { person: { id: string } | null };

/** What templates see of a run that is not there yet. */
export function factsBefore({ playbook, target, params = {}, ...asked }: Asked, nowMs: number): RunFacts {
  const idOf = (word: Target['word']) => (target?.word === word ? target.id : null);
  return {
    id: '',
    playbook_id: playbook.id,
    config_id: idOf('config'),
    component_id: idOf('component'),
    check_id: idOf('check'),
    agent_id: asked.agentId ?? null,
    parameters: { ...params },
    request: asked.request ?? null,
    created_by: asked.person?.id ?? null,
    created_at: new Date(nowMs).toISOString(),
  };
}

/** Everything that is checked before a run; answers what it will run with. */
export async function checkRun(request: RunRequest, deps: StartDeps): Promise<CheckedRun> {
  const { playbook, params, person } = request;
  const { db, expressions } = deps;
  const spec = specOfPlaybook(playbook);
  await checkPermissions(db, spec, person);
  await checkResource(db, spec, request);
  await checkAgent(db, request);
  const facts = factsBefore(request, deps.now());
  const variables = await variablesOf(db, facts, spec);
  const parameters = await filledParameters(spec, params, { expressions, variables });
  const all = await variablesOf(db, { ...facts, parameters }, spec);
  const scopeWith = (env: Record<string, string>) =>
    createRunScope({ expressions, mark: deps.secret(12) }, { ...all, env }, []);
  const filters = (spec.filters ?? []).map(String);
  const scope = scopeWith(await envOfConditions(spec, filters, scopeWith({}).fill));
  for (const filter of filters) {
    const { isTrue, text } = await scope.evaluate(filter);
    if (isTrue === true) continue;
    throw new FilteredOut(isTrue === false ? `the filter "${filter}" is not true for it` : text);
  }
  return { spec, parameters, variables: all };
}

/**
 * Throws `invalid` where a dangerous playbook is run without the name of what it runs on. What sets it off by itself is
 * asked nothing, and who approves a run sees what it would do (decisions/0084).
 */
function checkConfirmed({ playbook, target, confirm }: RunRequest, { spec, variables }: CheckedRun): void {
  if (spec.dangerous !== true) return;
  const own = { id: playbook.id, name: playbook.title === '' ? playbook.name : playbook.title };
  const name = nameToType(
    target === null ? own : { id: target.id, name: recordOf(variables[target.word])['name'] },
  );
  if (isNameTyped(name, confirm)) return;
  const text = JSON.stringify(name);
  throw new AppError(
    'invalid',
    (confirm ?? '') === ''
      ? `confirm: this playbook is marked as dangerous; run it from its page in Holdfast, or send what it runs on by name: "confirm": ${text}`
      : `confirm: this playbook is marked as dangerous; what it runs on is called ${text}, and that is to be typed`,
  );
}

/** Makes the run; the runner takes it up, or waits for its approval. Wake the runner afterwards. */
export async function startRun(request: RunRequest, deps: StartDeps): Promise<StartedRun> {
  const checked = await checkRun(request, deps);
  checkConfirmed(request, checked);
  const { spec, parameters } = checked;
  const { playbook, target, person, agentId = null, requestKey = null } = request;
  const id = deps.newId();
  const passwords = secretValues(spec, parameters);
  return deps.db.transaction(async (tx) => {
    const started = await insertRun(tx, {
      id,
      playbookId: playbook.id,
      status: spec.approval === undefined ? 'scheduled' : 'pending_approval',
      now: new Date(deps.now()),
      target,
      agentId,
      ...hideSecrets({ id, passwords, parameters, request: request.request ?? null }, deps.sealer),
      createdBy: person?.id ?? null,
      requestKey,
    });
    await noteChange(tx, started.id, 'PlaybookScheduled');
    if (
      started.status === 'pending_approval' &&
      person !== null &&
      mayAct(person.roles, 'playbooks', 'approve')
    )
      await approveOwnRun(tx, { runId: started.id, personId: person.id, now: new Date(deps.now()) });
    return started;
  });
}
