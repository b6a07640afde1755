/** Words of an incident and what may follow what (spec 3 §3, §4; schema §1.3). */

export const INCIDENT_STATUSES = ['new', 'open', 'investigating', 'mitigated', 'resolved', 'closed'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const INCIDENT_SEVERITIES = [
  'info',
  'warning',
  'low',
  'medium',
  'high',
  'blocker',
  'critical',
] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

export const INCIDENT_TYPES = [
  'cost',
  'availability',
  'performance',
  'security',
  'integration',
  'compliance',
  'technicalDebt',
  'reliability',
] as const;
export type IncidentType = (typeof INCIDENT_TYPES)[number];

export const HYPOTHESIS_STATUSES = [
  'proven',
  'likely',
  'possible',
  'unlikely',
  'improbable',
  'disproven',
] as const;
export type HypothesisStatus = (typeof HYPOTHESIS_STATUSES)[number];

export const HYPOTHESIS_TYPES = ['root', 'factor', 'solution'] as const;

export const EVIDENCE_TYPES = [
  'log',
  'config',
  'topology',
  'check',
  'config_analysis',
  'config_change',
  'comment',
] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** Where a status may go from each (spec 3 §4); the current one is always allowed. */
const TARGETS: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
  new: ['open', 'investigating', 'mitigated', 'resolved', 'closed'],
  open: ['investigating', 'mitigated', 'resolved', 'closed'],
  investigating: ['mitigated', 'resolved', 'closed'],
  mitigated: ['resolved', 'closed', 'open'],
  resolved: ['closed', 'open'],
  closed: ['open'],
};

/** For statuses out of rows and links. */
export function isIncidentStatus(text: string): text is IncidentStatus {
  return (INCIDENT_STATUSES as readonly string[]).includes(text);
}

/** What an incident of that status may become, itself first. A word we don't know may become anything. */
export function allowedStatuses(from: string): readonly IncidentStatus[] {
  return isIncidentStatus(from) ? [from, ...TARGETS[from]] : INCIDENT_STATUSES;
}

/** True when an incident may go from one status to another (spec 3 §4; the database says the same). */
export function mayBecome(from: string, to: string): boolean {
  return from === to || (isIncidentStatus(to) && allowedStatuses(from).includes(to));
}
