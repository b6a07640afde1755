/**
 * Looks at every rule once, by priority (schema §8.2): follows the subjects that it has incidents for, and opens
 * incidents for those that match anew. Invariants: a subject that a rule with breakOnMatch matched is not given to
 * later rules; a rule that fails does not stop the others, nor a subject whose texts fail those after it; a round
 * opens at most MAX_NEW incidents a rule.
 */
import { incidentRuleSpecSchema } from '../../../src/contract/specs/incident-rule-spec.ts';
import type { IncidentRuleSpec } from '../../../src/contract/specs/incident-rule-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { followSubject } from '../../../src/domain/incident/rule-match.ts';
import { isInOperation } from '../../../src/domain/incident/rule-hours.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { lockForSettling, noteDue, setStatus } from './done-query.ts';
import { openIncident } from './open-incident.ts';
import { actAs } from '../../platform/db/act-as-query.ts';
import {
  beginMatch,
  currentMatches,
  endMatch,
  liveRules,
  matchingSubjects,
  saveMatch,
} from './rule-query.ts';
import type { RuleMatchRow, SubjectRow } from './rule-query.ts';
import type { DoneDeps } from './advance-incident.ts';
import { selectorsOf, SUBJECT_KINDS } from './subject-kinds.ts';
import type { SubjectKind } from './subject-kinds.ts';

/** A storm of failures must not become a storm of incidents; the rest comes with the next rounds. */
export const MAX_NEW = 100;
/** Of one rule, in one round: who writes a template that never ends must not have the round wait for each subject. */
const MAX_FAILURES = 20;
/** Of one kind, of one rule, in one round. */
const MAX_MATCHES = 5000;
const UNHEALTHY: readonly string[] = ['unhealthy', 'error'];
const HEALTHY = 'healthy';
/** A rule without a priority comes after all that have one. */
const LAST = Number.MAX_SAFE_INTEGER;

export interface Rule {
  id: string;
  name: string;
  spec: IncidentRuleSpec;
}

export interface RuleTally {
  ruleId: string;
  matched: number;
  opened: number;
  reopened: number;
  errors: string[];
}

/** Ids of subjects to look at, by kind; null for all. */
export type Scope = Readonly<Record<SubjectKind, readonly string[]>> | null;

interface Subject {
  kind: SubjectKind;
  row: SubjectRow;
}

const keyOf = (kind: SubjectKind, id: string) => `${kind} ${id}`;

/** The rules that can be read, in their order; what is wrong with the others. */
export async function readRules(db: Queryable): Promise<{ rules: Rule[]; broken: RuleTally[] }> {
  const rules: Rule[] = [];
  const broken: RuleTally[] = [];
  for (const { id, name, spec } of await liveRules(db)) {
    const parsed = incidentRuleSpecSchema.safeParse(spec);
    if (parsed.success) rules.push({ id, name, spec: parsed.data });
    else {
      const errors = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      broken.push({ ruleId: id, matched: 0, opened: 0, reopened: 0, errors });
    }
  }
  const priority = ({ spec }: Rule) => spec.priority ?? LAST;
  return { rules: rules.toSorted((a, b) => priority(a) - priority(b)), broken };
}

async function matchesOf(db: Queryable, { spec }: Rule, scope: Scope): Promise<Map<string, Subject>> {
  const matches = new Map<string, Subject>();
  const { status = [], severity = [], category = [] } = spec.filter ?? {};
  const filter = {
    status: status.length === 0 ? UNHEALTHY : status.map(String),
    severity: severity.map(String),
    category: category.map(String),
  };
  for (const kind of SUBJECT_KINDS) {
    const ids = scope?.[kind] ?? null;
    if (ids?.length === 0) continue;
    const selectors = selectorsOf(spec, kind);
    const rows = await matchingSubjects(db, kind, { selectors, filter, ids, limit: MAX_MATCHES });
    for (const row of rows) matches.set(keyOf(kind, row.id), { kind, row });
  }
  return matches;
}

/** Opens a resolved incident again whose subject has relapsed. */
async function reopen({ db, systemId }: DoneDeps, incidentId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockForSettling(tx, incidentId);
    if (row?.status !== 'resolved') return false;
    await actAs(tx, systemId);
    // How its definition of done stood stays known: what is done already doesn't resolve it at once.
    await setStatus(tx, incidentId, 'open');
    return true;
  });
}

