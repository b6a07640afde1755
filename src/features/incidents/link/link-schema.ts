/** What 'Link to Incident' needs before it can link, in the words of spec 3 §5. */
import { z } from 'zod';
import { INCIDENT_SEVERITIES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { messages } from './messages.ts';

const words = messages.errors;

const choiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('existing'), id: z.string(), title: z.string() }),
  z.object({ kind: z.literal('new'), title: z.string() }),
]);
/** Something that is there, or a title for what shall be made. */
export type Choice = z.output<typeof choiceSchema>;

const isAmong = (known: readonly string[], text: string) => known.includes(text);

export const linkSchema = z
  .object({
    incident: choiceSchema.nullable(),
    hypothesis: choiceSchema.nullable(),
    type: z.string(),
    severity: z.string(),
  })
  .superRefine(({ incident, hypothesis, type, severity }, context) => {
    const refuse = (field: keyof typeof words) =>
      context.addIssue({ code: 'custom', path: [field], message: words[field] });
    if (incident === null) refuse('incident');
    // A new incident comes with a hypothesis of its own.
    if (incident?.kind === 'existing' && hypothesis === null) refuse('hypothesis');
    if (incident?.kind !== 'new') return;
    if (!isAmong(INCIDENT_SEVERITIES, severity)) refuse('severity');
    if (!isAmong(INCIDENT_TYPES, type)) refuse('type');
  });
export type LinkValues = z.input<typeof linkSchema>;

/** Spec 3 §5. */
export const LINK_DEFAULTS: LinkValues = {
  incident: null,
  hypothesis: null,
  type: 'availability',
  severity: 'low',
};
