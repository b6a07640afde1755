/** Turns `{column}.filter=value` into plain filters before anything else looks at the query (contract §17). */
import { dateMathText } from '../../../../src/domain/time/date-math.ts';
import { DataApiError, clip } from './api-error.ts';
import { decodePercent } from './query-string.ts';
import type { QueryPart } from './query-string.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const SUFFIX = '.filter';

const DATE_COLUMNS: ReadonlySet<string> = new Set([
  'created_at',
  'updated_at',
  'deleted_at',
  'start_time',
  'end_time',
  'time',
  'time_start',
  'time_end',
  'first_observed',
  'last_observed',
  'last_seen',
  'last_received',
  'backlog_since',
  'last_runtime',
  'next_runtime',
  'last_transition_time',
  'last_scraped_time',
  'last_login',
  'last_attempt',
  'scheduled_time',
  'silenced_at',
  'expires_at',
  'check_time',
  'acknowledged',
  'resolved',
  'closed',
]);

const COMPARISONS = lookupTable<string>({ '=': 'eq', '>': 'gt', '<': 'lt' });

function dateFilter(column: string, value: string, nowMs: number): QueryPart {
  const operator = COMPARISONS[value.charAt(0)];
  const moment = dateMathText(operator === undefined ? value : value.slice(1), nowMs);
  if (moment === null) {
    throw new DataApiError(400, {
      code: 'PGRST100',
      message: `"${clip(column)}${SUFFIX}" is not a date expression`,
      hint: 'now-2d, now/d or a date, led by >, < or =',
    });
  }
  return { name: column, value: `${operator ?? 'lt'}.${moment}` };
}

const quoted = (items: readonly string[]) =>
  items.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',');

const isPattern = (item: string) => item.startsWith('*') || item.endsWith('*');

function listFilters(column: string, value: string): QueryPart[] {
  const items = value
    .split(',')
    // Some callers encode each item once more, so that its commas survive.
    .map((item) => decodePercent(item).trim())
    .filter((item) => item !== '' && item !== '!');
  const wanted = items.filter((item) => !item.startsWith('!'));
  const refused = items.filter((item) => item.startsWith('!')).map((item) => item.slice(1));
  const exact = wanted.filter((item) => !isPattern(item));
  const exactRefused = refused.filter((item) => !isPattern(item));
  return [
    ...(exact.length > 0 ? [`in.(${quoted(exact)})`] : []),
    ...(exactRefused.length > 0 ? [`not.in.(${quoted(exactRefused)})`] : []),
    ...wanted.filter(isPattern).map((item) => `like.${item}`),
    ...refused.filter(isPattern).map((item) => `not.like.${item}`),
  ].map((filter) => ({ name: column, value: filter }));
}

const PACKED = /^&(\w+\.filter)=(.*)$/s;

/** The original catalog list sends `status` with the value `&status.filter=a,!b` (contract §6.2); this is what it means. */
function unpackFilter(part: QueryPart): QueryPart {
  const [, name, value = ''] = PACKED.exec(part.value) ?? [];
  return name === `${part.name}${SUFFIX}` ? { name, value } : part;
}

/** The parts with every `.filter` replaced; of one given twice the first counts. */
export function rewriteFilters(parts: readonly QueryPart[], nowMs: number): QueryPart[] {
  const seen = new Set<string>();
  return parts.map(unpackFilter).flatMap((part) => {
    if (!part.name.endsWith(SUFFIX)) return [part];
    if (seen.has(part.name) || part.value === '') return [];
    seen.add(part.name);
    const column = part.name.slice(0, -SUFFIX.length);
    return DATE_COLUMNS.has(column)
      ? [dateFilter(column, part.value, nowMs)]
      : listFilters(column, part.value);
  });
}
