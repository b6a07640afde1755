/** What can be done with a component (spec 2 §2 'Card actions'). */
import { IconCamera, IconDotsVertical, IconLinkPlus, IconLogs } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { draftOfComponent } from '../../../domain/incident/evidence-snapshot.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { MenuItem, Popover } from '../../../ui/overlays/Popover.tsx';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { PlaybooksButton } from '../../../ui/page/Playbooks.tsx';
import { SilenceButton } from '../../../ui/page/Silences.tsx';
import { useHasLogs } from '../../../ui/actions/ViewLogs.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { links } from '../../../domain/links.ts';
import { lazyPart, MissingSheet } from '../../../ui/page/lazy-part.tsx';
import { useMayLink } from './CatalogPanel.tsx';
import { messages } from './messages.ts';

const SnapshotDialog = lazyPart(
  async () => (await import('./SnapshotDialog.tsx')).SnapshotDialog,
  MissingSheet,
);
const LinkCatalogDialog = lazyPart(
  async () => (await import('./LinkCatalogDialog.tsx')).LinkCatalogDialog,
  MissingSheet,
);

interface ComponentActionsProps {
  component: ComponentFacts;
  isWide: boolean;
}

/** See the head of this file. */
export function ComponentActions({ component, isWide }: ComponentActionsProps) {
  const mayLink = useMayLink();
  const hasLogs = useHasLogs();
  const device = useDevice();
  const [opened, setOpened] = useState<'link' | 'snapshot' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Acknowledge
        kind="component"
        id={component.id}
        isBad={component.state === 'unhealthy' || component.state === 'warning'}
        look={isWide ? 'button' : 'icon'}
      />
      <PlaybooksButton
        look={isWide ? 'button' : 'icon'}
        resource={{ kind: 'component', id: component.id, name: component.name }}
      />
      <AttachButton
        look={isWide ? 'button' : 'icon'}
        draft={() => draftOfComponent({ ...component, health: component.state })}
      />
      <SilenceButton look={isWide ? 'button' : 'icon'} kind="component" id={component.id} />
      <Popover
        kind="menu"
        label={messages.actions}
        trigger={(trigger) => (
          <IconButton {...trigger} label={messages.actions}>
            <IconDotsVertical size={18} />
          </IconButton>
        )}
      >
        {(closeMenu) => (
          <>
            {mayLink && (
              <MenuItem
                icon={<IconLinkPlus size={16} aria-hidden />}
                onSelect={() => {
                  closeMenu();
                  setOpened('link');
                }}
              >
                {messages.link.action}
              </MenuItem>
            )}
            {hasLogs && component.logs.length > 0 && (
              <MenuItem
                icon={<IconLogs size={16} aria-hidden />}
                onSelect={() => {
                  closeMenu();
                  device.navigate(links.logs(component.id));
                }}
              >
                {messages.viewLogs}
              </MenuItem>
            )}
            <MenuItem
              icon={<IconCamera size={16} aria-hidden />}
              onSelect={() => {
                closeMenu();
                setOpened('snapshot');
              }}
            >
              {messages.snapshot.action}
            </MenuItem>
          </>
        )}
      </Popover>
      <Suspense fallback={null}>
        {opened === 'snapshot' && <SnapshotDialog component={component} onClose={close} />}
        {opened === 'link' && <LinkCatalogDialog component={component} onClose={close} />}
      </Suspense>
    </>
  );
}
