/** What this deployment's sign-in offers; null until it is known. */
import { useEffect, useState } from 'react';
import { identityOptionsSchema, type IdentityOptions } from '../contract/http/identity.ts';
import { callIdentity } from './commands.ts';

export function useIdentityOptions(): IdentityOptions | null {
  const [options, setOptions] = useState<IdentityOptions | null>(null);
  useEffect(() => {
    let isWanted = true;
    void callIdentity({ do: 'options' }).then((answer) => {
      // A backend that has no such call offers what the contract says and nothing else.
      const parsed = answer.ok ? identityOptionsSchema.safeParse(answer.value.body) : null;
      if (isWanted && parsed?.success === true) setOptions(parsed.data);
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return options;
}
