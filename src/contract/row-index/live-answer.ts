/** The answer to a live question from the rows of a collection. */
import type { LiveFrame, LivePatch, LiveQuestion, LiveRow } from '../live-query.ts';
import type { CollectionIndex } from './collection-index.ts';
import type { Entry } from './entry.ts';

/** What is read; another one when a question is about another collection. */
export interface LiveSource {
  index: CollectionIndex;
  isLoaded: () => boolean;
  /** Rows as they are told, where that is more than `liveRow`; the same again are the same objects within. */
  told?: (entries: readonly Entry[]) => LiveRow[];
}

/** Counts of a column with more values than this help nobody; the greatest are kept. */
const MAX_GROUPS = 500;

type GroupValue = LiveFrame['groups'][number]['value'];

/** The most frequent first, equal ones by their text. */
function groupsOf(counts: ReadonlyMap<GroupValue, number>): LiveFrame['groups'] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
    .slice(0, MAX_GROUPS);
}

/** A row as it is told. */
export function liveRow({ row, pending }: Entry): LiveRow {
  return { id: row.id, row, pending };
}

/** The counts of all rows that pass, and the rows of the window. */
export function liveAnswer(
  { index, isLoaded, told }: LiveSource,
  question: Omit<LiveQuestion, 'collection'>,
): { frame: LiveFrame; rows: LiveRow[] } {
  const { total, counts, entries } = index.find(question);
  const rows = told?.(entries) ?? entries.map(liveRow);
  return { frame: { isLoaded: isLoaded(), total, groups: groupsOf(counts) }, rows };
}

/** The same as a listener is told it first. */
export function firstPatch(source: LiveSource, question: Omit<LiveQuestion, 'collection'>): LivePatch {
  const { frame, rows } = liveAnswer(source, question);
  const order = { start: question.window.start, ids: rows.map(({ id }) => id) };
  return { generation: 0, frame, order, ...(rows.length === 0 ? {} : { rows }) };
}
