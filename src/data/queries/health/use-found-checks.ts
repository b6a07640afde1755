import { useCallback, useEffect, useRef, useState } from 'react';
import type { FoundCheck } from '../../../contract/actions/compute-actions.ts';
import type { HealthQuery } from '../../../contract/worker.ts';
import { dataClient } from '../../client/data-client.ts';

const NONE: readonly FoundCheck[] = [];

interface FoundChecks {
  /** As they were asked for last. */
  checks: readonly FoundCheck[];
  /** Asks for all of them again, in order; null where that can't be told. */
  find: () => Promise<readonly FoundCheck[] | null>;
  /** Asks for those of one group, as `find`. */
  findGroup: (group: string) => Promise<readonly FoundCheck[] | null>;
}

async function findChecks(asked: string, group: string | null): Promise<readonly FoundCheck[] | null> {
  const query = JSON.parse(asked) as HealthQuery;
  const answer = await dataClient().workers.compute.act('find-checks', { query, group });
  return answer.ok ? answer.value : null;
}

/** Every check that the question leaves, while somebody chooses; asked for again when `mark` changes. */
export function useFoundChecks(query: HealthQuery, isWanted: boolean, mark: unknown): FoundChecks {
  const [checks, setChecks] = useState(NONE);
  const asked = JSON.stringify(query);
  const now = useRef(asked);
  useEffect(() => {
    now.current = asked;
  });
  const find = useCallback(async () => {
    const question = now.current;
    const found = await findChecks(question, null);
    if (found !== null && question === now.current) setChecks(found);
    return found;
  }, []);
  const findGroup = useCallback(async (group: string) => {
    const question = now.current;
    const found = await findChecks(question, group);
    if (found !== null && question === now.current)
      setChecks((before) => [...before.filter((check) => check.group !== group), ...found]);
    return found;
  }, []);
  useEffect(() => {
    if (isWanted) void find();
  }, [asked, find, isWanted, mark]);
  return { checks: isWanted ? checks : NONE, find, findGroup };
}
