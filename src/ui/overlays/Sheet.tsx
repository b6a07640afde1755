/**
 * A dialog at an edge of the screen, or in its middle. The browser's own modal: focus stays inside, everything
 * behind is inert, Escape closes, and focus goes back where it was. What was typed in it is never lost without a
 * question: a part with `data-unsaved` is asked about, unless it says "kept" (it survives closing, or its dialog asks).
 */
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../actions/Button.tsx';
import { messages } from '../messages.ts';
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

const UNSAVED = '[data-unsaved]:not([data-unsaved="kept"])';

/** What was typed is given up only when somebody says so. */
export function DiscardQuestion({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  return (
    <Sheet label={messages.discard.title} side="center" hasTitle onClose={onKeep}>
      <p>{messages.discard.question}</p>
      <div className={classes.answers}>
        <Button onClick={onDiscard}>{messages.discard.confirm}</Button>
        <Button look="primary" data-autofocus="" onClick={onKeep}>
          {messages.discard.keep}
        </Button>
      </div>
    </Sheet>
  );
}

/** See the head of this file. */
export function Sheet({ label, side, size = 'very-small', onClose, hasTitle = false, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => {
    if (dialog.current?.querySelector(UNSAVED) == null) onClose();
    else setIsAsking(true);
  };
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
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Else the browser may close the question together with the dialog that it is about.
        event.preventDefault();
        event.stopPropagation();
        leave();
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClose={() => {
        // A browser may close it without asking when Escape is pressed again and again.
        if (dialog.current === null || dialog.current.open) return;
        dialog.current.showModal();
        leave();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) leave();
      }}
    >
      {hasTitle && (
        <div className={classes.head}>
          <h2>{label}</h2>
          <IconButton label={messages.close} onClick={leave}>
            <IconX size={18} />
          </IconButton>
        </div>
      )}
      {hasTitle ? <div className={classes.body}>{children}</div> : children}
      {isAsking && <DiscardQuestion onDiscard={onClose} onKeep={() => setIsAsking(false)} />}
    </dialog>
  );
}
