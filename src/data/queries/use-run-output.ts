import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';
import { createLiveValue } from '../client/live-value.ts';

export interface LiveStep {
  name: string;
  /** What it wrote so far. */
  text: string;
}

/** By the id of the step. */
export type RunOutputTexts = ReadonlyMap<string, LiveStep>;

const NOTHING: RunOutputTexts = new Map();

const AGAIN_MS = 1000;
const soon = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** Keeps what was read of one run; who follows again goes on where the last answer ended. */
function createRunOutput(runId: string) {
  const texts = createLiveValue(NOTHING);
  let after = 0;
  /** Reads on until the run is over, nobody follows any more, or the server can't tell. */
  const follow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const answer = await dataClient().workers.sync.act('read-output', { runId, after });
      if (signal.aborted) return;
      if (!answer.ok) {
        if (!answer.error.retryable) return;
        await soon();
        continue;
      }
      const { pieces, next, is_over: isOver } = answer.value;
      if (pieces.length > 0) {
        const grown = new Map(texts.get());
        for (const { action_id: stepId, action_name: name, content } of pieces)
          grown.set(stepId, { name, text: (grown.get(stepId)?.text ?? '') + content });
        texts.set(grown);
      }
      after = next;
      if (isOver) return;
    }
  };
  return { get: texts.get, subscribe: texts.subscribe, follow };
}

/**
 * What the steps of a run write while they run, as it is written; nothing of a step where the server doesn't tell.
 * Not followed, as without a network, it stays what it was.
 */
export function useRunOutput(runId: string, isFollowed: boolean): RunOutputTexts {
  const output = useMemo(() => createRunOutput(runId), [runId]);
  useEffect(() => {
    if (!isFollowed) return;
    const over = new AbortController();
    // Whatever goes wrong is in the answers.
    void output.follow(over.signal);
    return () => over.abort();
  }, [output, isFollowed]);
  return useSyncExternalStore(output.subscribe, output.get);
}
