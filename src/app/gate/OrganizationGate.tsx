/** The organisation picker at the gate, and the page that both picking and switching lead to (spec 1 §2). */
import { useEffect, useState } from 'react';
import { checkSession } from '../../data/commands/commands.ts';
import { useSession } from '../../data/session/use-session.ts';
import { links } from '../../domain/links.ts';
import { OrganizationPicker } from '../../features/organizations/OrganizationPicker.tsx';
import { StartingScreen } from './screens.tsx';

/** For who is signed in and works in no organisation. */
export function OrganizationGate(props: { onGo: (path: string) => void; onSignOut: () => void }) {
  const { onGo, onSignOut } = props;
  return <OrganizationPicker onSwitched={() => onGo(links.organizationSwitched())} onSignOut={onSignOut} />;
}

/**
 * `/organizations/orgs-switched`: the server is asked who is signed in where, which also takes what this device kept
 * of the organisation before; then to the dashboard.
 */
export function OrganizationSwitched({ onGo }: { onGo: (path: string) => void }) {
  const { kind } = useSession();
  const isSwitching = kind === 'switching' || kind === 'unknown';
  // Whoever is switching asks the server already.
  const [isAsked, setIsAsked] = useState(isSwitching);
  const [mustAsk] = useState(!isSwitching);
  useEffect(() => {
    if (!mustAsk) return undefined;
    let isCurrent = true;
    // A failure shows as a state of the session, at the gate.
    void checkSession().then(() => {
      if (isCurrent) setIsAsked(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [mustAsk]);
  useEffect(() => {
    if (isAsked && !isSwitching) onGo(links.topology());
  }, [isAsked, isSwitching, onGo]);
  return <StartingScreen />;
}
