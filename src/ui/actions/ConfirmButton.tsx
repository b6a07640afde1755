import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from './Button.tsx';
import classes from './ConfirmButton.module.css';
import { messages } from '../messages.ts';

interface ConfirmButtonProps {
  label: string;
  /** Given: only the icon shows until it is pressed. */
  icon?: ReactNode;
  question: string;
  confirm: string;
  /** Another way out, offered beside the confirmation. */
  alternative?: { label: string; act: () => void } | undefined;
  onConfirm: () => void;
}

/** Asks on the spot before something is lost; Escape or Cancel goes back. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, icon, question, confirm, alternative, onConfirm } = props;
  const [isAsking, setIsAsking] = useState(false);
  const group = useRef<HTMLSpanElement>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    // Focus goes to the question, and back to the button when it is taken back.
    if (isAsking || hasAsked.current) group.current?.querySelector('button')?.focus();
    hasAsked.current = isAsking;
  }, [isAsking]);
  const act = (then: () => void) => () => {
    setIsAsking(false);
    then();
  };
  return (
    <span ref={group} className={classes.root}>
      {!isAsking && icon !== undefined && (
        <IconButton label={label} onClick={() => setIsAsking(true)}>
          {icon}
        </IconButton>
      )}
      {!isAsking && icon === undefined && (
        <Button look="quiet" onClick={() => setIsAsking(true)}>
          {label}
        </Button>
      )}
      {isAsking && (
        <span
          role="group"
          aria-label={question}
          className={classes.asking}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setIsAsking(false);
          }}
        >
          <span className={classes.question}>{question}</span>
          <Button look="quiet" onClick={() => setIsAsking(false)}>
            {messages.cancel}
          </Button>
          {alternative !== undefined && <Button onClick={act(alternative.act)}>{alternative.label}</Button>}
          <Button look="primary" onClick={act(onConfirm)}>
            {confirm}
          </Button>
        </span>
      )}
    </span>
  );
}
