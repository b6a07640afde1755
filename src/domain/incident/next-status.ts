/** Which status a swipe means (spec 3 §4): one step on, or the trouble is over. */
import { mayBecome, type IncidentStatus } from './incident.ts';

export type Step = 'onwards' | 'resolve';

/** How an incident usually goes on. */
const ONWARDS: Readonly<Record<IncidentStatus, IncidentStatus | null>> = {
  new: 'investigating',
  open: 'investigating',
  investigating: 'mitigated',
  mitigated: 'resolved',
  resolved: 'closed',
  closed: null,
};

/** Where that step leads; null where the transition table has no such step. */
export function statusAfter(from: string, step: Step): IncidentStatus | null {
  const onwards: Readonly<Record<string, IncidentStatus | null>> = ONWARDS;
  const to = step === 'resolve' ? 'resolved' : (onwards[from] ?? null);
  return to !== null && to !== from && mayBecome(from, to) ? to : null;
}

/** Its definition of done is asked for first. */
function endsTheTrouble(status: string): boolean {
  return status === 'mitigated' || status === 'resolved';
}

/**
 * Whether the definition of done is asked for before this change: mitigated and resolved (spec 3 §4), and closing what
 * is not over, which would pass it by.
 */
export function asksForDone(from: string, to: string): boolean {
  return endsTheTrouble(to) || (to === 'closed' && !isOver(from));
}

/** It is over: what the header offers then is to reopen it. */
export function isOver(status: string): boolean {
  return status === 'resolved' || status === 'closed';
}
