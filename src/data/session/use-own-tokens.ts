/** The user's own access tokens, asked anew each time somebody looks: never kept. */
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import type { ErrorFacts } from '../../contract/errors.ts';
import { ownTokenSchema, type OwnToken } from '../../contract/http/identity/identity-flow.ts';
import { callIdentity } from '../commands/commands.ts';

interface OwnTokensState {
  /** null until they are known, and at a server that has none. */
  tokens: OwnToken[] | null;
  error: ErrorFacts | null;
}

async function ask(): Promise<OwnTokensState> {
  const answer = await callIdentity({ do: 'tokens' });
  if (!answer.ok) return { tokens: null, error: answer.error };
  const parsed = z.array(ownTokenSchema).safeParse(answer.value.body);
  return { tokens: parsed.success ? parsed.data : null, error: null };
}

/** `end` takes a token away on the server and then from the list. */
export function useOwnTokens(): OwnTokensState & { end: (tokenId: string) => void } {
  const [state, setState] = useState<OwnTokensState>({ tokens: null, error: null });

  useEffect(() => {
    let isWanted = true;
    void ask().then((found) => {
      if (isWanted) setState(found);
    });
    return () => {
      isWanted = false;
    };
  }, []);

  const end = useCallback(async (tokenId: string) => {
    const answer = await callIdentity({ do: 'end-token', tokenId });
    const found = await ask();
    setState(answer.ok ? found : { ...found, error: answer.error });
  }, []);

  return { ...state, end: (tokenId) => void end(tokenId) };
}
