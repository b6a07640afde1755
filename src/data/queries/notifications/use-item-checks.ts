/** Checks of a catalog item and of what is below it: a link that only the server has. */
import { useEffect, useState } from 'react';
import { dataClient } from '../../client/data-client.ts';
import { useReachable } from '../../device/use-reachable.ts';

export type ItemChecks =
  | { state: 'none' | 'asking' | 'unknown'; ids: null }
  | { state: 'known'; ids: string[] };

/** `unknown`: the server can't be asked now. Null asks nothing. */
export function useItemChecks(configId: string | null): ItemChecks {
  const isReachable = useReachable();
  const [known, setKnown] = useState<{ configId: string; ids: string[] | null } | null>(null);
  const isKnown = known !== null && known.configId === configId && known.ids !== null;
  useEffect(() => {
    if (configId === null || !isReachable || isKnown) return;
    let isWanted = true;
    void dataClient()
      .workers.sync.act('find-item-checks', { config_id: configId })
      .then((answer) => {
        if (isWanted) setKnown({ configId, ids: answer.ok ? answer.value : null });
      });
    return () => {
      isWanted = false;
    };
  }, [configId, isReachable, isKnown]);
  if (configId === null) return { state: 'none', ids: null };
  if (known?.configId === configId)
    return known.ids === null ? { state: 'unknown', ids: null } : { state: 'known', ids: known.ids };
  return { state: isReachable ? 'asking' : 'unknown', ids: null };
}
