import { useEffect, useState } from 'react';
import type { FoundCheck } from '../../../contract/actions/compute-actions.ts';
import type { HealthQuery } from '../../../contract/worker.ts';
import { dataClient } from '../../client/data-client.ts';

const NONE: readonly FoundCheck[] = [];

/** Every check that the question leaves now, in order; null where that can't be told. */
export async function findChecks(query: HealthQuery): Promise<readonly FoundCheck[] | null> {
  const answer = await dataClient().workers.compute.act('find-checks', { query });
  return answer.ok ? answer.value : null;
}

/** These, while somebody chooses; asked again when `mark` changes. */
export function useFoundChecks(query: HealthQuery, isWanted: boolean, mark: unknown): readonly FoundCheck[] {
  const [checks, setChecks] = useState(NONE);
  const asked = JSON.stringify(query);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    void findChecks(JSON.parse(asked) as HealthQuery).then((found) => {
      if (!isOver && found !== null) setChecks(found);
      return null;
    });
    return () => {
      isOver = true;
    };
  }, [asked, isWanted, mark]);
  return isWanted ? checks : NONE;
}
