/** The confirmation of an approval: what will run against what, with which parameters, step by step. */
import { approveRun } from '../../../data/commands/commands.ts';
import { stepName } from '../../../domain/playbook/run.ts';
import { isRecord, recordOf } from '../../../lib/is-record.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { definitionOfSpec } from '../definition.ts';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import { resourceOf } from '../resource.ts';
import { parameterFacts } from './ParamsDialog.tsx';
import classes from './run.module.css';
import { specOfRun } from './use-approval.ts';
import { useCall, type DecisionProps } from './use-call.ts';

const words = messages.detail;

function stepsOf(spec: Record<string, unknown>): { name: string; text: string }[] {
  const { actions } = spec;
  if (!Array.isArray(actions)) return [];
  return actions.filter(isRecord).map((action, at) => {
    const { name, ...rest } = recordOf(action);
    return { name: stepName(name, at), text: yamlText(rest).trim() };
  });
}

function WhatRuns({ run }: Pick<DecisionProps, 'run'>) {
  const resource = resourceOf(run);
  const facts = parameterFacts(run);
  const spec = specOfRun(run);
  const steps = stepsOf(spec);
  return (
    <>
      <p>
        <strong>{words.approveRuns(playbookTitle(run.playbooks))}</strong>{' '}
        {resource !== null && words.approveOn(resource.name)}{' '}
        {definitionOfSpec(spec).isDangerous && <Tag value={messages.dangerous} isWarning />}
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
            {steps.map(({ name, text }, at) => (
              // Steps of a specification have no other name, and stay where they are.
              <li key={`${at} ${name}`}>
                {name}
                <pre tabIndex={0}>{text}</pre>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

/** See the head of this file. */
export function ApproveRun({ run, onClose }: DecisionProps) {
  const { isBusy, problem, act } = useCall({
    call: approveRun,
    runId: run.id,
    said: words.approved,
    onDone: onClose,
  });
  return (
    <Modal title={words.approveTitle} size="small" onClose={onClose}>
      <WhatRuns run={run} />
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
