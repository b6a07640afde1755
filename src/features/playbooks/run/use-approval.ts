/** Whose word a run waits for, and who has given it. */
import type { PlaybookApproval } from '../../../contract/http/playbooks/playbook-approval.ts';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { useQuery } from '../../../data/queries/use-query.ts';

type Run = RunDetail['run'];

/** The specification that a run was asked with; where that isn't known, the playbook's as it is now. */
export function specOfRun({ spec, playbooks }: Run): Record<string, unknown> {
  const asRun = Object.keys(spec ?? {}).length > 0 ? spec : playbooks?.spec;
  return asRun ?? {};
}

export interface AskedApproval {
  /** Null where the run needs nobody's word, and where its server doesn't say whose. */
  approval: PlaybookApproval | null;
  isLoading: boolean;
}

/** Not asked for runs whose specification names no approvers. */
export function useApproval(run: Run): AskedApproval {
  const hasRule = (specOfRun(run)['approval'] ?? null) !== null;
  const { kept, error } = useQuery('playbook-approval', hasRule ? { runId: run.id } : null);
  return { approval: kept?.value ?? null, isLoading: hasRule && kept === null && error === null };
}
