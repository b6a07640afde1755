import type { ReactNode } from 'react';
import { FoldingSection } from '../../../ui/page/FoldingSection.tsx';
import { DoneCount } from '../done/DoneCount.tsx';
import { messages } from './messages.ts';
import classes from '../page.module.css';
import type { Panel } from '../url-state.ts';

const PANELS: readonly Panel[] = ['details', 'done', 'changelog'];

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
        <FoldingSection
          key={panel}
          text={messages.panels[panel]}
          badge={panel === 'done' ? <DoneCount /> : null}
          isOpen={open === panel}
          onToggle={() => onOpen(open === panel ? null : panel)}
        >
          {content(panel)}
        </FoldingSection>
      ))}
    </aside>
  );
}
