import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../contract/collections.ts';
import { Changelog } from './Changelog.tsx';
import { Details } from './Details.tsx';
import { DonePanel } from './DonePanel.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import type { Panel } from './url-state.ts';

interface SidePanelProps {
  row: IncidentRow;
  open: Panel | null;
  onOpen: (panel: Panel | null) => void;
}

function Section(props: { text: string; isOpen: boolean; onToggle: () => void; children: ReactNode }) {
  const { text, isOpen, onToggle, children } = props;
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

/** Sections beside the tabs, one open at a time. */
export function SidePanel({ row, open, onOpen }: SidePanelProps) {
  const part = (panel: Panel) => ({
    text: messages.panels[panel],
    isOpen: open === panel,
    onToggle: () => onOpen(open === panel ? null : panel),
  });
  return (
    <aside className={classes.side} aria-label={messages.panelsLabel}>
      <Section {...part('details')}>
        <Details row={row} />
      </Section>
      <Section {...part('done')}>
        <DonePanel />
      </Section>
      <Section {...part('changelog')}>
        <Changelog />
      </Section>
    </aside>
  );
}
