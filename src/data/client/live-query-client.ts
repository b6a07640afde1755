/**
 * The page's side of a query with differences: puts them together and publishes whole answers. It owns which
 * question was asked last.
 * Invariants: every difference is taken in, also one of a replaced question, because the next builds on it; but
 * only answers to the question asked last are published, so the old answer stays on screen until the new one is
 * there, and what is typed in a form over it stays too, while the same is looked for anew. What is shown is of the
 * store that is read now: after a hand-over nothing of a former person is, not even from an answer under way. Rows and
 * groups that say the same stay the same objects.
 */
import type { ReplicatedRow } from '../../contract/collections.ts';
import type { LiveQueryName, LiveSubscription } from '../../contract/queries/queries.ts';
import type { LiveFrame, LivePatch, LiveRow } from '../../contract/live-query.ts';
import type { LiveValue } from './live-value.ts';

/** A window of rows that stays current, with what is around it. */
export interface LiveAnswer<Row = ReplicatedRow> extends LiveFrame {
  /** Index of the first of `rows` among all that pass. */
  start: number;
  rows: readonly LiveRow<Row>[];
}

export const NO_ANSWER: LiveAnswer<never> = { isLoaded: false, total: 0, groups: [], start: 0, rows: [] };

/** How the differences of a query add up to an answer. */
export interface Differences<Question, State, Patch extends { generation: number }> {
  open: (question: Question, listener: (patch: Patch) => void) => Promise<LiveSubscription<Question>>;
  /** Until the first answer. */
  empty: State;
  /** What was known together with a difference to it. */
  patched: (known: State, patch: Patch) => State;
  /** Whether the old answer says nothing of the next question, and must go at once. */
  isOther?: (before: Question, next: Question) => boolean;
  /** Whether an answer to the same question says only that it is looked for anew, and what is shown stays meanwhile. */
  isBetween?: (shown: State, next: State) => boolean;
  /** For answers that are cached for the next start. */
  cached?: {
    name: LiveQueryName;
    /** False until the worker has read the store. */
    isLoaded: (state: State) => boolean;
    /** The answer; what it has in common with the cached one is the same objects. */
    replaced: (before: State, next: State) => State;
  };
}

export interface LiveQueryClient<Question, State> {
  /** Asks another question; the same one again costs nothing. */
  setQuestion(question: Question): void;
  /** A cached answer that came late is shown: it stays until the worker has read the store. */
  hold(shown: State): void;
  close(): void;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => Object.is(one, b[at]));
}

/** A window of rows together with a difference to it. */
export function patched(known: LiveAnswer, patch: LivePatch): LiveAnswer {
  const byId = new Map(known.rows.map((row) => [row.id, row]));
  for (const row of patch.rows ?? []) byId.set(row.id, row);
  const ids = patch.order?.ids ?? known.rows.map((row) => row.id);
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const { isLoaded, total, groups } = patch.frame ?? known;
  return {
    isLoaded,
    total,
    groups: JSON.stringify(groups) === JSON.stringify(known.groups) ? known.groups : groups,
    start: patch.order?.start ?? known.start,
    rows: isSameList(rows, known.rows) ? known.rows : rows,
  };
}

/** A whole answer after a cached one, with the rows that say the same being those of before. */
export function replaced(before: LiveAnswer, next: LiveAnswer): LiveAnswer {
  const known = new Map(before.rows.map((row) => [row.id, row]));
  const rows = next.rows.map((found) => {
    const old = known.get(found.id);
    // What the worker doesn't know yet stays as it was.
    const row = old?.team !== undefined && found.team === undefined ? { ...found, team: old.team } : found;
    return old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
  return { ...next, rows };
}

/** How cached answers with rows are taken in. */
export const cachedAs = (name: LiveQueryName) => ({
  name,
  isLoaded: ({ isLoaded }: LiveAnswer) => isLoaded,
  replaced,
});

/** The store was read before and is not now: it is opened or filled anew. */
export function isBetween(shown: LiveAnswer, next: LiveAnswer): boolean {
  return shown.isLoaded && !next.isLoaded;
}

interface Opening<Question, State, Patch extends { generation: number }> extends Omit<
  Differences<Question, State, Patch>,
  'isOther'
> {
  publish: (answer: State) => void;
  report: (error: unknown) => void;
  /** What was shown from the cache until now; null for nothing. */
  shown?: State | null;
  /** Which store is read: each person has their own. */
  storeName: Pick<LiveValue<string | null>, 'subscribe'>;
}

/** Opens a query with differences; `publish` is called with each new answer until it is closed. */
export function openDifferences<Question, State, Patch extends { generation: number }>(
  first: Question,
  options: Opening<Question, State, Patch>,
): LiveQueryClient<Question, State> {
  let question = first;
  let opened = openOnce(first, options);
  const renew = () => {
    opened.close();
    options.publish(options.empty);
    opened = openOnce(question, { ...options, shown: null });
  };
  // Where nothing stays, the worker's next answer takes what was shown away.
  const stop = options.isBetween === undefined ? () => {} : options.storeName.subscribe(renew);
  return {
    setQuestion(next) {
      question = next;
      opened.setQuestion(next);
    },
    hold: (late) => opened.hold(late),
    close() {
      stop();
      opened.close();
    },
  };
}

/** The same within one store. */
function openOnce<Question, State, Patch extends { generation: number }>(
  first: Question,
  options: Opening<Question, State, Patch>,
): LiveQueryClient<Question, State> {
  let questionText = JSON.stringify(first);
  let asked = 0;
  let isOpen = true;
  let answer = options.empty;
  let shown: State | null = options.shown ?? null;
  let published: { answer: State; generation: number } | null = null;
  const publish = (generation: number) => {
    if (generation !== asked) return;
    const isSame = published?.generation === generation;
    if (published !== null && isSame && options.isBetween?.(published.answer, answer) === true) return;
    published = { answer, generation };
    options.publish(answer);
  };
  const subscription = options.open(first, (patch) => {
    if (!isOpen) return;
    answer = options.patched(answer, patch);
    if (shown !== null && options.cached !== undefined) {
      // The store is not read yet: nothing of what was told so far is an answer.
      if (!options.cached.isLoaded(answer)) return;
      answer = options.cached.replaced(shown, answer);
      shown = null;
    }
    publish(patch.generation);
  });
  subscription.catch((error: unknown) => options.report(error));
  const call = (use: (opened: LiveSubscription<Question>) => Promise<void>) => {
    subscription
      .then((opened) => use(opened).catch((error: unknown) => options.report(error)))
      .catch(() => {
        // Reported where it was opened.
      });
  };
  return {
    setQuestion(question) {
      const text = JSON.stringify(question);
      if (text === questionText) return;
      questionText = text;
      asked += 1;
      const generation = asked;
      call((opened) => opened.update(question, generation));
    },
    hold(late) {
      if (options.cached?.isLoaded(answer) === false) shown = late;
    },
    close() {
      isOpen = false;
      call((opened) => opened.close());
    },
  };
}
