import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { DoneCount } from '../done/DoneCount.tsx';
import { messages } from './messages.ts';
import classes from '../page.module.css';
import type { Panel } from '../url-state.ts';

const PANELS: readonly Panel[] = ['details', 'done', 'changelog'];

interface SectionProps {
  text: string;
  badge: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Section({ text, badge, isOpen, onToggle, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section}>
      <h2>
        <button
          type="button"
          className={classes.sectionHead}
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
        <div id={id} className={classes.sectionBody}>
          {children}
        </div>
      )}
    </section>
  );
}

interface SidePanelProps {
  open: Panel | null;
  onOpen: (panel: Panel | null) => void;
  content: (panel: Panel) => ReactNode;
}

/** Sections beside the tabs, one open at a time. */
export function SidePanel({ open, onOpen, content }: SidePanelProps) {
  return (
    <aside className={classes.side} aria-label={messages.panelsLabel}>
      {PANELS.map((panel) => (
        <Section
          key={panel}
          text={messages.panels[panel]}
          badge={panel === 'done' ? <DoneCount /> : null}
          isOpen={open === panel}
          onToggle={() => onOpen(open === panel ? null : panel)}
        >
          {content(panel)}
        </Section>
      ))}
    </aside>
  );
}
