/** What can be done with a component (spec 2 §2 'Card actions'). */
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { draftOfComponent } from '../../../domain/incident/evidence-snapshot.ts';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';

interface ComponentActionsProps {
  component: ComponentFacts;
  isWide: boolean;
}

/** See the head of this file. */
export function ComponentActions({ component, isWide }: ComponentActionsProps) {
  return (
    <AttachButton
      look={isWide ? 'button' : 'icon'}
      draft={() => draftOfComponent({ ...component, health: component.state })}
    />
  );
}
