/** What a caller of the changes search may ask, and what it means (contract §6.5, schema §5.5). */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { parseLabelSelector } from '../../../src/domain/label-selector.ts';
import type { LabelRequirement } from '../../../src/domain/label-selector.ts';
import { isEmptyList, parseMatchList } from '../../../src/domain/match-list.ts';
import type { MatchList } from '../../../src/domain/match-list.ts';
import { dateMathText, isExactMoment } from '../../../src/domain/time/date-math.ts';
import { SORT_COLUMNS } from '../search/changes-query.ts';
import type { ChangesSearch, ListField, SortColumn } from '../search/changes-query.ts';
import { decodePercent } from '../../replication/data-api/parse/query-string.ts';

const DEFAULT_PAGE_SIZE = 50;
/** The data API's own cap; more rows than this are an export, not a page. */
const MAX_PAGE_SIZE = 2000;
const MAX_DEPTH = 50;
const DEFAULT_DEPTH = 5;
/** Texts of a request; longer ones are no filter that a person wrote. */
const MAX_TEXT = 10_000;
const LOCAL_AGENT = '00000000-0000-0000-0000-000000000000';

/** Text that may be null or left out; both say nothing. */
const text = z
  .string()
  .max(MAX_TEXT)
  .nullish()
  .transform((value) => value?.trim() ?? '');
const flag = z
  .union([z.boolean(), z.enum(['true', 'false', ''])])
  .nullish()
  .transform((value) => value === true || value === 'true');
const count = (fallback: number, limit: number) =>
  z
    .union([z.number(), z.string().regex(/^\d*$/, 'must be a whole number')])
    .nullish()
    .transform((value) => (value === '' || value === null || value === undefined ? fallback : Number(value)))
    .pipe(z.number().int('must be a whole number').min(0).max(limit))
    // Zero is Go's "not given".
    .transform((value) => (value === 0 ? fallback : value));

const sortSchema = text.transform((value, context) => {
  const isDescending = value === '' || value.startsWith('-');
  const column = value === '' ? 'created_at' : value.replace(/^-/, '');
  if (Object.hasOwn(SORT_COLUMNS, column)) return { column: column as SortColumn, isDescending };
  context.addIssue({ code: 'custom', message: `must be one of ${Object.keys(SORT_COLUMNS).join(', ')}` });
  return z.NEVER;
});

const tagsSchema = text.transform((value, context): LabelRequirement[] => {
  const parsed = parseLabelSelector(value);
  if (parsed.ok) return parsed.requirements;
  context.addIssue({ code: 'custom', message: `"${parsed.part}" is no selector such as k=v or k in (a,b)` });
  return z.NEVER;
});

export const changesSchema = z.object({
  id: text,
  recursive: z.enum(['none', 'downstream', 'upstream', 'all', '']).nullish(),
  depth: count(DEFAULT_DEPTH, MAX_DEPTH),
  soft: flag,
  include_deleted_configs: flag,
  config_type: text,
  type: text,
  severity: text,
  summary: text,
  source: text,
  created_by: text,
  external_created_by: text,
  agent_id: text,
  tags: tagsSchema,
  from: text,
  to: text,
  page: count(1, 1_000_000),
  page_size: count(DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  sort_by: sortSchema,
});
type ChangesRequest = z.output<typeof changesSchema>;

/** Worst first. */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** A known level means that one or worse; a leading `!` excludes exactly; anything else lets all through. */
function severityList(severity: string): MatchList {
  if (severity.startsWith('!')) return parseMatchList(severity);
  const place = SEVERITIES.indexOf(severity);
  return parseMatchList(SEVERITIES.slice(0, place + 1).join(','));
}

function agentList(text: string): MatchList {
  return parseMatchList(text.replace(/(^|,)(\s*!?)local(?=\s*(?:,|$))/g, `$1$2${LOCAL_AGENT}`));
}

function listsOf(request: ChangesRequest): ChangesSearch['lists'] {
  const all: [ListField, MatchList][] = [
    ['configType', parseMatchList(request.config_type)],
    ['changeType', parseMatchList(request.type)],
    ['severity', severityList(request.severity)],
    ['source', parseMatchList(request.source, decodePercent)],
    ['summary', parseMatchList(request.summary, decodePercent)],
    ['createdBy', parseMatchList(request.created_by, decodePercent)],
    ['externalCreatedBy', parseMatchList(request.external_created_by, decodePercent)],
    ['agent', agentList(request.agent_id)],
    ...(isConfigId(request.id) ? [] : [['id', parseMatchList(request.id)] as [ListField, MatchList]]),
  ];
  return Object.fromEntries(all.filter(([, list]) => !isEmptyList(list)));
}

const isConfigId = (id: string) => z.guid().safeParse(id).success;

function moment(field: 'from' | 'to', text: string, nowMs: number): string | null {
  if (text === '') return null;
  const at = dateMathText(text, nowMs);
  if (at !== null) return at;
  throw new AppError('invalid', `${field}: "${text}" is no time; write now-2d, now/d or a date`);
}

const SNAPPED = /\/(ms|[smhdwMy])$/;

/** The time of the last change that was seen goes on after it; a day, or so long ago, begins with its first moment. */
function startOf(text: string, nowMs: number): ChangesSearch['from'] {
  const at = moment('from', text, nowMs);
  return at === null ? null : { at, isAfter: isExactMoment(text) };
}

/**
 * The window asked for. The picker's "Today" sends the same snapped expression for both ends; that means the
 * whole of that day, not the empty moment at its start.
 */
function windowOf({ from, to }: ChangesRequest, nowMs: number): Pick<ChangesSearch, 'from' | 'to'> {
  if (from === '' && to === '') return { from: startOf('now-2d', nowMs), to: null };
  const unit = from === to ? SNAPPED.exec(from)?.[1] : undefined;
  const window = {
    from: startOf(from, nowMs),
    to: moment('to', unit === undefined ? to : `${to}+1${unit}`, nowMs),
  };
  if (window.from !== null && window.to !== null && window.from.at >= window.to) {
    throw new AppError('invalid', 'from: must lie before to');
  }
  return window;
}

/** The search that a request describes. */
export function changesSearch(request: ChangesRequest, nowMs: number): ChangesSearch {
  const recursive = request.recursive ?? 'downstream';
  return {
    around: isConfigId(request.id)
      ? {
          configId: request.id,
          reach: recursive === '' ? 'none' : recursive,
          depth: request.depth,
          isSoftToo: request.soft,
        }
      : null,
    lists: listsOf(request),
    tags: request.tags,
    ...windowOf(request, nowMs),
    isDeletedToo: request.include_deleted_configs,
    sort: request.sort_by,
    limit: request.page_size,
    offset: (request.page - 1) * request.page_size,
  };
}
