/**
 * Fields behind a press. They are drawn when they are first looked at: most are never, and a check has hundreds. While
 * something is wrong with one of them, it stays open.
 */
import { useState, type ReactNode } from 'react';
import classes from './document.module.css';
import type { DocumentPath } from './edit-document.ts';
import { useHasToldProblem } from './form-context.ts';

interface FieldFoldProps {
  title: string;
  /** At first. */
  isOpen?: boolean;
  /** Where its fields stand in the document. */
  paths: readonly DocumentPath[];
  children: ReactNode;
}

/** See the head of this file. */
export function FieldFold({ title, isOpen: isOpenAtFirst = false, paths, children }: FieldFoldProps) {
  const isWrong = useHasToldProblem(paths);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const [isDrawn, setIsDrawn] = useState(isOpenAtFirst);
  if (isWrong && !isOpen) setIsOpen(true);
  if (isOpen && !isDrawn) setIsDrawn(true);
  return (
    <details
      className={classes.fold}
      open={isOpen}
      onToggle={(event) => {
        const { currentTarget: fold, target } = event;
        // One within it tells of itself.
        if (target !== fold) return;
        if (isWrong) fold.open = true;
        else setIsOpen(fold.open);
      }}
    >
      <summary>{title}</summary>
      {isDrawn && <div className={classes.fields}>{children}</div>}
    </details>
  );
}
