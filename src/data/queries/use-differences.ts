import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';
import type { Differences, LiveQueryClient } from '../client/live-query-client.ts';
import { NO_CACHE, type AnswerCache } from '../client/windows/answer-cache.ts';
import { createLiveValue } from '../client/live-value.ts';

/**
 * A query that is answered with differences, live for as long as the component is there. A changed question keeps
 * showing the old answer until the new one is there.
 */
export function useDifferences<Question, State, Patch extends { generation: number }>(
  question: Question,
  differences: Differences<Question, State, Patch>,
): State {
  return useAskableDifferences(question, differences).state;
}

/** The same with `ask`, which asks another question now, ahead of the component that will when it is drawn. */
export function useAskableDifferences<Question, State, Patch extends { generation: number }>(
  question: Question,
  differences: Differences<Question, State, Patch>,
): { state: State; ask: (question: Question) => void } {
  const [lease] = useState(() => createLease(question, differences));
  const text = JSON.stringify(question);
  // Before the browser paints, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.ask(JSON.parse(text) as Question);
  }, [lease, text]);
  return { state: useSyncExternalStore(lease.subscribe, lease.get), ask: lease.ask };
}

/** What is cached of the answers, for as long as that is what is shown: until the worker has answered. */
function createShown<Question, State, Patch extends { generation: number }>(
  cache: AnswerCache<Question, Patch>,
  { empty, patched }: Differences<Question, State, Patch>,
) {
  let shownOf: string | null = null;
  return {
    /** Null where nothing is cached of the question, and where that is shown already. */
    read(asked: Question): State | null {
      const text = JSON.stringify(asked);
      const found = text === shownOf ? null : cache.read(asked);
      if (found === null) return null;
      shownOf = text;
      return patched(empty, found.patch);
    },
    isShown: () => shownOf !== null,
    end() {
      shownOf = null;
    },
  };
}

/** One component's query: closed when nobody listens any more, opened again if one comes back (strict mode). */
function createLease<Question, State, Patch extends { generation: number }>(
  first: Question,
  differences: Differences<Question, State, Patch>,
) {
  const { cached } = differences;
  const cache: AnswerCache<Question, Patch> =
    cached === undefined ? NO_CACHE : dataClient().firstWindows.of(cached.name);
  const shown = createShown(cache, differences);
  const answer = createLiveValue(shown.read(first) ?? differences.empty);
  let question: { asked: Question } | null = null;
  let client: LiveQueryClient<Question, State> | null = null;
  const publish = (next: State) => {
    shown.end();
    answer.set(next);
    if (question !== null && cached?.isLoaded(next) === true) cache.note(question.asked);
  };
  const ensureOpen = () => {
    if (question === null) return;
    const options = { ...differences, shown: shown.isShown() ? answer.get() : null };
    client ??= dataClient().openDifferences(question.asked, options, publish);
  };
  const forget = () => {
    if (!shown.isShown()) return;
    shown.end();
    answer.set(differences.empty);
  };
  /** Another answer may be cached by now, or be one of the server's. */
  const look = () => {
    const isAnswered = !shown.isShown() && cached?.isLoaded(answer.get()) !== false;
    const found = isAnswered ? null : shown.read(question?.asked ?? first);
    if (found === null) return;
    answer.set(found);
    client?.hold(found);
  };
  return {
    get: answer.get,
    ask: (next: Question) => {
      if (question !== null && differences.isOther?.(question.asked, next) === true)
        answer.set(differences.empty);
      question = { asked: next };
      cache.drop();
      ensureOpen();
      client?.setQuestion(next);
      look();
    },
    subscribe: (listener: () => void) => {
      ensureOpen();
      const stops = [answer.subscribe(listener), cache.onForget(forget), cache.onNews(look)];
      return () => {
        for (const stop of stops) stop();
        client?.close();
        client = null;
      };
    },
  };
}
