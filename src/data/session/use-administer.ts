import { useState } from 'react';
import type { AdminAction } from '../../contract/http/admin-actions.ts';
import { administer, type AdminAnswer } from './administration.ts';

interface Administering {
  isBusy: boolean;
  run: (action: AdminAction) => Promise<AdminAnswer>;
}

/** An administrator's action outside of a form: one at a time. */
export function useAdminister(): Administering {
  const [isBusy, setIsBusy] = useState(false);
  return {
    isBusy,
    run: async (action) => {
      setIsBusy(true);
      try {
        return await administer(action);
      } finally {
        setIsBusy(false);
      }
    },
  };
}
