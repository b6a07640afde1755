/** Joins the identity pages to the session, the address bar and the server's redirects. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { checkSession, signOut } from '../../data/commands/commands.ts';
import type { IdentityFlow } from '../../contract/http/identity/identity-flow.ts';
import { followable } from '../../data/session/follow-address.ts';
import { useIdentityOptions } from '../../data/session/use-identity-options.ts';
import { useSession } from '../../data/session/use-session.ts';
import type { FlowKind } from '../../domain/identity/flow-reaction.ts';
import type { IdentitySearch } from '../../domain/identity/identity-search.ts';
import type { SessionState } from '../../contract/worker.ts';
import { links, safeReturnTo } from '../../domain/links.ts';
import { HostedEntry } from '../../features/identity/HostedEntry.tsx';
import { IdentityPage } from '../../features/identity/IdentityPages.tsx';
import { ProfileSettingsPage } from '../../features/identity/ProfileSettingsPage.tsx';
import { lazyPart } from '../../ui/page/lazy-part.tsx';
import { StartingScreen } from '../gate/screens.tsx';
import { loadPage, ownOrigin } from '../platform.ts';

const ReachSettings = lazyPart(
  async () => (await import('../../features/reach/ReachSettings.tsx')).ReachSettings,
);

/** Follows an address that the identity server named: a page of ours, or one that the browser loads. */
function useFollow(): (address: string) => void {
  const router = useRouter();
  return useCallback(
    (address) => {
      const target = followable(address, ownOrigin());
      if (target === null) router.history.replace('/');
      else if (target.kind === 'load') loadPage(target.href);
      else router.history.replace(target.path);
    },
    [router],
  );
}

function useHere(): string {
  return useRouterState({ select: (state) => state.location.href });
}

/** True when the page has work to do although somebody is signed in: to confirm who it is. */
function asksAgain(kind: FlowKind, search: IdentitySearch): boolean {
  return kind === 'verification' || kind === 'recovery' || search.refresh === 'true' || search.aal === 'aal2';
}

/** True when nothing but name and password differ: those are taken out of the address on purpose. */
function isSameQuestion(one: IdentitySearch, other: IdentitySearch): boolean {
  const { username: _name, password: _password, ...asked } = one;
  const { username: _otherName, password: _otherPassword, ...otherAsked } = other;
  const names = new Set([...Object.keys(asked), ...Object.keys(otherAsked)] as (keyof typeof asked)[]);
  return [...names].every((name) => asked[name] === otherAsked[name]);
}

/** Sends on who is signed in already. */
function GoOn({ to }: { to: string }) {
  const follow = useFollow();
  useEffect(() => follow(to), [follow, to]);
  return <StartingScreen />;
}

/** While it isn't known who is here, nobody is asked to sign in. */
const UNSETTLED: ReadonlySet<SessionState['kind']> = new Set(['unknown', 'provisioning', 'switching']);

interface IdentityRouteProps {
  kind: Exclude<FlowKind, 'settings'>;
  search: IdentitySearch;
}

/** One of the pages before the app; who is signed in already is led on. */
export function IdentityRoute({ kind, search }: IdentityRouteProps) {
  const session = useSession();
  const follow = useFollow();
  const here = useHere();
  const { options, isSettled: isKnown } = useIdentityOptions();
  // The query may hold a password: it doesn't stay in the address bar or the history.
  const [kept, setKept] = useState(search);
  if (!isSameQuestion(search, kept)) setKept(search);
  const hasCredentials = search.password !== undefined;
  const router = useRouter();
  useEffect(() => {
    if (!hasCredentials) return;
    const { username: _username, password: _password, ...rest } = search;
    router.history.replace(`/login?${new URLSearchParams(rest).toString()}`);
  }, [hasCredentials, router, search]);

  const handleGo = useCallback(
    (address: string) => {
      // The server knows a session that this page doesn't: it is asked whose it is before anyone is sent on.
      void checkSession().then(() => follow(address === '/' ? safeReturnTo(search.return_to) : address));
    },
    [follow, search.return_to],
  );
  const handleDone = useCallback(
    (returnTo: string | null) => follow(safeReturnTo(returnTo ?? search.return_to)),
    [follow, search.return_to],
  );
  // A flow that the server began knows the way back; the address names the flow only.
  const [flowReturnTo, setFlowReturnTo] = useState<string | null>(null);
  const handleFlow = useCallback((flow: IdentityFlow) => setFlowReturnTo(flow.return_to ?? null), []);
  const isUnsettled = UNSETTLED.has(session.kind);
  if (isUnsettled || !isKnown) return <StartingScreen />;
  const isIn = session.kind === 'signed-in' || session.kind === 'no-organization';
  if (isIn && !asksAgain(kind, kept)) return <GoOn to={safeReturnTo(flowReturnTo ?? search.return_to)} />;
  if (options?.mode === 'hosted') {
    const handleContinue = () => loadPage(links.providerSignIn(safeReturnTo(search.return_to)));
    return <HostedEntry kind={kind === 'registration' ? kind : 'login'} onContinue={handleContinue} />;
  }
  const isRaising = kept.aal === 'aal2' || kept.refresh === 'true';
  return (
    <IdentityPage
      key={`${kind} ${kept.aal ?? ''} ${kept.refresh ?? ''} ${String(isRaising)}`}
      kind={kind}
      search={kept}
      here={here}
      isRegistrationOpen={options?.registration === 'open'}
      mayAutoSubmit={options?.isAuthDemo === true}
      onSignOut={() => void signOut({ keepOutbox: true }).then(() => follow('/login'))}
      onFlow={handleFlow}
      onGo={handleGo}
      onDone={handleDone}
    />
  );
}

/** `/profile-settings`, within the app. */
export function ProfileSettingsRoute({ search }: { search: IdentitySearch }) {
  const follow = useFollow();
  const here = useHere();
  const handleDone = useCallback(() => {}, []);
  return (
    <ProfileSettingsPage
      search={search}
      here={here}
      reach={
        <Suspense fallback={null}>
          <ReachSettings />
        </Suspense>
      }
      onGo={follow}
      onDone={handleDone}
    />
  );
}
