/** Parts of the shell that are loaded when they are first needed. */
import { lazyPart, MissingPart, MissingSheet, Nothing } from '../../ui/page/lazy-part.tsx';

/** What the connectivity chip tells when it is pressed. */
export const ConnectionDetails = lazyPart(
  async () => (await import('./connection/ConnectionDetails.tsx')).ConnectionDetails,
  MissingPart,
);

/** Asks what is on the device. */
export const DemoTag = lazyPart(async () => (await import('./DemoTag.tsx')).DemoTag, Nothing);

/** Asks before unsent text is left. */
export const LeaveGuard = lazyPart(async () => (await import('./LeaveGuard.tsx')).LeaveGuard, Nothing);

/** Reads what is new. */
export const InboxBell = lazyPart(
  async () => (await import('../../features/inbox/InboxBell.tsx')).InboxBell,
  Nothing,
);

/** What happened meanwhile. */
export const CatchUp = lazyPart(
  async () => (await import('../../features/catch-up/CatchUp.tsx')).CatchUp,
  Nothing,
);

export const OrganizationSwitcher = lazyPart(
  async () => (await import('../../features/organizations/OrganizationSwitcher.tsx')).OrganizationSwitcher,
  Nothing,
);

/** Who knows of a thing, for those who may say that they do, and for those who may only read. */
export const ChangeableAcknowledge = lazyPart(
  async () => (await import('../../features/acknowledge/AcknowledgeControl.tsx')).ChangeableAcknowledge,
  Nothing,
);
export const ReadAcknowledge = lazyPart(
  async () => (await import('../../features/acknowledge/AcknowledgeControl.tsx')).ReadAcknowledge,
  Nothing,
);

/** Once somebody chose something of a list. */
export const BulkBar = lazyPart(
  async () => (await import('../../features/bulk/BulkBar.tsx')).BulkBar,
  MissingPart,
);

export const Shortcuts = lazyPart(
  async () => (await import('../../features/help/Shortcuts.tsx')).Shortcuts,
  MissingPart,
);

export const KubeconfigModal = lazyPart(
  async () => (await import('./kubeconfig/KubeconfigModal.tsx')).KubeconfigModal,
  MissingSheet,
);

/** A shared tablet must not go on without it: what can't be loaded says so. */
export const TabletMenu = lazyPart(
  async () => (await import('../../features/tablet/TabletMenu.tsx')).TabletMenu,
  MissingPart,
);
export const SignOutSheet = lazyPart(
  async () => (await import('./sign-out/SignOutSheet.tsx')).SignOutSheet,
  MissingSheet,
);

export const LinkToIncident = lazyPart(
  async () => (await import('../../features/incidents/link/LinkToIncident.tsx')).LinkToIncident,
  MissingSheet,
);

export const RunModal = lazyPart(
  async () => (await import('../../features/playbooks/start/RunModal.tsx')).RunModal,
  MissingSheet,
);

/** What may be run on a thing, in a menu. */
export const PlaybookChoices = lazyPart(
  async () => (await import('../../features/playbooks/start/PlaybookChoices.tsx')).PlaybookChoices,
  MissingPart,
);

export const PreparedRun = lazyPart(
  async () => (await import('../../features/playbooks/prepared/PreparedRun.tsx')).PreparedRun,
  MissingPart,
);

/** Asks about prepared runs when the server is back. */
export const PreparedReminder = lazyPart(
  async () => (await import('../../features/playbooks/prepared/PreparedReminder.tsx')).PreparedReminder,
  Nothing,
);

/** Has this device keep the playbooks that may be needed without a network. */
export const KeepPlaybooks = lazyPart(
  async () => (await import('../../features/playbooks/prepared/KeepPlaybooks.tsx')).KeepPlaybooks,
  Nothing,
);

/** Says how a thing is. */
export const HealthOfThing = lazyPart(
  async () => (await import('./HealthOfThing.tsx')).HealthOfThing,
  Nothing,
);

/** Says of a thing that it is silent. */
export const SilenceMark = lazyPart(
  async () => (await import('../../features/notifications/silences/SilenceMark.tsx')).SilenceMark,
  Nothing,
);
