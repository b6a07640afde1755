/**
 * A dialog at an edge of the screen, or in its middle. The browser's own modal: focus stays inside, everything
 * behind is inert, Escape closes, and focus goes back where it was.
 */
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { IconButton } from './Button.tsx';
import { messages } from './messages.ts';
import classes from './Sheet.module.css';

interface SheetProps {
  label: string;
  side: 'left' | 'right' | 'bottom' | 'center';
  onClose: () => void;
  /** How wide a sheet in the middle may get. */
  size?: 'very-small' | 'small' | 'medium' | 'large' | 'full';
  /** Gives the sheet a bar with its label and a close button; without it the content brings its own. */
  hasTitle?: boolean;
  children: ReactNode;
}

export function Sheet({ label, side, size = 'very-small', onClose, hasTitle = false, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open) return;
    const opener = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${classes.sheet} ${classes[side]} ${side === 'center' ? classes[size] : ''}`}
      aria-label={label}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {hasTitle && (
        <div className={classes.head}>
          <h2>{label}</h2>
          <IconButton label={messages.close} onClick={onClose}>
            <IconX size={18} />
          </IconButton>
        </div>
      )}
      {hasTitle ? <div className={classes.body}>{children}</div> : children}
    </dialog>
  );
}
