/** What this deployment's sign-in offers. */
import { useEffect, useState } from 'react';
import { identityOptionsSchema, type IdentityOptions } from '../../contract/http/identity/identity.ts';
import { callIdentity } from '../commands/commands.ts';

export interface IdentityOptionsState {
  /** null while it isn't known, and of a backend that doesn't say. */
  options: IdentityOptions | null;
  /** False until the server was asked. */
  isSettled: boolean;
}

/** `options` is null until the server has answered, and where it has no such call. */
export function useIdentityOptions(): IdentityOptionsState {
  const [state, setState] = useState<IdentityOptionsState>({ options: null, isSettled: false });
  useEffect(() => {
    let isWanted = true;
    void callIdentity({ do: 'options' }).then((answer) => {
      // A backend that has no such call offers what the contract says and nothing else.
      const parsed = answer.ok ? identityOptionsSchema.safeParse(answer.value.body) : null;
      if (isWanted) setState({ options: parsed?.success === true ? parsed.data : null, isSettled: true });
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return state;
}
