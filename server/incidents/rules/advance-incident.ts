/**
 * Evaluates the scripts of definitions of done and moves incidents on by what came of them (schema §8.2). Invariant:
 * an incident's new status and the state that led to it are written together, with the incident locked.
 */
import { incidentRuleSpecSchema } from '../../../src/contract/specs/incident-rule-spec.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { nextIncidentState } from '../../../src/domain/incident/rule-match.ts';
import type { RuleEnding, Settlement } from '../../../src/domain/incident/rule-match.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  lockForSettling,
  noteDue,
  scriptedEvidences,
  setStatus,
  settlingRows,
  storeDoneState,
  storeVerdict,
  subjectOfEvidence,
} from './done-query.ts';
import type { ScriptRow, SettlingRow } from './done-query.ts';
import { evaluateScript } from './evaluate-script.ts';
import type { ScriptDeps, ScriptVerdict } from './evaluate-script.ts';
import { actAs } from '../../platform/db/act-as-query.ts';

/**
 * What the scripts of one incident may take in a round: anybody may add as many as they like, and all other incidents
 * wait for them. Ten that run into their limit of a second.
 */
const MAX_SCRIPTS_MS = 10_000;
const PAGE = 200;
const NIL = '00000000-0000-0000-0000-000000000000';

const MESSAGES = {
  notKnown: 'unknown: how it is now is not known, so this stays as it was',
  tooSlow: `its scripts took more than ${MAX_SCRIPTS_MS / 1000} s, the rest of them was left out`,
} as const;

export interface DoneDeps extends ScriptDeps {
  db: Database;
  systemId: string;
}

export interface DoneTally {
  evaluated: number;
  /** Evidences whose result is another than before. */
  changed: number;
  resolved: number;
  reopened: number;
  closed: number;
  errors: string[];
}

/** Counts of an evaluation that has done nothing yet. */
export const emptyTally = (): DoneTally => ({
  evaluated: 0,
  changed: 0,
  resolved: 0,
  reopened: 0,
  closed: 0,
  errors: [],
});

/** What the evidence shows beside whether it is done. */
function resultText(verdict: ScriptVerdict): string {
  if (verdict.kind === 'error') return `error: ${verdict.error}`;
  if (verdict.kind === 'text') return verdict.text;
  return verdict.isUnknown ? MESSAGES.notKnown : String(verdict.done);
}

async function evaluateOne(deps: DoneDeps, row: ScriptRow, tally: DoneTally): Promise<void> {
  const subject = await subjectOfEvidence(deps.db, row.id);
  if (subject === null) return;
  const verdict = await evaluateScript(deps, row.script, subject);
  tally.evaluated += 1;
  if (verdict.kind === 'error') tally.errors.push(`evidence ${row.id}: ${verdict.error}`);
  // Not knowing how it is neither finishes anything nor takes back that it was done.
  const done = verdict.kind === 'done' && !verdict.isUnknown ? verdict.done : null;
  tally.changed += await storeVerdict(deps.db, row, { done, result: resultText(verdict) });
}

/** Evaluates the scripts of these incidents, or of all that are not closed. */
export async function evaluateDone(
  deps: DoneDeps,
  incidentIds: readonly string[] | null,
  { tally, signal }: { tally: DoneTally; signal: AbortSignal },
): Promise<void> {
  let afterId = NIL;
  const takenMs = new Map<string, number>();
  while (!signal.aborted) {
    const rows = await scriptedEvidences(deps.db, incidentIds, { afterId, limit: PAGE });
    for (const row of rows) {
      if (signal.aborted) return;
      const beforeMs = takenMs.get(row.incident_id) ?? 0;
      if (beforeMs > MAX_SCRIPTS_MS) continue;
      const startedMs = deps.now();
      await evaluateOne(deps, row, tally);
      const afterMs = beforeMs + Math.max(0, deps.now() - startedMs);
      takenMs.set(row.incident_id, afterMs);
      if (afterMs > MAX_SCRIPTS_MS) tally.errors.push(`incident ${row.incident_id}: ${MESSAGES.tooSlow}`);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    afterId = last.id;
  }
}

function endingOf({
  episode_id: ruleMatchId,
  rule_spec: spec,
  healthy_since: since,
}: SettlingRow): RuleEnding | null {
  const parsed = incidentRuleSpecSchema.safeParse(spec);
  if (ruleMatchId === null || !parsed.success) return null;
  const { autoResolve, autoClose } = parsed.data;
  const ms = (ending: { timeout: string } | undefined) =>
    ending === undefined ? null : parseDuration(ending.timeout);
  return {
    healthySinceMs: since === null ? null : Date.parse(since),
    autoResolveMs: ms(autoResolve),
    autoCloseMs: ms(autoClose),
  };
}

function settlementOf(row: SettlingRow, nowMs: number): Settlement {
  return nextIncidentState({
    status: row.status,
    evidences: row.evidences,
    before: row.is_done === null ? null : { isDone: row.is_done, doneIds: row.done_ids ?? [] },
    ending: endingOf(row),
    nowMs,
  });
}

/** True when all that would be written is there already. */
function isSettled(row: SettlingRow, { to, state, dueMs }: Settlement): boolean {
  const knownDueMs = row.due_at === null ? null : Date.parse(row.due_at);
  return (
    to === null &&
    state.isDone === row.is_done &&
    state.doneIds.join() === row.done_ids?.join() &&
    (row.episode_id === null || dueMs === knownDueMs)
  );
}

/**
 * Those of the incidents that have something to be moved on by, read together: of thousands nearly all stay as they are,
 * and a transaction for each kept a server busy for minutes. What changes after the look wakes the next round.
 */
export async function incidentsToAdvance(
  { db, now }: DoneDeps,
  incidentIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < incidentIds.length && !signal.aborted; start += PAGE) {
    const rows = await settlingRows(db, incidentIds.slice(start, start + PAGE));
    const moving = rows.filter((row) => !isSettled(row, settlementOf(row, now())));
    found.push(...moving.map(({ id }) => id));
  }
  return found;
}

/** Moves one incident on, if there is anything to move it. */
export async function advanceIncident(deps: DoneDeps, incidentId: string, tally: DoneTally): Promise<void> {
  const moved = await deps.db.transaction(async (tx) => {
    const row = await lockForSettling(tx, incidentId);
    if (row === null) return null;
    const settled = settlementOf(row, deps.now());
    await actAs(tx, deps.systemId);
    if (settled.to !== null) await setStatus(tx, incidentId, settled.to);
    await storeDoneState(tx, incidentId, settled.state);
    if (row.episode_id !== null)
      await noteDue(tx, row.episode_id, settled.dueMs === null ? null : new Date(settled.dueMs));
    return settled.to;
  });
  if (moved === 'resolved') tally.resolved += 1;
  if (moved === 'open') tally.reopened += 1;
  if (moved === 'closed') tally.closed += 1;
}
