/**
 * The search over changes (contract §6.5) as a rule: which changes a question finds. The question is the request's
 * body, so that the device and the server are asked the very same thing; the server's own version is SQL.
 */
import { matchesLabels, parseLabelSelector, type LabelRequirement } from '../label-selector.ts';
import { matchesList, parseMatchList, type MatchList } from '../match-list.ts';
import { evaluateDateMath } from '../time/date-math.ts';

/** What can be sorted by; the server refuses anything else. */
export const CHANGE_SORTS = ['created_at', 'name', 'change_type', 'summary', 'source', 'count'] as const;

/** `none` is the item alone; downstream is what it points to. */
export const REACHES = ['none', 'downstream', 'upstream', 'all'] as const;
export type Reach = (typeof REACHES)[number];

/** Worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** How far a walk along relationships goes. */
export const REACH_DEPTH = 5;

/** The request's body; an empty text asks for nothing in particular. */
export interface ChangesQuestion {
  /** One item and what is related to it, or a match list; empty for all. */
  id: string;
  recursive: Reach;
  depth: number;
  include_deleted_configs: boolean;
  config_type: string;
  type: string;
  severity: string;
  /** Entries are percent-encoded. */
  summary: string;
  source: string;
  created_by: string;
  /** A label selector over the item's tags. */
  tags: string;
  /** Date math or an instant. */
  from: string;
  to: string;
  /** From 1. */
  page: number;
  page_size: number;
  /** `-created_at`: descending. */
  sort_by: string;
}

export const NO_QUESTION: ChangesQuestion = {
  id: '',
  recursive: 'none',
  depth: REACH_DEPTH,
  include_deleted_configs: false,
  config_type: '',
  type: '',
  severity: '',
  summary: '',
  source: '',
  created_by: '',
  tags: '',
  from: 'now-2d',
  to: '',
  page: 1,
  page_size: 200,
  sort_by: '-created_at',
};

/** What of a change is searched. */
export interface SearchedChange {
  config_id: string;
  change_type?: string | null;
  severity?: string | null;
  source?: string | null;
  summary?: string | null;
  created_by?: string | null;
  external_created_by?: string | null;
  created_at: string;
}

/** What of its item. */
export interface SearchedItem {
  type?: string | null;
  tags?: Readonly<Record<string, unknown>> | null;
  deleted_at?: string | null;
}

/** An entry of a list, decoded; what is no percent-encoding stays as it is. */
function decoded(entry: string): string {
  try {
    return decodeURIComponent(entry);
  } catch (error) {
    if (error instanceof URIError) return entry;
    throw error;
  }
}

/** A known level means that one or worse; a leading `!` excludes exactly; anything else lets all through. */
function severityList(severity: string): MatchList {
  if (severity.startsWith('!')) return parseMatchList(severity);
  const place = SEVERITIES.findIndex((known) => known === severity);
  return parseMatchList(SEVERITIES.slice(0, place + 1).join(','));
}

function requirementsOf(tags: string): readonly LabelRequirement[] {
  const parsed = parseLabelSelector(tags);
  return parsed.ok ? parsed.requirements : [];
}

export interface ChangesWindow {
  fromMs: number | null;
  toMs: number | null;
}

/** The stretch of time that is asked for; without one, the last two days. */
export function changesWindow({ from, to }: ChangesQuestion, nowMs: number): ChangesWindow {
  if (from === '' && to === '') return { fromMs: evaluateDateMath('now-2d', nowMs), toMs: null };
  return {
    fromMs: from === '' ? null : evaluateDateMath(from, nowMs),
    toMs: to === '' ? null : evaluateDateMath(to, nowMs),
  };
}

export type PassesChange = (change: SearchedChange, item: SearchedItem | null) => boolean;

/**
 * Whether a change is found, but for where it is (`reached` of the item asked about). An item that isn't there any
 * more counts as deleted.
 */
export function changesFilter(question: ChangesQuestion, nowMs: number): PassesChange {
  const { fromMs, toMs } = changesWindow(question, nowMs);
  const changeType = parseMatchList(question.type);
  const configType = parseMatchList(question.config_type);
  const severity = severityList(question.severity);
  const source = parseMatchList(question.source, decoded);
  const summary = parseMatchList(question.summary, decoded);
  const createdBy = parseMatchList(question.created_by, decoded);
  const tags = requirementsOf(question.tags);
  const mayBeDeleted = question.include_deleted_configs;
  return (change, item) => {
    const atMs = Date.parse(change.created_at);
    if ((fromMs !== null && atMs < fromMs) || (toMs !== null && atMs > toMs)) return false;
    if (!mayBeDeleted && (item === null || (item.deleted_at ?? null) !== null)) return false;
    return (
      matchesList(changeType, change.change_type) &&
      matchesList(severity, change.severity) &&
      matchesList(source, change.source) &&
      matchesList(summary, change.summary) &&
      matchesList(createdBy, change.created_by, change.external_created_by) &&
      matchesList(configType, item?.type) &&
      matchesLabels(tags, item?.tags ?? null)
    );
  };
}

export interface Link {
  config_id: string;
  related_id: string;
  relation: string | null;
}

function walk(links: readonly Link[], start: string, step: (link: Link) => [string, string]): Set<string> {
  const reached = new Set([start]);
  let frontier = new Set([start]);
  for (let depth = 0; depth < REACH_DEPTH && frontier.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const link of links) {
      const [here, there] = step(link);
      if (frontier.has(here) && !reached.has(there)) next.add(there);
    }
    for (const id of next) reached.add(id);
    frontier = next;
  }
  return reached;
}

/** The items whose changes count: along hard links; `all` takes every link, in either direction. */
export function reachedItems(links: readonly Link[], configId: string, reach: Reach): ReadonlySet<string> {
  if (reach === 'none') return new Set([configId]);
  const followed = reach === 'all' ? links : links.filter(({ relation }) => relation === 'hard');
  const down =
    reach === 'upstream' ? [] : walk(followed, configId, (link) => [link.config_id, link.related_id]);
  const up =
    reach === 'downstream' ? [] : walk(followed, configId, (link) => [link.related_id, link.config_id]);
  return new Set([...down, ...up]);
}

/** The ids that a question without one item is about. */
export function idFilter(question: ChangesQuestion): (configId: string) => boolean {
  const list = parseMatchList(question.id);
  return (configId) => matchesList(list, configId);
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The one item that the question is about; null when it is about many. */
export function itemOf({ id }: ChangesQuestion): string | null {
  return GUID.test(id) ? id : null;
}

/** How far back changes are kept on a device (design §4). */
const KEPT_MS = 7 * 86_400_000;

/** Whether everything that is asked for can be on a device that keeps the last seven days. */
export function isWithinRetention(question: ChangesQuestion, nowMs: number): boolean {
  const { fromMs } = changesWindow(question, nowMs);
  // A minute's grace: `now-7d` is meant as what is kept.
  return fromMs !== null && fromMs >= nowMs - KEPT_MS - 60_000;
}

/** As many as a device keeps at most; the oldest go first. */
export const MAX_STORED_CHANGES = 50_000;
