/** What can be done with a component (spec 2 §2 'Card actions'), as the entries of a menu. */
import { IconCamera, IconLinkPlus, IconLogs, IconPaperclip } from '@tabler/icons-react';
import type { TopologyCard } from '../../../contract/topology-view.ts';
import { links } from '../../../domain/links.ts';
import { draftOfComponent } from '../../../domain/incident/evidence-snapshot.ts';
import { useHasLogs } from '../../../ui/actions/ViewLogs.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { MenuItem } from '../../../ui/overlays/Popover.tsx';
import { useAttachEvidence } from '../../../ui/page/AttachEvidence.tsx';
import { messages } from './messages.ts';
import { useMayLink } from './use-may-link.ts';

/** A component as its card knows it. */
export type ActedOn = Pick<TopologyCard, 'id' | 'name' | 'type' | 'state' | 'status' | 'hasLogs'>;
export type ComponentDialog = 'link' | 'snapshot';

interface ComponentMenuItemsProps {
  component: ActedOn;
  /** Its page has a button for it. */
  hasAttach: boolean;
  closeMenu: () => void;
  onDialog: (dialog: ComponentDialog) => void;
}

/** See the head of this file. */
export function ComponentMenuItems({ component, hasAttach, closeMenu, onDialog }: ComponentMenuItemsProps) {
  const mayLink = useMayLink();
  const hasLogs = useHasLogs() && component.hasLogs;
  const { attach } = useAttachEvidence();
  const device = useDevice();
  const after = (act: () => void) => () => {
    closeMenu();
    act();
  };
  return (
    <>
      {mayLink && (
        <MenuItem icon={<IconLinkPlus size={16} aria-hidden />} onSelect={after(() => onDialog('link'))}>
          {messages.link.action}
        </MenuItem>
      )}
      {hasLogs && (
        <MenuItem
          icon={<IconLogs size={16} aria-hidden />}
          onSelect={after(() => device.navigate(links.logs(component.id)))}
        >
          {messages.viewLogs}
        </MenuItem>
      )}
      {hasAttach && attach !== null && (
        <MenuItem
          icon={<IconPaperclip size={16} aria-hidden />}
          onSelect={after(() => attach([draftOfComponent({ ...component, health: component.state })]))}
        >
          {messages.attach}
        </MenuItem>
      )}
      <MenuItem icon={<IconCamera size={16} aria-hidden />} onSelect={after(() => onDialog('snapshot'))}>
        {messages.snapshot.action}
      </MenuItem>
    </>
  );
}
