/** The user's own account (`/profile-settings`): a card for each thing that can be changed, and the sessions. */
import { useEffect, useState, type ReactNode } from 'react';
import { useIdentityFlow, type FlowFollowers, type FlowState } from '../../data/session/use-identity-flow.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import type { IdentitySearch } from '../../domain/identity/identity-search.ts';
import { flowQuery } from '../../domain/identity/identity-search.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { formsOf } from './flow-parts.ts';
import { FlowForm } from './FlowForm.tsx';
import { FlowNotes } from './FlowNotes.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';
import { OwnSessions } from './OwnSessions.tsx';
import { OwnTokens } from './OwnTokens.tsx';
import { useRetryWhenBack } from './use-retry-when-back.ts';

/** Spec 3 §9. */
const BANNER_MS = 10_000;

/** The state without its banner once that was up long enough. */
function useClearingBanner(state: FlowState): FlowState {
  const [cleared, setCleared] = useState<FlowState['flow']>(null);
  const { flow } = state;
  const hasBanner = flow !== null && flow.ui.messages.length > 0;
  useEffect(() => {
    if (!hasBanner) return;
    const timer = setTimeout(() => setCleared(flow), BANNER_MS);
    return () => clearTimeout(timer);
  }, [flow, hasBanner]);
  if (flow === null || cleared !== flow) return state;
  return { ...state, flow: { ...flow, ui: { ...flow.ui, messages: [] } } };
}

interface ProfileSettingsProps extends FlowFollowers {
  search: IdentitySearch;
  here: string;
  /** How the person is reached. */
  reach: ReactNode;
}

/** Needs the server: without a network nothing of it can be changed. */
export function ProfileSettingsPage({ search, here, reach, onGo, onDone }: ProfileSettingsProps) {
  const isOffline = useSyncStatus().connection === 'offline';
  const handle = useIdentityFlow(
    { kind: 'settings', flowId: search.flow ?? null, query: flowQuery('settings', search), here },
    { onGo, onDone },
  );
  const { flow, isBusy, error, submit, retry } = handle;
  useRetryWhenBack(isOffline, flow !== null, retry);
  const shown = useClearingBanner(handle);
  return (
    <Page title={messages.titles.settings}>
      <div className={classes.form}>
        <FlowNotes state={shown} offlineText={isOffline ? messages.offlineSettings : null} />
        {flow === null && isBusy && !isOffline && <p role="status">{messages.loading}</p>}
        {flow === null && !isBusy && error !== null && (
          <span>
            <Button onClick={retry} disabled={isOffline}>
              {messages.retry}
            </Button>
          </span>
        )}
        <div className={classes.cards}>
          {flow !== null &&
            formsOf('settings', flow).map((parts) => (
              <section key={parts.group} className={classes.section}>
                <h2>{messages.groups[parts.group] ?? parts.group}</h2>
                {messages.groupHints[parts.group] !== undefined && (
                  <p className={classes.hint}>{messages.groupHints[parts.group]}</p>
                )}
                <FlowForm
                  key={flow.id + String(flow.ui.messages.length)}
                  parts={parts}
                  isBusy={isBusy}
                  isDisabled={isOffline}
                  takesFocus={false}
                  onSubmit={submit}
                />
              </section>
            ))}
        </div>
        {!isOffline && reach}
        {!isOffline && <OwnSessions />}
        {!isOffline && <OwnTokens />}
      </div>
    </Page>
  );
}
