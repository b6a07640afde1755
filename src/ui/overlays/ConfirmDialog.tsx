import { Button } from '../actions/Button.tsx';
import classes from './ConfirmDialog.module.css';
import { messages } from '../messages.ts';
import { Modal } from './Modal.tsx';

interface ConfirmDialogProps {
  title: string;
  question: string;
  confirm: string;
  isBusy?: boolean;
  /** Why it could not be done. */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is lost. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, question, confirm, isBusy = false, problem = null, onConfirm, onClose } = props;
  return (
    <Modal title={title} size="very-small" onClose={onClose}>
      <p>{question}</p>
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <div className={classes.actions}>
        <Button look="quiet" data-autofocus="" onClick={onClose}>
          {messages.cancel}
        </Button>
        <Button look="primary" disabled={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Modal>
  );
}
