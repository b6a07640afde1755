import { errorText } from '../../../contract/errors.ts';

/** What the dialog 'Link to Incident' says (spec 3 §2, §5). */
export const messages = {
  title: 'Link to Incident',
  attaching: 'What is attached',
  incident: 'Incident',
  incidentSearch: 'Search incidents, or type the title of a new one',
  hypothesis: 'Hypothesis',
  hypothesisSearch: 'Search hypotheses, or type a new one',
  hypothesisHint: 'Without one, it is attached to the incident’s own.',
  hypothesisFirst: 'Choose an incident first',
  type: 'Type',
  severity: 'Severity',
  choose: 'Choose …',
  create: (title: string) => `Create “${title}”`,
  isNew: 'New',
  change: 'Change',
  changeOf: (label: string) => `Change ${label.toLowerCase()}`,
  noIncidents: 'There are no incidents matching this criteria',
  noHypotheses: 'There is no hypothesis of that name',
  more: (count: number) => `${count.toLocaleString()} more: search for them`,
  submit: 'Link',
  submitting: 'Linking..',
  done: 'Linked to incident successfully',
  open: 'Open incident',
  forbidden: 'You may not add evidence to incidents.',
  partly: (sent: number, all: number, why: string) =>
    `${sent} of ${all} steps are saved on this device, then: ${why} Link again to go on from there.`,
  errors: {
    incident: 'Must select or create an incident',
    hypothesis: 'Must select or create a hypothesis',
    severity: 'Please select incident severity',
    type: 'Please select an incident type',
  },
  errorText,
} as const;
