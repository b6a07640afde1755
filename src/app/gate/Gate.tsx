/**
 * Lets in who is signed in, and says to everyone else why not (spec 1 §2). A remembered user is let in before
 * the server answered: what is on the device is theirs.
 */
import type { ReactNode } from 'react';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { SessionUser } from '../../contract/session-user.ts';
import type { SyncStatus } from '../../contract/worker.ts';
import { refresh, signOut } from '../../data/commands/commands.ts';
import { useSession } from '../../data/session/use-session.ts';
import { lockTablet, tabletHere, whoIsOn } from '../../data/device/platform-tablet.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { links } from '../../domain/links.ts';
import { loadPage } from '../platform.ts';
import { ProvisioningScreen, SessionFailedScreen, StartingScreen } from './screens.tsx';

const OrganizationGate = lazy(async () => ({
  default: (await import('./OrganizationGate.tsx')).OrganizationGate,
}));

const RETRY_MS = 5000;
const UNREACHABLE: ReadonlySet<SyncStatus['connection']> = new Set(['offline', 'server-unreachable']);

/** Goes once: the address changes under this screen while the page it leads to is still loading. */
function Redirect({ to, onGo }: { to: string; onGo: (path: string) => void }) {
  const [target] = useState(to);
  useEffect(() => onGo(target), [target, onGo]);
  return <StartingScreen />;
}

function Provisioning() {
  useEffect(() => {
    const timer = setInterval(refresh, RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return <ProvisioningScreen />;
}

/** Where somebody who isn't signed in goes; who was, a moment ago, is looked at once more (spec 1 §8). */
function entryPath(href: string, facts: { wasSignedIn: boolean; isSecondFactorDue: boolean }): string {
  if (facts.isSecondFactorDue) return links.secondFactor(href);
  return facts.wasSignedIn ? links.authStateChecker(href) : links.login(href);
}

/** Ends the session here; what wasn't sent goes with it or stays sealed for the same user. */
export type SignOut = (options: { keepOutbox: boolean }) => void;

/**
 * On a shared tablet nobody signs in where somebody else's store is open: a session that the server ended locks it. Who
 * then opens it with the PIN signs in again there.
 */
function useLockWhereItEnded(session: ReturnType<typeof useSession>): void {
  const [wasConfirmed, setWasConfirmed] = useState(false);
  if (session.kind === 'signed-in' && session.isConfirmed && !wasConfirmed) setWasConfirmed(true);
  const hasEnded = session.kind === 'signed-out' && wasConfirmed;
  useEffect(() => {
    if (hasEnded && tabletHere() !== null && whoIsOn() !== 'new') lockTablet();
  }, [hasEnded]);
}

interface GateProps {
  /** Where the visitor is, to come back to after signing in. */
  href: string;
  onGo: (path: string) => void;
  children: (user: SessionUser, onSignOut: SignOut) => ReactNode;
}

/** `href` is where the user wants to be, and comes back to after signing in. */
export function Gate({ href, onGo, children }: GateProps) {
  const session = useSession();
  // Who signs out is done here: the next person starts at the beginning.
  const [isLeaving, setIsLeaving] = useState(false);
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (session.kind === 'signed-in' && !wasSignedIn) setWasSignedIn(true);
  useLockWhereItEnded(session);
  const isHosted =
    session.kind === 'no-organization' ||
    (session.kind === 'signed-in' && session.user.organization !== undefined);
  const isReachable = !UNREACHABLE.has(useSyncStatus().connection);
  const handleSignOut: SignOut = (options) => {
    setIsLeaving(true);
    // The provider's session ends with ours, where it can be reached: else Continue would need no password.
    const leave = () => {
      // The next person finds the locked tablet, not this page.
      if (tabletHere() !== null) return lockTablet();
      if (isHosted && isReachable) loadPage(links.providerSignOut());
    };
    signOut(options).then(leave, (error: unknown) => reportError(error));
  };
  switch (session.kind) {
    case 'unknown':
    case 'switching':
      return <StartingScreen />;
    case 'no-organization':
      return (
        <Suspense fallback={<StartingScreen />}>
          <OrganizationGate onGo={onGo} onSignOut={() => handleSignOut({ keepOutbox: true })} />
        </Suspense>
      );
    case 'signed-out': {
      const isSecondFactorDue = session.isSecondFactorDue === true;
      const entry = entryPath(href, { wasSignedIn, isSecondFactorDue });
      return <Redirect to={isLeaving ? '/login' : entry} onGo={onGo} />;
    }
    case 'provisioning':
      return <Provisioning />;
    case 'failed':
      return <SessionFailedScreen error={session.error} onRetry={refresh} />;
    case 'signed-in':
      return children(session.user, handleSignOut);
  }
}
