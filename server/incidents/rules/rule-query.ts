/** SQL of incident rules: the rules, what they match, and the subjects that they watch. */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import { parseMatchList } from '../../../src/domain/match-list.ts';
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import { listConditions } from '../../catalog/search/filter-query.ts';
import { RESOURCE_KINDS } from '../../catalog/search/resource-kinds.ts';
import { selectedBy } from '../../catalog/search/selector-query.ts';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import type { Statement } from '../../replication/data-api/statement/statement-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { SUBJECTS, SUBJECT_KINDS } from './subject-kinds.ts';
import type { SubjectKind } from './subject-kinds.ts';

const ruleRow = z.strictObject({ id: z.string(), name: z.string(), spec: z.unknown() });
export type RuleRow = z.infer<typeof ruleRow>;

/** Rules that were not deleted; in which order they come is their own to say. */
export function liveRules(db: Queryable): Promise<RuleRow[]> {
  return db.rows(
    ruleRow,
    `select id, name, spec from incident_rules where deleted_at is null order by created_at, id`,
  );
}

const subjectRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string().nullable(),
  status: z.string(),
  health: z.string(),
  owner: z.string().nullable(),
  /** Since when its status is what it is; null where nobody knows. */
  since: z.string().nullable(),
});
export type SubjectRow = z.infer<typeof subjectRow>;

export interface MatchQuestion {
  selectors: readonly ResourceSelector[];
  filter: { status: readonly string[]; severity: readonly string[]; category: readonly string[] };
  /** Only of these; null for all. */
  ids: readonly string[] | null;
  limit: number;
}

const listOf = (items: readonly string[]) => parseMatchList(items.join(',').toLowerCase());

/** The list over the subject's own word, or over those of open insights of its config. */
function wordCondition(
  { own, insight, configId }: { own: string; insight: string; configId: string },
  items: readonly string[],
  statement: Statement,
): string[] {
  const list = listOf(items);
  const ofOwn = listConditions([`lower(${own})`], list, statement);
  if (ofOwn.length === 0) return [];
  const ofInsight = listConditions([`lower(finding.${insight})`], list, statement);
  return [
    `(${own} is not null and ${ofOwn.join(' and ')} or exists (select from config_analysis finding
      where finding.config_id = ${configId} and finding.status = 'open' and ${ofInsight.join(' and ')}))`,
  ];
}

/** The subjects of one kind that the rule means and that are as its filter says. */
export async function matchingSubjects(
  db: Queryable,
  kind: SubjectKind,
  { selectors, filter, ids, limit }: MatchQuestion,
): Promise<SubjectRow[]> {
  const { resources, health, since, configId, severity, category } = SUBJECTS[kind];
  const statement = createStatement();
  const selected = selectedBy(resources, selectors, statement);
  if (selected === null) return [];
  const conditions = [
    selected,
    // A selector may ask for deleted ones; those have no health any more.
    'r.deleted_at is null',
    ...(ids === null ? [] : [`r.id = any(${statement.param(ids)}::uuid[])`]),
    ...listConditions([health, 'lower(r.status)'], listOf(filter.status), statement),
    ...wordCondition({ own: severity, insight: 'severity', configId }, filter.severity, statement),
    ...wordCondition({ own: category, insight: 'analysis_type', configId }, filter.category, statement),
  ];
  const { from } = RESOURCE_KINDS[resources];
  const owner = kind === 'config' ? 'null::text' : 'r.owner';
  return db.rows(
    subjectRow,
    `select r.id, coalesce(r.name, '') as name, r.type, coalesce(r.status, '') as status, ${health} as health,
       ${owner} as owner, ${since} as since
     from ${from} where ${conditions.join(' and ')} order by r.id limit ${statement.param(limit)}::int`,
    statement.params,
  );
}

