/** On the bad-session page of the hosted mode (spec 1 §2): another organisation, or signing out. */
import { useIdentityOptions } from '../../data/session/use-identity-options.ts';
import { useSession } from '../../data/session/use-session.ts';
import { links } from '../../domain/links.ts';
import { OrganizationSwitcher } from '../../features/organizations/OrganizationSwitcher.tsx';
import { Button } from '../../ui/actions/Button.tsx';
import { messages } from '../messages.ts';
import { leaveHosted } from './leave-hosted.ts';

/** Nothing outside of the hosted mode. */
export function HostedEscape({ onGo }: { onGo: (path: string) => void }) {
  const { options } = useIdentityOptions();
  const session = useSession();
  if (options?.mode !== 'hosted') return null;
  const place = session.kind === 'signed-in' ? (session.user.organization?.name ?? null) : null;
  return (
    <>
      {session.kind !== 'signed-out' && (
        <OrganizationSwitcher
          name={place}
          unsentCount={0}
          onSwitched={() => onGo(links.organizationSwitched())}
          onManage={() => onGo(links.organizations())}
        />
      )}
      <Button onClick={() => void leaveHosted()}>{messages.top.signOut}</Button>
    </>
  );
}
