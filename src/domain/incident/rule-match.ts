/**
 * What becomes of one subject that a rule watches, and of the incident that it has for it (schema §8.2). Pure: knows
 * the subject's health and the time, not where they come from. Invariants: an incident that a person ended while the
 * subject was still unhealthy is not opened again for the same spell; a relapse opens the resolved incident again.
 */
import { mayBecome } from './incident.ts';

export interface RuleMatch {
  /** Null while no incident was opened. */
  incidentStatus: string | null;
  healthySinceMs: number | null;
  /** It was healthy since it last matched. */
  hasRecovered: boolean;
}

export interface SubjectNow {
  isMatching: boolean;
  isHealthy: boolean;
  nowMs: number;
}

export type RuleMatchStep =
  /** Nothing is left to watch; the next match is a new episode. */
  | { kind: 'ends' }
  | { kind: 'goes_on'; healthySinceMs: number | null; hasRecovered: boolean; reopens: boolean };

/** Closed or cancelled; resolved may be opened again by its rule. */
export function isOver(status: string): boolean {
  return status === 'closed' || status === 'cancelled';
}

/** The episode after looking at its subject. */
export function followSubject(
  episode: RuleMatch,
  { isMatching, isHealthy, nowMs }: SubjectNow,
): RuleMatchStep {
  const { incidentStatus, hasRecovered, healthySinceMs } = episode;
  const same = { kind: 'goes_on', reopens: false } as const;
  if (incidentStatus === null)
    return isMatching ? { ...same, healthySinceMs: null, hasRecovered: false } : { kind: 'ends' };
  if (isOver(incidentStatus))
    return isMatching && !hasRecovered ? { ...same, healthySinceMs: null, hasRecovered } : { kind: 'ends' };
  if (isMatching) {
    const reopens = hasRecovered && incidentStatus === 'resolved';
    return { kind: 'goes_on', healthySinceMs: null, hasRecovered: false, reopens };
  }
  if (!isHealthy) return { ...same, healthySinceMs: null, hasRecovered };
  return { ...same, healthySinceMs: healthySinceMs ?? nowMs, hasRecovered: true };
}

/** How a definition of done stood when it was last acted on. */
export interface DoneState {
  isDone: boolean;
  doneIds: readonly string[];
}

export interface DoneEvidence {
  id: string;
  /** Null: nobody has judged it yet. */
  done: boolean | null;
}

/** What the rule that opened an incident says of its end. */
export interface RuleEnding {
  healthySinceMs: number | null;
  autoResolveMs: number | null;
  autoCloseMs: number | null;
}

export interface Settlement {
  /** The status to go to; null to stay. */
  to: 'open' | 'resolved' | 'closed' | null;
  state: DoneState;
  /** When there may be more to do without anything changing; null for never. */
  dueMs: number | null;
}

interface IncidentProgress {
  status: string;
  /** Those of the definition of done. */
  evidences: readonly DoneEvidence[];
  /** Null when it was never acted on. */
  before: DoneState | null;
  /** Null for incidents of people. */
  ending: RuleEnding | null;
  nowMs: number;
}

/** When the subject will have been healthy for that long; null when it isn't healthy or nothing is asked. */
function ripeAt(ending: RuleEnding | null, delayMs: number | null | undefined): number | null {
  const since = ending?.healthySinceMs ?? null;
  return since === null || delayMs === null || delayMs === undefined ? null : since + delayMs;
}

/**
 * Whether the definition of done, or the rule, moves the incident on (schema §8.2): all done resolves it, one that
 * regresses opens a resolved one. What was acted on once is not acted on again, so that a person who opens a done
 * incident, or resolves an undone one, has the last word.
 */
export function nextIncidentState({
  status,
  evidences,
  before,
  ending,
  nowMs,
}: IncidentProgress): Settlement {
  const doneIds = evidences.filter(({ done }) => done === true).map(({ id }) => id);
  const allDone = doneIds.length === evidences.length;
  const resolvesAt = ripeAt(ending, ending?.autoResolveMs);
  const closesAt = ripeAt(ending, ending?.autoCloseMs);
  const isRipe = (at: number | null) => at !== null && at <= nowMs;
  const waits = (ending?.autoResolveMs ?? null) !== null;
  const isDone = allDone && (waits ? isRipe(resolvesAt) : evidences.length > 0);
  const hasRegressed = evidences.some(({ id, done }) => done !== true && before?.doneIds.includes(id));
  const state = { isDone, doneIds };
  const dueMs = [resolvesAt, closesAt].filter((at): at is number => at !== null && at > nowMs);
  const settled = (to: Settlement['to']): Settlement => ({
    to: to !== null && to !== status && mayBecome(status, to) ? to : null,
    state,
    dueMs: dueMs.length === 0 ? null : Math.min(...dueMs),
  });
  if (isOver(status)) return settled(null);
  if (isRipe(closesAt) && allDone) return settled('closed');
  if (hasRegressed && status === 'resolved') return settled('open');
  return settled(isDone && before?.isDone !== true ? 'resolved' : null);
}
