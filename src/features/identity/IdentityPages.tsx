/** Each page of the identity flows: its title, its question, its ways to the others. */
import type { IdentityFlow } from '../../contract/http/identity/identity-flow.ts';
import type { IdentitySearch } from '../../domain/identity/identity-search.ts';
import { flowQuery } from '../../domain/identity/identity-search.ts';
import { lockTablet, tabletHere } from '../../data/device/platform-tablet.ts';
import type { FlowFollowers } from '../../data/session/use-identity-flow.ts';
import { FLOW_PAGES, type FlowKind } from '../../domain/identity/flow-reaction.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { FlowPage } from './FlowPage.tsx';
import { messages } from './messages.ts';

interface IdentityPageProps extends FlowFollowers {
  kind: Exclude<FlowKind, 'settings'>;
  search: IdentitySearch;
  here: string;
  /** Whether anybody may make an account. */
  isRegistrationOpen: boolean;
  /** Only where the deployment is a demonstration. */
  mayAutoSubmit: boolean;
  onSignOut: () => void;
  onFlow: (flow: IdentityFlow) => void;
}

type Purpose = 'begin' | 'second factor' | 'confirm';

/** What the sign-in is for: the address says so, or the flow that the server led to. */
function purposeOf(search: IdentitySearch, flow: IdentityFlow | null): Purpose {
  if (search.refresh === 'true' || flow?.refresh === true) return 'confirm';
  return search.aal === 'aal2' || flow?.requested_aal === 'aal2' ? 'second factor' : 'begin';
}

function titleOf(kind: IdentityPageProps['kind'], purpose: Purpose): string {
  if (kind !== 'login') return messages.titles[kind];
  switch (purpose) {
    case 'begin':
      return messages.titles.login;
    case 'second factor':
      return messages.secondFactor;
    case 'confirm':
      return messages.confirm;
  }
}

type PageLinksProps = Pick<IdentityPageProps, 'kind' | 'isRegistrationOpen' | 'onSignOut'> & {
  purpose: Purpose;
};

function PageLinks({ kind, purpose, isRegistrationOpen, onSignOut }: PageLinksProps) {
  if (kind !== 'login') return <AppLink href={FLOW_PAGES.login}>{messages.toSignIn}</AppLink>;
  if (purpose !== 'begin') {
    return (
      <AppLink
        href={FLOW_PAGES.login}
        onClick={(event) => {
          event.preventDefault();
          onSignOut();
        }}
      >
        {messages.signOut}
      </AppLink>
    );
  }
  return (
    <>
      <AppLink href={FLOW_PAGES.recovery}>{messages.resetPassword}</AppLink>
      {isRegistrationOpen && <AppLink href={FLOW_PAGES.registration}>{messages.createAccount}</AppLink>}
      {tabletHere() !== null && (
        <AppLink
          href="/"
          onClick={(event) => {
            event.preventDefault();
            lockTablet();
          }}
        >
          {messages.openWithPin}
        </AppLink>
      )}
    </>
  );
}

/** Sends a sign-in by itself where the address brought name and password, and `mayAutoSubmit`. */
export function IdentityPage(props: IdentityPageProps) {
  const { kind, search, here, mayAutoSubmit, onFlow, onGo, onDone } = props;
  const { username, password } = search;
  const isGiven = mayAutoSubmit && kind === 'login' && username !== undefined && password !== undefined;
  return (
    <FlowPage
      question={{ kind, flowId: search.flow ?? null, query: flowQuery(kind, search), here }}
      title={(flow) => titleOf(kind, purposeOf(search, flow))}
      autoSubmit={isGiven ? { identifier: username, password } : null}
      links={(flow) => <PageLinks {...props} purpose={purposeOf(search, flow)} />}
      onFlow={onFlow}
      onGo={onGo}
      onDone={onDone}
    />
  );
}
