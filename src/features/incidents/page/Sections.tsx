/** The parts of an incident page by name, the same on every screen. */
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { ActionPlan } from '../plan/ActionPlan.tsx';
import { Changelog } from './changelog/Changelog.tsx';
import { Comments } from '../comments/Comments.tsx';
import { Details } from './Details.tsx';
import { DonePanel } from '../done/DonePanel.tsx';
import type { PageState, Section } from '../url-state.ts';

interface SectionsProps {
  row: IncidentRow;
  state: PageState;
  onState: (part: Partial<PageState>) => void;
}

/** One of them. */
export function sectionOf(section: Section, { row, state, onState }: SectionsProps): ReactNode {
  switch (section) {
    case 'comments':
      return <Comments focusedComment={state.comment} />;
    case 'plan':
      return (
        <ActionPlan hasComments={state.hasComments} onComments={(hasComments) => onState({ hasComments })} />
      );
    case 'details':
      return <Details row={row} />;
    case 'done':
      return <DonePanel />;
    case 'changelog':
      return <Changelog />;
  }
}
