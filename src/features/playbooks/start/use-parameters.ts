/** The parameters of a run: with the defaults that the server fills in, else as the specification has them. */
import type { PlaybookParameter, PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import type { Definition } from '../definition.ts';
import { messages as shared } from '../messages.ts';

export interface FoundParameters {
  parameters: readonly PlaybookParameter[];
  /** False where defaults that are templates couldn't be filled in. */
  isFilled: boolean;
  /** Why there are none to be filled in. */
  problem: string | null;
}

/** Null while they are asked for. */
export function useParameters(
  playbookId: string,
  definition: Definition,
  resource: PlaybookResource | null,
): FoundParameters | null {
  const isReachable = useReachable();
  const target = resource === null ? null : { kind: resource.kind, id: resource.id };
  const { kept, error } = useQuery(
    'playbook-parameters',
    isReachable ? { playbookId, resource: target } : null,
  );
  const own = { parameters: definition.parameters, isFilled: false, problem: null };
  if (kept !== null) return { parameters: kept.value, isFilled: true, problem: null };
  if (!isReachable) return own;
  if (error === null) return null;
  const isAway = error.code === 'network' || error.code === 'timeout';
  return isAway ? own : { ...own, problem: shared.errorText(error) };
}
