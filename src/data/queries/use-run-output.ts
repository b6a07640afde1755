import { useMemo, useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';

export interface LiveStep {
  name: string;
  /** What it wrote so far. */
  text: string;
}

/** By the id of the step. */
export type RunOutputTexts = ReadonlyMap<string, LiveStep>;

const NOTHING: RunOutputTexts = new Map();

/** Reads on until the run is over, nobody listens any more, or the server can't tell. */
async function follow(runId: string, set: (texts: RunOutputTexts) => void, signal: AbortSignal) {
  let after = 0;
  let texts = NOTHING;
  while (!signal.aborted) {
    const answer = await dataClient().workers.sync.act('read-output', { runId, after });
    if (!answer.ok || signal.aborted) return;
    const { pieces, next, is_over: isOver } = answer.value;
    if (pieces.length > 0) {
      const grown = new Map(texts);
      for (const { action_id: stepId, action_name: name, content } of pieces)
        grown.set(stepId, { name, text: (grown.get(stepId)?.text ?? '') + content });
      texts = grown;
      set(texts);
    }
    if (isOver) return;
    after = next;
  }
}

/**
 * What the steps of a run write while they run, as it is written; nothing of a step where the server doesn't tell. Null
 * follows none.
 */
export function useRunOutput(runId: string | null): RunOutputTexts {
  const store = useMemo(
    () =>
      createSubscriptionStore<RunOutputTexts>(NOTHING, (set) => {
        const over = new AbortController();
        // Whatever goes wrong is in the answers.
        if (runId !== null) void follow(runId, set, over.signal);
        return () => over.abort();
      }),
    [runId],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
