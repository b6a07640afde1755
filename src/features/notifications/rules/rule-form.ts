/** A rule's form as its row, and back (contract §9, §19.7). Names of values are those of the columns where there is one. */
import { z } from 'zod';
import type { RuleRow } from '../../../contract/http/notifications/notification-views.ts';
import { parseDuration } from '../../../domain/check/duration.ts';
import { waitForMs } from '../../../domain/notification/notification-rule.ts';
import { ruleProblems } from '../../../domain/notification/rule-problems.ts';
import { recordOf } from '../../../lib/is-record.ts';
import { labelPairs, labelsOf } from '../../../ui/form/labels.ts';
import { messages } from './messages.ts';

export const RECIPIENTS = ['person', 'team', 'service'] as const;
type RecipientKind = (typeof RECIPIENTS)[number];

const NANOS_A_MS = 1_000_000;
const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

const values = z.object({
  title: z.string(),
  events: z.array(z.string()),
  filter: z.string(),
  recipient: z.enum(RECIPIENTS),
  person_id: z.string(),
  team_id: z.string(),
  connection: z.string(),
  url: z.string(),
  repeat_interval: z.string(),
  wait_for: z.string(),
  group_by: z.string(),
  template: z.string(),
  properties: z.array(z.object({ key: z.string(), value: z.string() })),
});
export type RuleValues = z.input<typeof values>;

type Services = readonly Readonly<Record<string, unknown>>[];
const servicesOf = (row: RuleRow | null): Services => row?.custom_services ?? [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const orNone = (text: string): string | null => text.trim() || null;

/** How many services the form leaves as they are. */
export const otherServices = (row: RuleRow | null): number => Math.max(0, servicesOf(row).length - 1);

/** `90s`, `5m`: in the largest unit that says it whole; empty for none. */
function durationText(ms: number): string {
  if (ms === 0) return '';
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

function recipientOf(row: RuleRow | null): RecipientKind {
  if ((row?.team_id ?? '') !== '') return 'team';
  return servicesOf(row).length > 0 ? 'service' : 'person';
}

/** What the form starts with. */
export function ruleValues(row: RuleRow | null): RuleValues {
  const { connection, url } = recordOf(servicesOf(row)[0]);
  return {
    title: row?.title ?? '',
    events: row?.events ?? [],
    filter: row?.filter ?? '',
    recipient: recipientOf(row),
    person_id: row?.person_id ?? '',
    team_id: row?.team_id ?? '',
    connection: textOf(connection),
    url: textOf(url),
    repeat_interval: row?.repeat_interval ?? '',
    wait_for: durationText(waitForMs(row?.wait_for ?? null)),
    group_by: (row?.group_by ?? []).join(', '),
    template: row?.template ?? '',
    properties: labelPairs(row?.properties),
  };
}

/** The service that the form shows, with what it doesn't show of it; the others as they are. */
function newServices({ connection, url }: RuleValues, before: Services): Services {
  const [{ connection: _c, url: _u, ...rest } = {}, ...others] = before;
  const where = connection !== '' ? { connection } : { url: url.trim() };
  return [{ ...rest, ...where }, ...others];
}

/** Exactly one kind of recipient is kept (spec 2 §4). */
function recipientColumns(form: RuleValues, row: RuleRow | null): Record<string, unknown> {
  const { recipient } = form;
  const hasService = form.connection !== '' || form.url.trim() !== '';
  return {
    person_id: recipient === 'person' ? orNone(form.person_id) : null,
    team_id: recipient === 'team' ? orNone(form.team_id) : null,
    custom_services: recipient === 'service' && hasService ? newServices(form, servicesOf(row)) : null,
  };
}

/** The row's columns. */
export function ruleColumns(form: RuleValues, row: RuleRow | null): Record<string, unknown> {
  const groups = form.group_by.split(',').map((name) => name.trim());
  const waitMs = parseDuration(form.wait_for.trim());
  const named = groups.filter(Boolean);
  return {
    title: orNone(form.title),
    events: form.events,
    filter: orNone(form.filter),
    ...recipientColumns(form, row),
    repeat_interval: orNone(form.repeat_interval),
    wait_for: waitMs === null ? null : waitMs * NANOS_A_MS,
    group_by: named.length === 0 ? null : named,
    template: orNone(form.template),
    properties: labelsOf(form.properties),
  };
}

/** What the server says after the name of a field, by itself. */
const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Where the form shows what is wrong with a column. */
function fieldOf(field: string, { recipient }: RuleValues): string {
  const column = field.split('[')[0] ?? '';
  const isRecipient = ['person_id', 'team_id', 'custom_services'].includes(column);
  if (!isRecipient) return column;
  return { person: 'person_id', team: 'team_id', service: 'connection' }[recipient];
}

/** The schema of the form: what the server refuses is refused here (`ruleProblems`). */
export function ruleSchema(row: RuleRow | null) {
  return values.superRefine((form, context) => {
    for (const { field, message } of ruleProblems(ruleColumns(form, row), true))
      context.addIssue({
        code: 'custom',
        path: [fieldOf(field, form)],
        message: field === 'person_id' ? messages.form.nobody : sentence(message),
      });
    const wait = form.wait_for.trim();
    if (wait !== '' && parseDuration(wait) === null)
      context.addIssue({ code: 'custom', path: ['wait_for'], message: sentence(messages.form.notADuration) });
  });
}
