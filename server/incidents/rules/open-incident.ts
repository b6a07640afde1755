/**
 * Opens the incident of a rule for one subject: its texts from the template, its people by name, its responders.
 * Invariant: everything that may fail for a reason of the rule's author fails before the transaction; the transaction
 * itself finds out whether another server was faster.
 */
import type { IncidentRuleSpec, RuleResponder } from '../../../src/contract/specs/incident-rule-spec.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { actAs } from '../../platform/db/act-as-query.ts';
import {
  findPerson,
  findTeam,
  giveIncident,
  insertIncident,
  insertResponder,
  openAgain,
  resumeMatch,
  systemPersonId,
} from './open-query.ts';
import type { NewIncident, NewResponder } from './open-query.ts';
import { lockMatch } from './rule-query.ts';
import type { SubjectRow } from './rule-query.ts';
import type { SubjectKind } from './subject-kinds.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const TITLE_LENGTH = 500;

export interface OpenDeps {
  db: Database;
  expressions: Pick<Expressions, 'evaluate'>;
}

export interface Opening {
  rule: { id: string; name: string; spec: IncidentRuleSpec };
  kind: SubjectKind;
  subject: SubjectRow;
  ruleMatchId: string;
}

/** Types that rules name otherwise than responders do (spec 3 §3). */
const RESPONDER_TYPES = lookupTable<string>({
  servicenow: 'service_now',
  aws: 'aws_support',
  ams: 'aws_ams_services_request',
});

type Render = (text: string) => Promise<string>;

/** Renders the rule's templates; what has no template in it stays as it is. */
function renderer({ expressions }: OpenDeps, { rule, kind, subject }: Opening): Render {
  const seen = { ...subject, kind };
  const variables = { subject: seen, [kind]: seen, rule: { id: rule.id, name: rule.name } };
  return async (text) => {
    if (!text.includes('{{')) return text;
    const value = await expressions.evaluate(
      { template: text },
      { variables, durationNames: [], lastResult: null },
    );
    return value.text.trim();
  };
}

async function personOf(db: Queryable, text: string | undefined, field: string): Promise<string | null> {
  if (text === undefined) return null;
  const id = await findPerson(db, text);
  if (id === null) throw new Error(`template.${field}: there is no person ${JSON.stringify(text)}`);
  return id;
}

/** The subject's owner, where that is a person; nobody when nobody has that name. */
async function commanderOf(db: Queryable, { rule, subject }: Opening): Promise<string | null> {
  const named = await personOf(db, rule.spec.template?.commander_id, 'commander_id');
  const { owner } = subject;
  if (named !== null || rule.spec.autoAssignOwner !== true || owner === null || owner === '') return named;
  return findPerson(db, owner);
}

type Asked = Omit<NewResponder, 'incidentId' | 'createdBy'>;

async function askedOf(
  db: Queryable,
  { type, entry }: { type: string; entry: RuleResponder },
  render: Render,
): Promise<Asked> {
  const { team, person, ...fields } = entry;
  const teamId = team === undefined ? null : await findTeam(db, team);
  const personId = person === undefined ? null : await findPerson(db, person);
  if (teamId === null && personId === null) {
    throw new Error(
      `responders.${type}: there is no ${team === undefined ? 'person' : 'team'} ${team ?? person}`,
    );
  }
  if (personId !== null) return { teamId, personId, properties: {} };
  const texts = Object.entries(fields).map(async ([name, value]) => [
    name,
    typeof value === 'string' ? await render(value) : value,
  ]);
  const rendered = Object.fromEntries((await Promise.all(texts)) as [string, unknown][]);
  return { teamId, personId, properties: { responderType: RESPONDER_TYPES[type] ?? type, ...rendered } };
}

async function respondersOf(db: Queryable, spec: IncidentRuleSpec, render: Render): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [type, given] of Object.entries(spec.responders ?? {})) {
    for (const entry of given) asked.push(await askedOf(db, { type, entry }, render));
  }
  return asked;
}

async function draft(deps: OpenDeps, opening: Opening, render: Render): Promise<NewIncident> {
  const { db } = deps;
  const { rule, kind, subject } = opening;
  const { template } = rule.spec;
  const finding = `${subject.name} is ${subject.status === '' ? subject.health : subject.status}`;
  const title = await render(template?.title ?? finding);
  return {
    ruleId: rule.id,
    title: (title === '' ? finding : title).slice(0, TITLE_LENGTH),
    description: await render(template?.description ?? `Opened by the rule ${rule.name}.`),
    type: template?.type ?? 'availability',
    status: template?.status ?? 'open',
    severity: template?.severity ?? 'low',
    createdBy: (await personOf(db, template?.created_by, 'created_by')) ?? (await systemPersonId(db)),
    commanderId: await commanderOf(db, opening),
    communicatorId: await personOf(db, template?.communicator_id, 'communicator_id'),
    kind,
    subjectId: subject.id,
    finding,
    seen: { name: subject.name, type: subject.type, status: subject.status, health: subject.health },
  };
}

/** `taken`: somebody else did it, or a person opened the last incident of the subject again. */
export async function openIncident(deps: OpenDeps, opening: Opening): Promise<'opened' | 'taken'> {
  const render = renderer(deps, opening);
  const incident = await draft(deps, opening, render);
  const responders = await respondersOf(deps.db, opening.rule.spec, render);
  const { ruleMatchId, kind } = opening;
  return deps.db.transaction(async (tx) => {
    const ruleMatch = await lockMatch(tx, ruleMatchId);
    if (ruleMatch === null || ruleMatch.incident_id !== null) return 'taken';
    const subject = { ruleId: incident.ruleId, kind, subjectId: incident.subjectId };
    const earlier = await openAgain(tx, subject);
    if (earlier !== null) {
      await resumeMatch(tx, ruleMatchId, earlier);
      return 'taken';
    }
    await actAs(tx, incident.createdBy);
    const incidentId = await insertIncident(tx, incident);
    const { createdBy } = incident;
    for (const responder of responders) await insertResponder(tx, { ...responder, incidentId, createdBy });
    await giveIncident(tx, ruleMatchId, incidentId);
    return 'opened';
  });
}
