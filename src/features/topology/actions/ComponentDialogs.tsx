/** The dialogs of a component's actions, from files that are loaded when the first one opens. */
import { Suspense } from 'react';
import { lazyPart, MissingSheet } from '../../../ui/page/lazy-part.tsx';
import type { ComponentDialog } from './ComponentMenuItems.tsx';

const SnapshotDialog = lazyPart(
  async () => (await import('./SnapshotDialog.tsx')).SnapshotDialog,
  MissingSheet,
);
const LinkCatalogDialog = lazyPart(
  async () => (await import('./LinkCatalogDialog.tsx')).LinkCatalogDialog,
  MissingSheet,
);

/** A component and what is asked of it. */
export interface OpenedDialog {
  dialog: ComponentDialog;
  component: { id: string; name: string };
}

/** See the head of this file. */
export function ComponentDialogs({ opened, onClose }: { opened: OpenedDialog | null; onClose: () => void }) {
  if (opened === null) return null;
  const { dialog, component } = opened;
  return (
    <Suspense fallback={null}>
      {dialog === 'snapshot' && <SnapshotDialog component={component} onClose={onClose} />}
      {dialog === 'link' && <LinkCatalogDialog component={component} onClose={onClose} />}
    </Suspense>
  );
}
