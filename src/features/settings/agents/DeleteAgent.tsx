import { useState } from 'react';
import type { AgentRow } from '../../../contract/http/table-views.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages } from './messages.ts';
import classes from './agents.module.css';

const words = messages.deletion;

/** What goes with it, as far as the list has counted. */
function foundText({
  checks_count: checks,
  config_count: configs,
  config_scrapper_count: scrapers,
}: AgentRow) {
  const counts = [
    [checks, words.found.checks],
    [configs, words.found.configs],
    [scrapers, words.found.scrapers],
  ] as const;
  const parts = counts.flatMap(([count, text]) =>
    count === null || count === undefined ? [] : [text(count)],
  );
  return [words.everything, parts.join(', ')].filter(Boolean).join(': ');
}

interface DeleteAgentProps {
  row: AgentRow;
  onClose: () => void;
}

/** First what becomes of all that it brought, then whether it is really to go (spec 1 §4). */
export function DeleteAgent({ row, onClose }: DeleteAgentProps) {
  const { isBusy, run } = useAdminister();
  const toasts = useToasts();
  const [cleanup, setCleanup] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const name = row.name ?? row.id;
  const remove = async () => {
    const answer = await run({ name: 'delete_agent', id: row.id, cleanup: cleanup === true });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.deleted);
    onClose();
  };
  if (cleanup === null) {
    return (
      <Modal title={words.resourcesTitle} size="very-small" onClose={onClose}>
        <p>{words.resourcesQuestion(name)}</p>
        <div className={classes.answers}>
          <Button onClick={() => setCleanup(true)}>{words.yes}</Button>
          <Button look="primary" data-autofocus="" onClick={() => setCleanup(false)}>
            {words.no}
          </Button>
        </div>
      </Modal>
    );
  }
  return (
    <ConfirmDialog
      key="confirm"
      title={words.title}
      question={cleanup ? words.questionWithAll(name, foundText(row)) : words.question(name)}
      confirm={words.confirm}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
