/** The devices on which the user is signed in, asked anew each time somebody looks: never kept. */
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import type { ErrorFacts } from '../../contract/errors.ts';
import {
  ownSessionSchema,
  readRefusal,
  type OwnSession,
} from '../../contract/http/identity/identity-flow.ts';
import { callIdentity } from '../commands/commands.ts';

export interface OwnSessionsState {
  /** The other sessions; null until they are known. */
  others: OwnSession[] | null;
  error: ErrorFacts | null;
  /** Ends one, or with null all of them. */
  revoke: (sessionId: string | null) => void;
}

function refused(body: unknown, status: number): ErrorFacts {
  const message = readRefusal(body).text ?? '';
  return { code: 'invalid', message, retryable: false, status };
}

async function ask(): Promise<Pick<OwnSessionsState, 'others' | 'error'>> {
  const answer = await callIdentity({ do: 'sessions' });
  if (!answer.ok) return { others: null, error: answer.error };
  const { status, body } = answer.value;
  const parsed = z.array(ownSessionSchema).safeParse(body);
  return parsed.success
    ? { others: parsed.data, error: null }
    : { others: null, error: refused(body, status) };
}

/** The provider lists all sessions but the one that asks. */
export function useOwnSessions(): OwnSessionsState {
  const [state, setState] = useState<Pick<OwnSessionsState, 'others' | 'error'>>({
    others: null,
    error: null,
  });

  const load = useCallback(async () => {
    const found = await ask();
    setState((before) => ({ others: found.others ?? before.others, error: found.error }));
  }, []);

  useEffect(() => {
    let isWanted = true;
    void ask().then((found) => {
      if (isWanted) setState(found);
    });
    return () => {
      isWanted = false;
    };
  }, []);

  const revoke = useCallback(
    async (sessionId: string | null) => {
      const answer = await callIdentity({ do: 'revoke', sessionId });
      await load();
      if (!answer.ok) setState((before) => ({ ...before, error: answer.error }));
    },
    [load],
  );

  return { ...state, revoke: (sessionId) => void revoke(sessionId) };
}
