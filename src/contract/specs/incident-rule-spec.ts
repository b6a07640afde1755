/**
 * What an incident rule says (schema §8.2): which subjects it watches, when they are bad enough, what incident it
 * opens for each, and when that ends by itself. Unlike other specifications it has no unknown fields: a misspelt one
 * would be an alarm that never comes.
 */
import { z } from 'zod';
import { parseDuration } from '../../domain/check/duration.ts';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';
import { isTimeZone, WEEKDAYS } from '../../domain/incident/rule-hours.ts';
import { selector, text, texts } from './spec-parts.ts';

const duration = z
  .string()
  .refine((value) => (parseDuration(value) ?? -1) >= 0, 'is not a duration such as 90s, 10m or 2h')
  .describe('A duration such as 90s, 10m or 2h');

const clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day such as 08:30')
  .describe('Time of day, 00:00 to 23:59');

/** Severity and type are written in any case; a type also as the backend's own `technical_debt`. */
const lowered = <Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const plain = (word: string) => word.toLowerCase().replaceAll('_', '');
    return values.find((known) => plain(known) === plain(value)) ?? value;
  }, z.enum(values));

const person = z.string().min(1).describe('A person: id, e-mail or name');

const template = z.strictObject({
  title: z
    .string()
    .min(1)
    .optional()
    .describe('Go template over subject, component, check, config and rule; by default "<name> is <status>"'),
  description: z.string().optional().describe('Go template over the same'),
  type: lowered(INCIDENT_TYPES).optional(),
  status: lowered(INCIDENT_STATUSES).optional(),
  severity: lowered(INCIDENT_SEVERITIES).optional(),
  created_by: person.optional(),
  commander_id: person.optional(),
  communicator_id: person.optional(),
});

const filter = z.strictObject({
  status: texts.optional().describe('Health or status, with ! and *; by default unhealthy and error'),
  severity: texts.optional().describe("A check's severity, or that of an open insight of the config"),
  category: texts.optional().describe("A check's category, or the type of an open insight of the config"),
  age: duration.optional().describe('How long it has to be so already'),
});

const hours = z.strictObject({
  start: clock,
  end: clock,
  negate: z.boolean().optional().describe('Outside of these hours'),
  days: z.array(z.enum(WEEKDAYS)).optional().describe('Days on which it starts; by default all'),
  tz: z.string().refine(isTimeZone, 'is not a time zone such as Europe/Berlin').optional(),
});

const ending = z.strictObject({ timeout: duration.describe('How long the subject has to be healthy') });

/** Who is asked through which system: a team whose specification knows the system, or a person. */
const responder = z
  .looseObject({ team: z.string().min(1).optional(), person: z.string().min(1).optional() })
  .refine(
    (entry) => (entry.team === undefined) !== (entry.person === undefined),
    'names neither a team nor a person: add team: <name>',
  );

export type RuleResponder = z.output<typeof responder>;
const RESPONDER_TYPES = [
  'email',
  'jira',
  'ms_planner',
  'servicenow',
  'service_now',
  'aws',
  'aws_support',
  'ams',
  'aws_ams_services_request',
  'gcp',
  'slack',
  'teams',
  'teamsUser',
  'github',
  'webhook',
] as const;

const responders = z.partialRecord(
  z.enum(RESPONDER_TYPES),
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(responder)),
);

const selectors = z.array(selector).optional();

export const incidentRuleSpecSchema = z
  .strictObject({
    name: text.optional(),
    description: z.string().optional(),
    components: selectors,
    checks: selectors,
    configs: selectors,
    filter: filter.optional(),
    template: template.optional(),
    autoAssignOwner: z.boolean().optional().describe("The subject's owner becomes commander"),
    priority: z.int().optional().describe('Rules with a lower number come first'),
    breakOnMatch: z.boolean().optional().describe('What matches is not given to later rules'),
    hoursOfOperation: z.array(hours).optional(),
    autoClose: ending.optional(),
    autoResolve: ending.optional(),
    responders: responders.optional(),
  })
  .refine((spec) => [spec.components, spec.checks, spec.configs].some((list) => (list ?? []).length > 0), {
    message: 'Name what the rule watches: components, checks or configs',
    path: ['components'],
  });
export type IncidentRuleSpec = z.output<typeof incidentRuleSpecSchema>;
