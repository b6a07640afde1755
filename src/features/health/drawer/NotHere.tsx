import { IconAlertOctagon, IconCloudOff } from '@tabler/icons-react';
import type { ErrorFacts } from '../../../contract/errors.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';

const ICON = { size: 28, stroke: 1.3 };

/** Why there is no answer: not kept here while there is no connection, or a failure, in its words. */
export function NotHere({ what, error }: { what: string; error: ErrorFacts }) {
  const { connection } = useSyncStatus();
  const isDown = connection === 'offline' || connection === 'server-unreachable';
  if (isDown && error.code === 'network') {
    return (
      <StateNote title={messages.notKept} icon={<IconCloudOff {...ICON} />} role="status">
        <p>{messages.notKeptHint(what)}</p>
      </StateNote>
    );
  }
  return (
    <StateNote title={messages.notLoaded(what)} icon={<IconAlertOctagon {...ICON} />} role="alert">
      <p>{messages.errorText(error)}</p>
    </StateNote>
  );
}
