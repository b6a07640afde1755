/** What people decide about a run that goes on: to let it go on, or to end it. Each asks before it is done. */
import { useState } from 'react';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { cancelRun } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { may } from '../../../domain/access/matrix.ts';
import { isRunOver, needsApproval } from '../../../domain/playbook/run.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { messages } from '../messages.ts';
import { runSearch } from '../search-schemas.ts';
import { ApproveRun } from './ApproveRun.tsx';
import type { AskedApproval } from './use-approval.ts';
import { useCall, type DecisionProps } from './use-call.ts';

const words = messages.detail;

function Cancel({ run, onClose }: DecisionProps) {
  const { isBusy, problem, act } = useCall({
    call: cancelRun,
    runId: run.id,
    said: words.cancelling,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={words.cancelTitle}
      question={words.cancelQuestion}
      confirm={words.cancel}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void act()}
      onClose={onClose}
    />
  );
}

interface RunDecisionsProps {
  detail: RunDetail;
  reader: { roles: readonly string[] };
  asked: AskedApproval;
}

/** Nothing for who may not run playbooks. Whose approval counts says the server; one that doesn't is asked to judge. */
export function RunDecisions({ detail: { run }, reader, asked }: RunDecisionsProps) {
  const isReachable = useReachable();
  const [search, change] = useSearchState(runSearch);
  const [isCancelling, setIsCancelling] = useState(false);
  if (isRunOver(run.status)) return null;
  const mayRun = may(reader.roles, 'playbooks', 'write');
  const isAsked = mayRun && !asked.isLoading && (asked.approval?.may_approve ?? true);
  const mayApprove = needsApproval(run.status) && isAsked;
  const hint = isReachable ? undefined : ui.needsServer;
  return (
    <>
      {mayRun && (
        <Button disabled={!isReachable} title={hint} onClick={() => setIsCancelling(true)}>
          {words.cancel}
        </Button>
      )}
      {mayApprove && (
        <Button look="primary" disabled={!isReachable} title={hint} onClick={() => change({ approve: true })}>
          {words.approve}
        </Button>
      )}
      {isCancelling && <Cancel run={run} onClose={() => setIsCancelling(false)} />}
      {search.approve && mayApprove && (
        <ApproveRun run={run} onClose={() => change({ approve: undefined })} />
      )}
    </>
  );
}
