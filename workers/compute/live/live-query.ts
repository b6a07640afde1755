/**
 * A live query: remembers what was sent and sends only what differs. A new question is answered before
 * the call returns, so that typing never waits for anything else.
 * Invariants: the other side takes in every patch, in order; it keeps the rows of the window that was sent last.
 */
import type { LiveFrame, LivePatch, LiveQuestion, LiveRow } from '../../../src/contract/live-query.ts';
import type { CollectionIndex, EntryChange } from './collection-index.ts';
import type { Entry } from './entry.ts';
import { filterOf } from './row-filter.ts';

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

interface Found {
  frame: LiveFrame;
  rows: LiveRow[];
}

/** A row as it is told. */
export function liveRow({ row, pending }: Entry): LiveRow {
  return { id: row.id, row, pending };
}

function answerOf({ index, isLoaded, told }: LiveSource, question: LiveQuestion): Found {
  const { total, counts, entries } = index.find(question);
  const rows = told?.(entries) ?? entries.map(liveRow);
  return { frame: { isLoaded: isLoaded(), total, groups: groupsOf(counts) }, rows };
}

function isSame(known: LiveRow | undefined, next: LiveRow): boolean {
  if (known === undefined) return false;
  if (known.row === next.row && known.pending === next.pending && known.team === next.team) return true;
  // A row that came again as it was isn't news.
  return JSON.stringify(known) === JSON.stringify(next);
}

export interface LiveQuery {
  setQuestion(question: LiveQuestion, source: LiveSource): void;
  /** Notes whether the answer may differ now; null when anything may have changed. */
  hear(changes: readonly EntryChange[] | null): void;
  /** Sends the difference, if something was heard and there is one. */
  refresh(): void;
}

/** Opens a query; the listener is called at once with the whole answer. */
export function createLiveQuery(
  first: { question: LiveQuestion; source: LiveSource },
  listener: (patch: LivePatch) => void,
): LiveQuery {
  let { question, source } = first;
  let passes = filterOf(question);
  let generation = 0;
  let isDirty = false;
  let sent = { frameText: '', orderText: '', rows: new Map<string, LiveRow>() };

  const send = (isAsked: boolean) => {
    isDirty = false;
    const { frame, rows } = answerOf(source, question);
    const order = { start: question.window.start, ids: rows.map(({ id }) => id) };
    const [frameText, orderText] = [JSON.stringify(frame), JSON.stringify(order)];
    const fresh = rows.filter((row) => !isSame(sent.rows.get(row.id), row));
    const patch: LivePatch = {
      generation,
      ...(frameText === sent.frameText ? {} : { frame }),
      ...(orderText === sent.orderText ? {} : { order }),
      ...(fresh.length === 0 ? {} : { rows: fresh }),
    };
    sent = { frameText, orderText, rows: new Map(rows.map((row) => [row.id, row])) };
    if (isAsked || Object.keys(patch).length > 1) listener(patch);
  };

  send(true);
  return {
    setQuestion(nextQuestion, nextSource) {
      question = nextQuestion;
      source = nextSource;
      passes = filterOf(question);
      generation += 1;
      send(true);
    },
    hear(changes) {
      isDirty ||=
        changes === null ||
        changes.some(
          ({ before, after }) => (before !== null && passes(before)) || (after !== null && passes(after)),
        );
    },
    refresh() {
      if (isDirty) send(false);
    },
  };
}
