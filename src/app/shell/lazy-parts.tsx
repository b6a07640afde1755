/**
 * Parts of the shell that are loaded when they are first needed. One whose file can't be loaded takes nothing else
 * with it: what the shell does without is left out, what was asked for says so. Once there is a server the page is
 * loaded again (platform.ts).
 */
import { lazy, type ComponentType } from 'react';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { messages } from '../messages.ts';

const words = messages.gate;

function Nothing() {
  return null;
}

function MissingText() {
  return <p>{words.partMissingHint}</p>;
}

function MissingSheet({ onClose }: { onClose: () => void }) {
  return (
    <Sheet label={words.partMissing} side="center" hasTitle onClose={onClose}>
      <MissingText />
    </Sheet>
  );
}

/** `substitute` stands there where the file can't be loaded. */
function part<Props>(load: () => Promise<ComponentType<Props>>, substitute: ComponentType<Props>) {
  return lazy(async () => ({ default: await load().catch(() => substitute) }));
}

/** Asks what is on the device. */
export const DemoTag = part(async () => (await import('./DemoTag.tsx')).DemoTag, Nothing);

/** Reads what is new. */
export const InboxBell = part(
  async () => (await import('../../features/inbox/InboxBell.tsx')).InboxBell,
  Nothing,
);

/** What happened meanwhile. */
export const CatchUp = part(
  async () => (await import('../../features/catch-up/CatchUp.tsx')).CatchUp,
  Nothing,
);

export const OrganizationSwitcher = part(
  async () => (await import('../../features/organizations/OrganizationSwitcher.tsx')).OrganizationSwitcher,
  Nothing,
);

export const Shortcuts = part(
  async () => (await import('../../features/help/Shortcuts.tsx')).Shortcuts,
  MissingText,
);

export const KubeconfigModal = part(
  async () => (await import('./KubeconfigModal.tsx')).KubeconfigModal,
  MissingSheet,
);

export const SignOutSheet = part(async () => (await import('./SignOutSheet.tsx')).SignOutSheet, MissingSheet);

export const LinkToIncident = part(
  async () => (await import('../../features/incidents/link/LinkToIncident.tsx')).LinkToIncident,
  MissingSheet,
);
