/** What can be done with a component, on its page: what is done often as buttons, the rest in a menu. */
import { IconDotsVertical } from '@tabler/icons-react';
import { useState } from 'react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { draftOfComponent } from '../../../domain/incident/evidence-snapshot.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { PlaybooksButton } from '../../../ui/page/Playbooks.tsx';
import { SilenceButton } from '../../../ui/page/Silences.tsx';
import { ComponentDialogs } from '../actions/ComponentDialogs.tsx';
import { ComponentMenuItems, type ComponentDialog } from '../actions/ComponentMenuItems.tsx';
import { messages } from '../actions/messages.ts';

interface ComponentActionsProps {
  component: ComponentFacts;
  /** Room for words beside the name. */
  hasRoom: boolean;
}

/** See the head of this file. */
export function ComponentActions({ component, hasRoom }: ComponentActionsProps) {
  const [opened, setOpened] = useState<ComponentDialog | null>(null);
  const look = hasRoom ? 'button' : 'icon';
  return (
    <>
      <Acknowledge
        kind="component"
        id={component.id}
        isBad={component.state === 'unhealthy' || component.state === 'warning'}
        look={look}
      />
      <PlaybooksButton look={look} resource={{ kind: 'component', id: component.id, name: component.name }} />
      <AttachButton look={look} draft={() => draftOfComponent({ ...component, health: component.state })} />
      <SilenceButton look={look} kind="component" id={component.id} />
      <Popover
        kind="menu"
        label={messages.actions}
        trigger={(trigger) => (
          <IconButton {...trigger} label={messages.actions}>
            <IconDotsVertical size={18} />
          </IconButton>
        )}
      >
        {(close) => (
          <ComponentMenuItems
            component={component}
            hasAttach={false}
            closeMenu={close}
            onDialog={setOpened}
          />
        )}
      </Popover>
      <ComponentDialogs
        opened={opened === null ? null : { dialog: opened, component }}
        onClose={() => setOpened(null)}
      />
    </>
  );
}
