/** What a run would do, rendered by the server: templates filled, what signs in as stars. Nothing runs. */
import { useState } from 'react';
import type { DryRun } from '../../../contract/http/playbooks/playbook-dry-run.ts';
import type { RunRequest } from '../../../contract/http/playbooks/playbooks.ts';
import { dryRunPlaybook } from '../../../data/commands/commands.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import classes from './start.module.css';

type Action = DryRun['actions'][number];

function conditionsOf({ if: condition, delay, timeout, runs_on: agents }: Action): string {
  const { words } = messages.rendered;
  return [
    condition === null ? '' : words.if(condition),
    delay === null ? '' : words.delay(delay),
    timeout === null ? '' : words.timeout(timeout),
    agents.length === 0 ? '' : words.runsOn(agents.join(', ')),
  ]
    .filter(Boolean)
    .join(' · ');
}

const isEmpty = (value: unknown) =>
  value === '' ||
  value === null ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Without the fields that say nothing. */
const said = (rendered: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(rendered).filter(([, value]) => !isEmpty(value)));

function RenderedAction({ action }: { action: Action }) {
  const conditions = conditionsOf(action);
  return (
    <li>
      <h3>
        {action.name} <Tag value={action.kind} />
      </h3>
      {conditions !== '' && <p className={classes.note}>{conditions}</p>}
      {action.error !== null && (
        <p role="alert" className={classes.warn}>
          {action.error}
        </p>
      )}
      {action.rendered !== null && <pre tabIndex={0}>{yamlText(said(action.rendered))}</pre>}
    </li>
  );
}

function Rendered({ answer, onClose }: { answer: DryRun; onClose: () => void }) {
  return (
    <Modal title={messages.dryRunTitle} size="small" onClose={onClose}>
      <p className={classes.note}>{messages.dryRunNote}</p>
      {answer.needs_approval && <p className={classes.note}>{messages.rendered.needsApproval}</p>}
      <ol className={classes.rendered}>
        {answer.actions.map((action) => (
          <RenderedAction key={action.name} action={action} />
        ))}
      </ol>
    </Modal>
  );
}

interface DryRunButtonProps {
  isReady: boolean;
  request: () => RunRequest;
}

/** See the head of this file. */
export function DryRunButton({ isReady, request }: DryRunButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<DryRun | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const render = async () => {
    setIsBusy(true);
    setProblem(null);
    const found = await dryRunPlaybook(request());
    setIsBusy(false);
    if (found.ok) setAnswer(found.value);
    else if (found.error.code === 'not_found') setProblem(messages.dryRunNone);
    else setProblem(shared.errorText(found.error));
  };
  return (
    <>
      <Button disabled={isBusy || !isReady} onClick={() => void render()}>
        {isBusy ? messages.dryRunning : messages.dryRun}
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
      {answer !== null && <Rendered answer={answer} onClose={() => setAnswer(null)} />}
    </>
  );
}
