/** How the signed-in person is reached, asked anew each time somebody looks: never kept. */
import { useCallback, useEffect, useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { Reach, ReachCall } from '../../contract/http/reach.ts';
import { dataClient } from '../client/data-client.ts';

export interface ReachState {
  /** Null until it is known. */
  reach: Reach | null;
  error: ErrorFacts | null;
}

const ask = (call: ReachCall) => dataClient().workers.sync.act('call-reach', call);

/** `act` does something and shows how things are then; answers what went wrong, or null. */
export function useReach(): ReachState & { act: (call: ReachCall) => Promise<ErrorFacts | null> } {
  const [state, setState] = useState<ReachState>({ reach: null, error: null });
  useEffect(() => {
    let isWanted = true;
    void ask({ do: 'read' }).then((answer) => {
      if (!isWanted) return;
      setState(answer.ok ? { reach: answer.value, error: null } : { reach: null, error: answer.error });
    });
    return () => {
      isWanted = false;
    };
  }, []);
  const act = useCallback(async (call: ReachCall) => {
    const answer = await ask(call);
    if (!answer.ok) return answer.error;
    setState({ reach: answer.value, error: null });
    return null;
  }, []);
  return { ...state, act };
}
