import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';
import type { Differences, LiveQueryClient } from '../client/live-query-client.ts';
import { NO_CACHE, type AnswerCache } from '../client/windows/first-windows.ts';
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

/** One component's query: closed when nobody listens any more, opened again if one comes back (strict mode). */
function createLease<Question, State, Patch extends { generation: number }>(
  first: Question,
  differences: Differences<Question, State, Patch>,
) {
  const { cached } = differences;
  const cache: AnswerCache<Question, Patch> =
    cached === undefined ? NO_CACHE : dataClient().firstWindows.of(cached.name);
  const readCached = (asked: Question) => {
    const found = cache.read(asked);
    return found === null ? null : differences.patched(differences.empty, found.patch);
  };
  /** The cached answer, for as long as it is what is shown. */
  let shown = readCached(first);
  const answer = createLiveValue(shown ?? differences.empty);
  let question: { asked: Question } | null = null;
  let client: LiveQueryClient<Question, State> | null = null;
  const publish = (next: State) => {
    shown = null;
    answer.set(next);
    if (question !== null && cached?.isLoaded(next) === true) cache.note(question.asked);
  };
  const ensureOpen = () => {
    if (question !== null)
      client ??= dataClient().openDifferences(question.asked, { ...differences, shown }, publish);
  };
  const forget = () => {
    if (shown === null) return;
    shown = null;
    answer.set(differences.empty);
  };
  /** The server's rows come after the page began without any. */
  const look = () => {
    if (shown !== null || cached?.isLoaded(answer.get()) !== false) return;
    shown = readCached(question?.asked ?? first);
    if (shown === null) return;
    answer.set(shown);
    client?.hold(shown);
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