const ruleMatchRow = z.strictObject({
  id: z.string(),
  rule_id: z.string(),
  kind: z.enum(SUBJECT_KINDS),
  subject_id: z.string(),
  incident_id: z.string().nullable(),
  incident_status: z.string().nullable(),
  matching_since: z.string(),
  healthy_since: z.string().nullable(),
  has_recovered: z.boolean(),
  due_at: z.string().nullable(),
  /** null when the subject is gone from its table. */
  health: z.string().nullable(),
  is_gone: z.boolean(),
});
export type RuleMatchRow = z.infer<typeof ruleMatchRow>;
const lockedMatch = ruleMatchRow.pick({ id: true, incident_id: true });

const HEALTH_OF = Object.entries(SUBJECTS)
  .map(
    ([kind, { table, health }]) => `select '${kind}' as kind, r.id, ${health} as health,
      r.deleted_at is not null as is_gone from ${table} r`,
  )
  .join(' union all ');

/** What the rule watches now, with how each subject is; of these subjects or all. */
export function currentMatches(
  db: Queryable,
  ruleId: string,
  ids: readonly string[] | null,
): Promise<RuleMatchRow[]> {
  return db.rows(
    ruleMatchRow,
    `select e.id, e.rule_id, e.kind, e.subject_id, e.incident_id, i.status as incident_status, e.matching_since,
       e.healthy_since, e.has_recovered, e.due_at, subject.health, coalesce(subject.is_gone, true) as is_gone
     from incident_rule_subjects e
     left join incidents i on i.id = e.incident_id
     left join lateral (select own.health, own.is_gone from (${HEALTH_OF}) own
       where own.kind = e.kind and own.id = e.subject_id) subject on true
     where e.rule_id = $1 and e.is_current and ($2::uuid[] is null or e.subject_id = any($2::uuid[]))
     order by e.id`,
    [ruleId, ids],
  );
}

/** Locks one episode; null when it is not the present one any more. */
export async function lockMatch(
  tx: Queryable,
  id: string,
): Promise<Pick<RuleMatchRow, 'id' | 'incident_id'> | null> {
  const [row] = await tx.rows(
    lockedMatch,
    'select id, incident_id from incident_rule_subjects where id = $1 and is_current for update',
    [id],
  );
  return row ?? null;
}

/** Begins to watch a subject; null when it is watched already. */
export function beginMatch(
  tx: Queryable,
  ruleMatch: {
    ruleId: string;
    kind: SubjectKind;
    subjectId: string;
    matchingSince: Date;
    dueAt: Date | null;
  },
): Promise<string | null> {
  return tx
    .rows(
      idRow,
      `insert into incident_rule_subjects (rule_id, kind, subject_id, matching_since, due_at)
       values ($1, $2, $3, $4::timestamptz, $5::timestamptz)
       on conflict (rule_id, kind, subject_id) where is_current do nothing returning id`,
      [ruleMatch.ruleId, ruleMatch.kind, ruleMatch.subjectId, ruleMatch.matchingSince, ruleMatch.dueAt],
    )
    .then(([row]) => row?.id ?? null);
}

/** A subject without an incident is forgotten; one with stays told, but is not the present one any more. */
export async function endMatch(db: Queryable, id: string): Promise<void> {
  await db.run('delete from incident_rule_subjects where id = $1 and incident_id is null', [id]);
  await db.run('update incident_rule_subjects set is_current = false, due_at = null where id = $1', [id]);
}

/** Since when the subject is healthy again, and whether it has been since it matched. */
export async function saveMatch(
  db: Queryable,
  id: string,
  { healthySince, hasRecovered }: { healthySince: Date | null; hasRecovered: boolean },
): Promise<void> {
  await db.run(
    `update incident_rule_subjects set healthy_since = $2::timestamptz, has_recovered = $3::boolean where id = $1`,
    [id, healthySince, hasRecovered],
  );
}

/** Incidents of rules that were deleted or can't be read go on without their rule. */
export function endEpisodesOfDeletedRules(db: Queryable): Promise<number> {
  return db.run(
    `delete from incident_rule_subjects e using incident_rules rule
      where rule.id = e.rule_id and rule.deleted_at is not null and e.incident_id is null`,
  );
}
