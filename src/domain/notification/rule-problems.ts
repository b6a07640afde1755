/**
 * What is wrong with a rule of notifications before it is stored: each with its field and what is due (schema §7.1). The
 * form and the server ask the same.
 */
import { recordOf } from '../../lib/is-record.ts';
import { celProblem } from './cel-problem.ts';
import { repeatIntervalMs, RULE_EVENTS } from './notification-rule.ts';
import { serviceAddress } from './service-address.ts';

/** `field` is a path such as `custom_services[0]`. */
export interface FieldProblem {
  field: string;
  message: string;
}

type Row = Readonly<Record<string, unknown>>;

const EVENTS: ReadonlySet<unknown> = new Set(RULE_EVENTS);
const RECIPIENTS = ['person_id', 'team_id', 'custom_services'] as const;

function eventProblems({ events }: Row): FieldProblem[] {
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

function recipientProblems(row: Row, isNew: boolean): FieldProblem[] {
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

function serviceProblems({ custom_services: services }: Row): FieldProblem[] {
  if (services === null || services === undefined) return [];
  if (!Array.isArray(services)) return [{ field: 'custom_services', message: 'must be a list of services' }];
  return services.flatMap((entry: unknown, at) => {
    const message = serviceProblem(entry);
    return message === null ? [] : [{ field: `custom_services[${at}]`, message }];
  });
}

function timeProblems({ repeat_interval: interval, wait_for: wait }: Row): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isText = typeof interval === 'string' && interval.trim() !== '';
  if (isText && repeatIntervalMs(interval) === null)
    problems.push({ field: 'repeat_interval', message: 'is not a duration; write 2h, 1d or 1w' });
  if (typeof wait === 'number' && wait < 0)
    problems.push({ field: 'wait_for', message: 'must not be negative; it counts nanoseconds' });
  return problems;
}

/** What an expression is refused for; nothing where the row has none. */
export function filterProblems({ filter }: Row): FieldProblem[] {
  const problem = typeof filter === 'string' ? celProblem(filter) : null;
  return problem === null ? [] : [{ field: 'filter', message: `can not be read: ${problem}` }];
}

const isTextMap = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string');

function propertyProblems({ properties }: Row): FieldProblem[] {
  if (properties === null || properties === undefined || isTextMap(properties)) return [];
  return [{ field: 'properties', message: 'must be names with texts' }];
}

/** Of a rule; of a change, only what it carries. */
export function ruleProblems(row: Row, isNew: boolean): FieldProblem[] {
  return [
    ...(isNew || Object.hasOwn(row, 'events') ? eventProblems(row) : []),
    ...recipientProblems(row, isNew),
    ...serviceProblems(row),
    ...timeProblems(row),
    ...filterProblems(row),
    ...propertyProblems(row),
  ];
}
