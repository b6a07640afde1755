import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { ReplicatedRow } from '../../contract/collections.ts';
import type { LiveQuestion } from '../../contract/live-query.ts';
import { dataClient } from '../client/data-client.ts';
import { NO_ANSWER, type LiveAnswer, type LiveQueryClient } from '../client/live-query-client.ts';
import { createLiveValue } from '../client/live-value.ts';

/**
 * Rows that pass, with this device's unsent commands on top, live; at most 100 of them, see `start` and `total`.
 * A changed question keeps showing the old answer until the new one is there; what is unchanged keeps its
 * reference. Give the row's type as parameter: rows were parsed when they came in.
 */
export function useLiveQuery<Row = ReplicatedRow>(question: LiveQuestion): LiveAnswer<Row> {
  const [lease] = useState(createLease);
  const text = JSON.stringify(question);
  // Before the browser paints, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.ask(JSON.parse(text) as LiveQuestion);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get) as LiveAnswer<Row>;
}

/** One component's live query: closed when nobody listens any more, opened again if one comes back (strict mode). */
function createLease() {
  const answer = createLiveValue<LiveAnswer>(NO_ANSWER);
  let question: LiveQuestion | null = null;
  let client: LiveQueryClient | null = null;
  const ensureOpen = () => {
    if (question !== null) client ??= dataClient().openLiveQuery(question, answer.set);
  };
  return {
    get: answer.get,
    ask: (next: LiveQuestion) => {
      question = next;
      ensureOpen();
      client?.setQuestion(next);
    },
    subscribe: (listener: () => void) => {
      ensureOpen();
      const stop = answer.subscribe(listener);
      return () => {
        stop();
        client?.close();
        client = null;
      };
    },
  };
}
