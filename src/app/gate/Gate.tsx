/**
 * Lets in who is signed in, and says to everyone else why not (spec 1 §2). A remembered user is let in before
 * the server answered: what is on the device is theirs.
 */
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { SessionState, SessionUser } from '../../contract/worker.ts';
import { refresh, signOut } from '../../data/commands.ts';
import { useSession } from '../../data/use-session.ts';
import { links } from '../../domain/links.ts';
import { ProvisioningScreen, SessionFailedScreen, StartingScreen } from './screens.tsx';

const RETRY_MS = 5000;

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

/** Half a sign-in is finished, none is begun (spec 3 §8 'Session check on load'). */
function loginPath(href: string, session: Extract<SessionState, { kind: 'signed-out' }>): string {
  return session.needsSecondFactor === true ? `${links.login(href)}&aal=aal2` : links.login(href);
}

/** Ends the session here; what wasn't sent goes with it or stays sealed for the same user. */
export type SignOut = (options: { keepOutbox: boolean }) => void;

interface GateProps {
  /** Where the visitor is, to come back to after signing in. */
  href: string;
  onGo: (path: string) => void;
  children: (user: SessionUser, onSignOut: SignOut) => ReactNode;
}

export function Gate({ href, onGo, children }: GateProps) {
  const session = useSession();
  // Who signs out is done here: the next person starts at the beginning.
  const [isLeaving, setIsLeaving] = useState(false);
  const handleSignOut: SignOut = (options) => {
    setIsLeaving(true);
    signOut(options).catch((error: unknown) => reportError(error));
  };
  switch (session.kind) {
    case 'unknown':
      return <StartingScreen />;
    case 'signed-out':
      return <Redirect to={isLeaving ? '/login' : loginPath(href, session)} onGo={onGo} />;
    case 'provisioning':
      return <Provisioning />;
    case 'failed':
      return <SessionFailedScreen error={session.error} onRetry={refresh} />;
    case 'signed-in':
      return children(session.user, handleSignOut);
  }
}
