import { errorText } from '../../contract/errors.ts';
import type {
  EvidenceType,
  HypothesisStatus,
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
} from '../../domain/incident/incident.ts';

const statuses = {
  new: 'New',
  open: 'Open',
  investigating: 'Investigating',
  mitigated: 'Mitigated',
  resolved: 'Resolved',
  closed: 'Closed',
} satisfies Record<IncidentStatus, string>;

const severities = {
  info: 'Info',
  warning: 'Warning',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  blocker: 'Blocker',
  critical: 'Critical',
} satisfies Record<IncidentSeverity, string>;

const types = {
  cost: 'Cost',
  availability: 'Availability',
  performance: 'Performance',
  security: 'Security',
  integration: 'Integration',
  compliance: 'Compliance',
  technicalDebt: 'Technical debt',
  reliability: 'Reliability',
} satisfies Record<IncidentType, string>;

const hypothesisStatuses = {
  proven: 'Proven',
  likely: 'Likely',
  possible: 'Possible',
  unlikely: 'Unlikely',
  improbable: 'Improbable',
  disproven: 'Disproven',
} satisfies Record<HypothesisStatus, string>;

const evidenceTypes = {
  log: 'Log',
  config: 'Config',
  topology: 'Component',
  check: 'Check',
  config_analysis: 'Insight',
  config_change: 'Change',
  comment: 'Comment',
} satisfies Record<EvidenceType, string>;

/** Words that the list and every part of the page share. */
export const messages = {
  words: { statuses, severities, types, hypothesisStatuses, evidenceTypes },
  unnumbered: 'New',
  arrivedLate: (written: string, arrived: string) => `written ${written}, arrived ${arrived}`,
  unnumberedHint: 'The server gives it a number',
  picker: {
    loading: '…',
    search: { person: 'Search people', author: 'Search people', component: 'Search components' },
    clearSearch: 'Clear search',
    noMatch: 'Nothing here has that name',
    more: (count: number) => `${count.toLocaleString()} more: type to find them`,
    button: (label: string, chosen: string) => `${label}: ${chosen}`,
  },
  statusFailed: 'Incident status updated failed',
  statusChanged: (name: string, status: string) => `${name}: ${status}`,
  undo: 'Undo',
  errorText,
} as const;
