/** How far a responder is (spec 3 §4): steps with their times, and who may say so. */
import { effectiveRoles } from '../access/matrix.ts';

export const PROGRESS_STEPS = ['acknowledged', 'resolved', 'closed'] as const;
export type ProgressStep = (typeof PROGRESS_STEPS)[number];

export type ProgressTimes = { created_at: string } & Readonly<Record<ProgressStep, string | null>>;

/** How long it took until somebody acknowledged, ms; null while nobody has. */
export function msToAcknowledge({ created_at: created, acknowledged }: ProgressTimes): number | null {
  if (acknowledged === null) return null;
  const ms = Date.parse(acknowledged) - Date.parse(created);
  // The clocks of two systems may disagree by a moment.
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The furthest step that was taken. */
export function furthestStep(times: ProgressTimes): ProgressStep | 'created' {
  return PROGRESS_STEPS.findLast((step) => times[step] !== null) ?? 'created';
}

export interface ProgressTeller {
  id: string;
  roles: readonly string[];
}

export interface ProgressSubject {
  personId: string | null;
  /** Members of the responding team. */
  memberIds: readonly string[];
  /** Commander of the incident. */
  commanderId: string | null;
}

/**
 * True for the responder, a member of the responding team, the incident's commander, and an administrator or
 * commander by role. Write access to responders is asked apart.
 */
export function mayTellProgress(teller: ProgressTeller, subject: ProgressSubject): boolean {
  const { personId, memberIds, commanderId } = subject;
  if ([personId, commanderId, ...memberIds].includes(teller.id)) return true;
  return effectiveRoles(teller.roles).some((role) => role === 'admin' || role === 'commander');
}
