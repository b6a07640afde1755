/**
 * A live query: remembers what was sent and sends only what differs. A new question is answered before
 * the call returns, so that typing never waits for anything else.
 * Invariants: the other side takes in every patch, in order; it keeps the rows of the window that was sent last.
 */
import type { LivePatch, LiveQuestion, LiveRow } from '../../../src/contract/live-query.ts';
import type { EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import { liveAnswer, type LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import { filterOf } from '../../../src/contract/row-index/row-filter.ts';

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
    const { frame, rows } = liveAnswer(source, question);
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
