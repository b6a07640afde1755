import { useEffect, useState } from 'react';
import type { FoundCheck } from '../../../contract/actions/compute-actions.ts';
import type { HealthQuery } from '../../../contract/worker.ts';
import { dataClient } from '../../client/data-client.ts';

const NONE: readonly FoundCheck[] = [];

/** Every check that the question leaves, in order, while somebody chooses; asked again when `mark` changes. */
export function useFoundChecks(query: HealthQuery, isWanted: boolean, mark: unknown): readonly FoundCheck[] {
  const [found, setFound] = useState(NONE);
  const asked = JSON.stringify(query);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    void dataClient()
      .workers.compute.act('find-checks', { query: JSON.parse(asked) as HealthQuery })
      .then((answer) => {
        if (!isOver && answer.ok) setFound(answer.value);
        return null;
      });
    return () => {
      isOver = true;
    };
  }, [asked, isWanted, mark]);
  return isWanted ? found : NONE;
}
