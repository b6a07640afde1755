/** What is wrong with a rule or a silence before it is stored: each with its field and what is due. */
import { isTimeZone } from '../../../src/domain/incident/rule-hours.ts';
import { parseLabelSelector } from '../../../src/domain/label-selector.ts';
import { repeatIntervalMs, RULE_EVENTS } from '../../../src/domain/notification/notification-rule.ts';
import { serviceAddress } from '../../../src/domain/notification/service-address.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';

type Row = Readonly<Record<string, unknown>>;

const EVENTS: ReadonlySet<unknown> = new Set(RULE_EVENTS);
const RECIPIENTS = ['person_id', 'team_id', 'custom_services'] as const;

function eventProblems({ events }: Row): DocumentProblem[] {
  if (!Array.isArray(events) || events.length === 0)
    return [{ field: 'events', message: `name at least one event, such as ${RULE_EVENTS[0]}` }];
  return events.flatMap((event: unknown, at) => {
    if (EVENTS.has(event)) return [];
    const message = `${JSON.stringify(event)} is not an event; known are ${RULE_EVENTS.join(', ')}`;
    return [{ field: `events[${at}]`, message }];
  });
}

const isNamed = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== '';

function recipientProblems(row: Row, isNew: boolean): DocumentProblem[] {
  const named = RECIPIENTS.filter((column) => isNamed(row[column]));
  const isWhole = isNew || RECIPIENTS.every((column) => Object.hasOwn(row, column));
  if (named.length > 1)
    return [
      {
        field: named[1] ?? 'team_id',
        message: `a rule tells one kind of recipient; ${named[0]} is set, too`,
      },
    ];
  if (named.length === 0 && isWhole)
    return [{ field: 'person_id', message: 'name who is told: person_id, team_id or custom_services' }];
  return [];
}

function serviceProblem(entry: unknown): string | null {
  const { connection, url } = recordOf(entry);
  if (typeof connection === 'string' && connection !== '') return null;
  if (typeof url !== 'string' || url === '') return 'name a connection or an address to send to';
  if (url.startsWith('connection://') || url.includes('***')) return null;
  const bare = { type: '', username: '', password: '', properties: {}, isInsecureTls: false };
  return serviceAddress({ ...bare, url }) === null
    ? 'is not the address of a service that takes notifications'
    : null;
}

function serviceProblems({ custom_services: services }: Row): DocumentProblem[] {
  if (services === null || services === undefined) return [];
  if (!Array.isArray(services)) return [{ field: 'custom_services', message: 'must be a list of services' }];
  return services.flatMap((entry: unknown, at) => {
    const message = serviceProblem(entry);
    return message === null ? [] : [{ field: `custom_services[${at}]`, message }];
  });
}

function timeProblems({ repeat_interval: interval, wait_for: wait }: Row): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const isText = typeof interval === 'string' && interval.trim() !== '';
  if (isText && repeatIntervalMs(interval) === null)
    problems.push({ field: 'repeat_interval', message: 'is not a duration; write 2h, 1d or 1w' });
  if (typeof wait === 'number' && wait < 0)
    problems.push({ field: 'wait_for', message: 'must not be negative; it counts nanoseconds' });
  return problems;
}

/** Of a rule (schema §7.1); of a change, only what it carries. */
export function ruleProblems(row: Row, isNew: boolean): DocumentProblem[] {
  return [
    ...(isNew || Object.hasOwn(row, 'events') ? eventProblems(row) : []),
    ...recipientProblems(row, isNew),
    ...serviceProblems(row),
    ...timeProblems(row),
  ];
}

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function hoursProblem(window: unknown): string | null {
  const { start, end, tz } = recordOf(window);
  const isClock = (text: unknown) => typeof text === 'string' && CLOCK.test(text);
  if (!isClock(start) || !isClock(end)) return 'start and end are times of day, such as 22:00';
  if (tz !== undefined && (typeof tz !== 'string' || !isTimeZone(tz)))
    return 'tz is not a time zone; write one such as Europe/Berlin';
  return null;
}

/** Of a silence (schema §7.2); of a change, only what it carries. */
export function silenceProblems({ selector, recurrence }: Row): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (typeof selector === 'string' && selector.trim() !== '') {
    const parsed = parseLabelSelector(selector);
    if (!parsed.ok)
      problems.push({
        field: 'selector',
        message: `${JSON.stringify(parsed.part)} is no requirement of labels`,
      });
  }
  if (recurrence === null || recurrence === undefined) return problems;
  if (!Array.isArray(recurrence))
    return [...problems, { field: 'recurrence', message: 'must be a list of hours' }];
  recurrence.forEach((window: unknown, at) => {
    const message = hoursProblem(window);
    if (message !== null) problems.push({ field: `recurrence[${at}]`, message });
  });
  return problems;
}
