/** Sign-in and registration in hosted mode (contract §2.3): both happen at the provider, which is one press away. */
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { EntryPage } from '../../ui/page/EntryPage.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';

interface HostedEntryProps {
  kind: 'login' | 'registration';
  onContinue: () => void;
}

/** `onContinue` leads to the provider. */
export function HostedEntry({ kind, onContinue }: HostedEntryProps) {
  const isOffline = useSyncStatus().connection === 'offline';
  return (
    <EntryPage title={messages.titles[kind]}>
      <p className={classes.hint}>{messages.hosted.hint[kind]}</p>
      {isOffline && (
        <p className={classes.offline} role="status">
          {messages.offline}
        </p>
      )}
      <Button look="primary" className={classes.submit} disabled={isOffline} onClick={onContinue} autoFocus>
        {messages.hosted.go}
      </Button>
    </EntryPage>
  );
}
