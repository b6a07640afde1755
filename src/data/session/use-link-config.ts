import { useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { useReachable } from '../device/use-reachable.ts';
import { useAdminister } from './use-administer.ts';

interface LinkingConfig {
  /** Links are made on the server. */
  isReachable: boolean;
  isBusy: boolean;
  /** Why the last one was not made. */
  error: ErrorFacts | null;
  link: (ids: { componentId: string; configId: string }) => Promise<void>;
}

/** Links a component and a catalog item, from either side. */
export function useLinkConfig(onDone: () => void): LinkingConfig {
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const [error, setError] = useState<ErrorFacts | null>(null);
  return {
    isReachable,
    isBusy,
    error,
    link: async (ids) => {
      const answer = await run({ name: 'link_config', ...ids });
      if (answer.ok) onDone();
      else setError(answer.error);
    },
  };
}
