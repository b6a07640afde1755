import { useCallback, useEffect, useRef, useState } from 'react';
import type { FoundCheck } from '../../../contract/actions/compute-actions.ts';
import type { HealthQuery } from '../../../contract/worker.ts';
import { dataClient } from '../../client/data-client.ts';

const NONE: readonly FoundCheck[] = [];

interface FoundChecks {
  /** As they were asked for last. */
  checks: readonly FoundCheck[];
  /** Asks again; null where that can't be told. */
  find: () => Promise<readonly FoundCheck[] | null>;
}

/** Every check that the question leaves, in order, while somebody chooses; asked again when `mark` changes. */
export function useFoundChecks(query: HealthQuery, isWanted: boolean, mark: unknown): FoundChecks {
  const [checks, setChecks] = useState(NONE);
  const asked = JSON.stringify(query);
  const now = useRef(asked);
  useEffect(() => {
    now.current = asked;
  });
  const find = useCallback(async () => {
    const question = now.current;
    const args = { query: JSON.parse(question) as HealthQuery };
    const answer = await dataClient().workers.compute.act('find-checks', args);
    if (answer.ok && question === now.current) setChecks(answer.value);
    return answer.ok ? answer.value : null;
  }, []);
  useEffect(() => {
    if (isWanted) void find();
  }, [asked, find, isWanted, mark]);
  return { checks: isWanted ? checks : NONE, find };
}
