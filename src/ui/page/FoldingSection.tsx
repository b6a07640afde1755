import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import classes from './FoldingSection.module.css';

interface FoldingSectionProps {
  text: string;
  /** How much is in it. */
  badge?: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  /** Rendered only while open. */
  children: ReactNode;
}

/** A part of a side panel that opens and closes under its heading. */
export function FoldingSection({ text, badge, isOpen, onToggle, children }: FoldingSectionProps) {
  const id = useId();
  return (
    <section className={classes.section}>
      <h2>
        <button
          type="button"
          className={classes.head}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <IconChevronDown size={16} aria-hidden className={isOpen ? '' : classes.folded} />
          {text}
          {badge}
        </button>
      </h2>
      {isOpen && (
        <div id={id} className={classes.body}>
          {children}
        </div>
      )}
    </section>
  );
}