/** Follows one subject; answers whether it stays the present one. */
async function follow(
  deps: DoneDeps,
  ruleMatch: RuleMatchRow,
  { isMatching, tally }: { isMatching: boolean; tally: RuleTally },
): Promise<boolean> {
  const { health, is_gone: isGone, healthy_since: healthySince } = ruleMatch;
  const step = followSubject(
    {
      incidentStatus: ruleMatch.incident_status,
      healthySinceMs: healthySince === null ? null : Date.parse(healthySince),
      hasRecovered: ruleMatch.has_recovered,
    },
    { isMatching, isHealthy: isGone || health === HEALTHY, nowMs: deps.now() },
  );
  if (step.kind === 'ends') {
    await endMatch(deps.db, ruleMatch.id);
    return false;
  }
  const since = step.healthySinceMs === null ? null : new Date(step.healthySinceMs);
  const isSame =
    step.hasRecovered === ruleMatch.has_recovered && (since === null) === (ruleMatch.healthy_since === null);
  if (!isSame)
    await saveMatch(deps.db, ruleMatch.id, { healthySince: since, hasRecovered: step.hasRecovered });
  if (step.reopens && ruleMatch.incident_id !== null && (await reopen(deps, ruleMatch.incident_id)))
    tally.reopened += 1;
  return true;
}

interface Candidate extends Subject {
  ruleMatchId: string | null;
  matchingSinceMs: number;
}

/** Opens the incident when the subject matches for long enough, else watches it until then. */
async function consider(
  deps: DoneDeps,
  rule: Rule,
  { candidate, tally }: { candidate: Candidate; tally: RuleTally },
): Promise<void> {
  const { kind, row, matchingSinceMs } = candidate;
  const now = deps.now();
  const ripeMs = matchingSinceMs + (parseDuration(rule.spec.filter?.age ?? '0') ?? 0);
  const isRipe = ripeMs <= now;
  if (isRipe && tally.opened >= MAX_NEW) return;
  const matchingSince = new Date(matchingSinceMs);
  const dueAt = isRipe ? null : new Date(ripeMs);
  const begun = { ruleId: rule.id, kind, subjectId: row.id, matchingSince, dueAt };
  const ruleMatchId = candidate.ruleMatchId ?? (await beginMatch(deps.db, begun));
  // Another server watches it already.
  if (ruleMatchId === null) return;
  const isOpenNow = isRipe && isInOperation(rule.spec.hoursOfOperation ?? [], now);
  if (!isOpenNow) {
    await noteDue(deps.db, ruleMatchId, dueAt);
    return;
  }
  if ((await openIncident(deps, { rule, kind, subject: row, ruleMatchId })) === 'opened') tally.opened += 1;
}

function candidateOf(subject: Subject, ruleMatch: RuleMatchRow | undefined, nowMs: number): Candidate {
  const since = ruleMatch?.matching_since ?? subject.row.since;
  return {
    ...subject,
    ruleMatchId: ruleMatch?.id ?? null,
    matchingSinceMs: since === null ? nowMs : Math.min(Date.parse(since), nowMs),
  };
}

interface RuleRun {
  scope: Scope;
  /** Subjects that an earlier rule keeps for itself. */
  claimed: Set<string>;
  tally: RuleTally;
}

async function followAll(
  deps: DoneDeps,
  ruleMatches: readonly RuleMatchRow[],
  { matches, run }: { matches: ReadonlyMap<string, Subject>; run: RuleRun },
): Promise<Map<string, RuleMatchRow>> {
  const present = new Map<string, RuleMatchRow>();
  for (const ruleMatch of ruleMatches) {
    const key = keyOf(ruleMatch.kind, ruleMatch.subject_id);
    const isOthers = ruleMatch.incident_id === null && run.claimed.has(key);
    const isMatching = matches.has(key) && !isOthers;
    if (await follow(deps, ruleMatch, { isMatching, tally: run.tally })) present.set(key, ruleMatch);
  }
  return present;
}

/** One rule in one round. */
export async function runRule(deps: DoneDeps, rule: Rule, run: RuleRun): Promise<void> {
  const { db } = deps;
  const { scope, claimed, tally } = run;
  const ids = scope === null ? null : Object.values(scope).flat();
  const matches = await matchesOf(db, rule, scope);
  tally.matched = matches.size;
  const present = await followAll(deps, await currentMatches(db, rule.id, ids), { matches, run });
  let left = 0;
  let failures = 0;
  for (const [key, subject] of matches) {
    const ruleMatch = present.get(key);
    if (claimed.has(key) || (ruleMatch !== undefined && ruleMatch.incident_id !== null)) continue;
    if (tally.opened >= MAX_NEW) left += 1;
    const candidate = candidateOf(subject, ruleMatch, deps.now());
    try {
      await consider(deps, rule, { candidate, tally });
    } catch (error) {
      failures += 1;
      if (failures >= MAX_FAILURES) throw error;
      tally.errors.push(`${subject.row.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (left > 0)
    tally.errors.push(`${MAX_NEW} incidents opened; ${left} more subjects wait for the next round`);
  if (rule.spec.breakOnMatch === true && isInOperation(rule.spec.hoursOfOperation ?? [], deps.now()))
    for (const key of matches.keys()) claimed.add(key);
}
