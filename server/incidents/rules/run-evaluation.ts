/**
 * One round over incidents: rules first, then definitions of done, then what follows from both (schema §8.2). A whole
 * round looks at everything; others at what has changed and at what has become due.
 */
import { SUBJECT_KINDS } from './subject-kinds.ts';
import { incidentsOn, settleableIncidents } from './done-query.ts';
import { endEpisodesOfDeletedRules } from './rule-query.ts';
import { dueSubjects, forgetDue, noteJob, takeWakes } from './evaluation-query.ts';
import type { Wake, WakeKind } from './evaluation-query.ts';
import { readRules, runRule } from './run-rules.ts';
import type { RuleTally, Scope } from './run-rules.ts';
import { emptyTally, evaluateDone, advanceIncident, incidentsToAdvance } from './advance-incident.ts';
import type { DoneTally, DoneDeps } from './advance-incident.ts';

/** What one round takes on; what is left has the next one start at once. */
const MAX_WAKES = 500;

export interface EvaluationDeps extends DoneDeps {
  hostname: string;
  /** Tells open pages of a table that was written. */
  notify: (table: string) => void;
}

interface Work {
  isWhole: boolean;
  scope: Scope;
  /** Incidents to look at; null for all. */
  incidents: readonly string[] | null;
}

const COLUMNS = {
  check: 'check_id',
  component: 'component_id',
  config: 'config_id',
  analysis: 'config_analysis_id',
} as const;

const idsOf = (wakes: readonly Wake[], kind: WakeKind) =>
  wakes.filter((wake) => wake.kind === kind).map(({ id }) => id);

async function gatherWork({ db, now }: DoneDeps, isWhole: boolean): Promise<Work> {
  const wakes = await takeWakes(db, MAX_WAKES);
  const at = new Date(now());
  const due = await dueSubjects(db, at, MAX_WAKES);
  await forgetDue(db, at);
  if (isWhole) return { isWhole, scope: null, incidents: null };
  const dueOf = (kind: WakeKind) => due.filter((row) => row.kind === kind).map((row) => row.subject_id);
  const subjects = Object.fromEntries(
    SUBJECT_KINDS.map((kind) => [kind, [...new Set([...idsOf(wakes, kind), ...dueOf(kind)])]]),
  ) as Record<(typeof SUBJECT_KINDS)[number], string[]>;
  const incidents = new Set([...idsOf(wakes, 'incident'), ...due.flatMap((row) => row.incident_id ?? [])]);
  for (const [kind, column] of Object.entries(COLUMNS)) {
    for (const id of await incidentsOn(db, column, idsOf(wakes, kind as keyof typeof COLUMNS)))
      incidents.add(id);
  }
  // A new or changed rule may match anything.
  const isRuleChanged = wakes.some(({ kind }) => kind === 'rule');
  return {
    isWhole,
    scope: isRuleChanged ? null : subjects,
    incidents: isRuleChanged ? null : [...incidents],
  };
}

async function runRules(deps: EvaluationDeps, work: Work, signal: AbortSignal): Promise<RuleTally[]> {
  const { db, hostname, now } = deps;
  await endEpisodesOfDeletedRules(db);
  const { rules, broken } = await readRules(db);
  const claimed = new Set<string>();
  const tallies = [...broken];
  const note = async (tally: RuleTally, startedAt: Date) => {
    const did = tally.opened + tally.reopened;
    // Rounds that found nothing to do are told every few minutes only.
    if (!work.isWhole && did === 0 && tally.errors.length === 0) return;
    const status = tally.errors.length === 0 ? 'SUCCESS' : did > 0 ? 'WARNING' : 'FAILED';
    const { ruleId, errors, matched, opened, reopened } = tally;
    const summary = { matched, opened, reopened };
    const times = { startedAt, endedAt: new Date(now()) };
    await noteJob(db, {
      name: 'IncidentRules',
      ruleId,
      status,
      successCount: matched,
      errors,
      summary,
      hostname,
      ...times,
    });
    deps.notify('job_history');
  };
  for (const tally of broken) await note(tally, new Date(now()));
  for (const rule of rules) {
    if (signal.aborted) break;
    const tally: RuleTally = { ruleId: rule.id, matched: 0, opened: 0, reopened: 0, errors: [] };
    const startedAt = new Date(now());
    try {
      await runRule(deps, rule, { scope: work.scope, claimed, tally });
    } catch (error) {
      tally.errors.push(error instanceof Error ? error.message : String(error));
    }
    tallies.push(tally);
    await note(tally, startedAt);
  }
  return tallies;
}

async function runDone(deps: EvaluationDeps, work: Work, signal: AbortSignal): Promise<DoneTally> {
  const { db, now, hostname } = deps;
  const tally = emptyTally();
  const startedAt = new Date(now());
  await evaluateDone(deps, work.incidents, { tally, signal });
  const looked = work.incidents ?? (await settleableIncidents(db));
  for (const id of await incidentsToAdvance(deps, looked, signal)) {
    if (signal.aborted) break;
    await advanceIncident(deps, id, tally);
  }
  const { errors, evaluated, ...rest } = tally;
  const moved = rest.resolved + rest.reopened + rest.closed;
  if (!work.isWhole && moved === 0) return tally;
  const status = errors.length === 0 ? 'SUCCESS' : evaluated > errors.length ? 'WARNING' : 'FAILED';
  const times = { startedAt, endedAt: new Date(now()) };
  const told = { ruleId: null, status, successCount: evaluated - errors.length, errors } as const;
  await noteJob(db, {
    name: 'DefinitionOfDone',
    ...told,
    summary: { evaluated, ...rest },
    hostname,
    ...times,
  });
  return tally;
}

/** What a round did, in all. */
export interface EvaluationTally {
  opened: number;
  done: DoneTally;
}

/** Stops between rules and between incidents once the signal is aborted. */
export async function runEvaluation(
  deps: EvaluationDeps,
  { isWhole, signal }: { isWhole: boolean; signal: AbortSignal },
): Promise<EvaluationTally> {
  const work = await gatherWork(deps, isWhole);
  const tallies = await runRules(deps, work, signal);
  const opened = tallies.reduce((sum, tally) => sum + tally.opened, 0);
  const done = await runDone(deps, work, signal);
  const moved = tallies.reduce((sum, tally) => sum + tally.reopened, opened);
  if (moved + done.changed + done.resolved + done.reopened + done.closed > 0)
    for (const table of ['incidents', 'hypotheses', 'evidences', 'responders']) deps.notify(table);
  return { opened, done };
}
