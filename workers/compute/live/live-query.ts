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
}

/** Counts of a column with more values than this help nobody; the greatest are kept. */
const MAX_GROUPS = 500;

type GroupValue = LiveFrame['groups'][number]['value'];

function groupValue(value: unknown): GroupValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The most frequent first, equal ones by their text. */
function groupsOf(counts: ReadonlyMap<GroupValue, number>): LiveFrame['groups'] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
    .slice(0, MAX_GROUPS);
}

interface Found {
  frame: LiveFrame;
  entries: Entry[];
}

/** The row that a question about one id is about; undefined for other questions. */
function rowById({ index }: LiveSource, { where }: LiveQuestion): Entry | null | undefined {
  const byId = where.find((condition) => condition.op === 'eq' && condition.field === 'id');
  if (byId?.op !== 'eq') return undefined;
  return typeof byId.value === 'string' ? index.get(byId.value) : null;
}

function answerOf(source: LiveSource, question: LiveQuestion, passes: (entry: Entry) => boolean): Found {
  const { groupBy, window } = question;
  const counts = new Map<GroupValue, number>();
  let total = 0;
  const visit = ({ row }: Entry) => {
    total += 1;
    if (groupBy === null) return;
    const value = groupValue(row[groupBy]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  const one = rowById(source, question);
  let entries: Entry[] = [];
  if (one === undefined) {
    entries = source.index.find({ ...question, passes }, visit);
  } else if (one !== null && passes(one)) {
    visit(one);
    entries = [one].slice(window.start, window.end);
  }
  return { frame: { isLoaded: source.isLoaded(), total, groups: groupsOf(counts) }, entries };
}

function liveRow({ row, pending }: Entry): LiveRow {
  return { id: row.id, row, pending };
}

function isSame(known: Entry | undefined, entry: Entry): boolean {
  if (known === entry) return true;
  // A row that came again as it was isn't news.
  return known !== undefined && JSON.stringify(liveRow(known)) === JSON.stringify(liveRow(entry));
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
  let sent = { frameText: '', orderText: '', entries: new Map<string, Entry>() };

  const send = (isAsked: boolean) => {
    isDirty = false;
    const { frame, entries } = answerOf(source, question, passes);
    const order = { start: question.window.start, ids: entries.map((entry) => entry.row.id) };
    const [frameText, orderText] = [JSON.stringify(frame), JSON.stringify(order)];
    const fresh = entries.filter((entry) => !isSame(sent.entries.get(entry.row.id), entry));
    const patch: LivePatch = {
      generation,
      ...(frameText === sent.frameText ? {} : { frame }),
      ...(orderText === sent.orderText ? {} : { order }),
      ...(fresh.length === 0 ? {} : { rows: fresh.map(liveRow) }),
    };
    sent = { frameText, orderText, entries: new Map(entries.map((entry) => [entry.row.id, entry])) };
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
