import type { ReactNode } from 'react';
import { Button } from '../../ui/actions/Button.tsx';
import { Modal } from '../../ui/overlays/Modal.tsx';
import type { Asked } from './bulk-parts.ts';
import classes from './bulk.module.css';

export interface ChangeDialogProps {
  onApply: (asked: Asked) => void;
  onClose: () => void;
}

interface ChangeFrameProps {
  title: string;
  apply: string;
  /** There is nothing to apply (yet). */
  isBlocked?: boolean;
  onApply: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of a change of many: its fields, and the button that applies them. */
export function ChangeFrame({
  title,
  apply,
  isBlocked = false,
  onApply,
  onClose,
  children,
}: ChangeFrameProps) {
  return (
    <Modal title={title} size="very-small" onClose={onClose}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onApply();
        }}
      >
        {children}
        <Button type="submit" look="primary" disabled={isBlocked}>
          {apply}
        </Button>
      </form>
    </Modal>
  );
}
