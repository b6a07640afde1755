/** Each page of the identity flows: its title, its question, its ways to the others. */
import type { IdentitySearch } from '../../domain/identity/identity-search.ts';
import { flowQuery } from '../../domain/identity/identity-search.ts';
import type { FlowFollowers } from '../../data/use-identity-flow.ts';
import { FLOW_PAGES, type FlowKind } from '../../domain/identity/flow-reaction.ts';
import { AppLink } from '../../ui/AppLink.tsx';
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
}

function titleOf(kind: IdentityPageProps['kind'], search: IdentitySearch): string {
  if (kind !== 'login') return messages.titles[kind];
  if (search.refresh === 'true') return messages.confirm;
  return search.aal === 'aal2' ? messages.secondFactor : messages.titles.login;
}

function PageLinks({ kind, search, isRegistrationOpen, onSignOut }: IdentityPageProps) {
  if (kind !== 'login') return <AppLink href={FLOW_PAGES.login}>{messages.toSignIn}</AppLink>;
  if (search.aal === 'aal2' || search.refresh === 'true') {
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
    </>
  );
}

export function IdentityPage(props: IdentityPageProps) {
  const { kind, search, here, mayAutoSubmit, onGo, onDone } = props;
  const { username, password } = search;
  const isGiven = mayAutoSubmit && kind === 'login' && username !== undefined && password !== undefined;
  return (
    <FlowPage
      question={{ kind, flowId: search.flow ?? null, query: flowQuery(kind, search), here }}
      title={titleOf(kind, search)}
      autoSubmit={isGiven ? { identifier: username, password } : null}
      links={<PageLinks {...props} />}
      onGo={onGo}
      onDone={onDone}
    />
  );
}
