/** What people decide about a run that goes on: to let it go on, or to end it. Each asks before it is done. */
import { useState } from 'react';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { approveRun, cancelRun } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { may } from '../../../domain/access/matrix.ts';
import { isRunOver, needsApproval } from '../../../domain/playbook/run.ts';
import { recordOf } from '../../../lib/is-record.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import { resourceOf } from '../resource.ts';
import { runSearch } from '../search-schemas.ts';
import { parameterFacts } from './ParamsDialog.tsx';
import classes from './run.module.css';

const words = messages.detail;

interface DecisionProps {
  run: RunDetail['run'];
  onClose: () => void;
}

interface Decision {
  call: typeof approveRun;
  runId: string;
  /** Once it is done. */
  said: string;
  onDone: () => void;
}

/** Does it once, and says what came of it. */
function useCall({ call, runId, said, onDone }: Decision) {
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = async () => {
    setIsBusy(true);
    const answer = await call(runId);
    setIsBusy(false);
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(said);
    onDone();
  };
  return { isBusy, problem, act };
}

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

function stepNames({ spec, playbooks }: RunDetail['run']): string[] {
  const asRun = Object.keys(spec ?? {}).length > 0 ? spec : playbooks?.spec;
  const actions = recordOf(asRun)['actions'];
  if (!Array.isArray(actions)) return [];
  return actions.map((action: unknown, at) => {
    const { name } = recordOf(action);
    return typeof name === 'string' && name !== '' ? name : `Step ${at + 1}`;
  });
}

/** Says what will run against what before it lets it. */
function Approve({ run, onClose }: DecisionProps) {
  const { isBusy, problem, act } = useCall({
    call: approveRun,
    runId: run.id,
    said: words.approved,
    onDone: onClose,
  });
  const resource = resourceOf(run);
  const facts = parameterFacts(run);
  const steps = stepNames(run);
  return (
    <Modal title={words.approveTitle} size="very-small" onClose={onClose}>
      <p>
        <strong>{words.approveRuns(playbookTitle(run.playbooks))}</strong>{' '}
        {resource !== null && words.approveOn(resource.name)}
      </p>
      {facts.length > 0 && (
        <>
          <p>{words.approveWith}</p>
          <Facts facts={facts} />
        </>
      )}
      {steps.length > 0 && (
        <>
          <p>{words.approveSteps}</p>
          <ol className={classes.approveSteps}>
            {steps.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ol>
        </>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
      <div className={classes.answers}>
        <Button look="quiet" data-autofocus="" onClick={onClose}>
          {ui.cancel}
        </Button>
        <Button look="primary" disabled={isBusy} onClick={() => void act()}>
          {words.approve}
        </Button>
      </div>
    </Modal>
  );
}

interface RunDecisionsProps {
  detail: RunDetail;
  reader: { roles: readonly string[] };
}

/** Nothing for who may not run playbooks; whether somebody may approve this one decides the server. */
export function RunDecisions({ detail: { run }, reader }: RunDecisionsProps) {
  const isReachable = useReachable();
  const [search, change] = useSearchState(runSearch);
  const [isCancelling, setIsCancelling] = useState(false);
  if (isRunOver(run.status)) return null;
  const mayRun = may(reader.roles, 'playbooks', 'write');
  const hint = isReachable ? undefined : ui.needsServer;
  return (
    <>
      {mayRun && (
        <Button disabled={!isReachable} title={hint} onClick={() => setIsCancelling(true)}>
          {words.cancel}
        </Button>
      )}
      {needsApproval(run.status) && (
        <Button look="primary" disabled={!isReachable} title={hint} onClick={() => change({ approve: true })}>
          {words.approve}
        </Button>
      )}
      {isCancelling && <Cancel run={run} onClose={() => setIsCancelling(false)} />}
      {search.approve && needsApproval(run.status) && (
        <Approve run={run} onClose={() => change({ approve: false })} />
      )}
    </>
  );
}
