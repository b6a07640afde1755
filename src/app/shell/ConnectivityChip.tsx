import { IconClockExclamation, IconCloudOff, IconServerOff } from '@tabler/icons-react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import type { SyncStatus } from '../../contract/worker.ts';
import { Suspense } from 'react';
import { useDevice } from '../../ui/Device.tsx';
import { useMedia } from '../../ui/hooks/use-media.ts';
import { Popover } from '../../ui/overlays/Popover.tsx';
import { messages } from '../messages.ts';
import { connectivityText, type ConnectivityText } from './connectivity-text.ts';
import { FreshnessMark } from './FreshnessMark.tsx';
import { ConnectionDetails } from './lazy-parts.tsx';
import classes from './shell.module.css';

/** There the chip shares its line with the menu's button and the account's. */
const NARROW = '(max-width: 519px)';

function Mark({ status, tone }: { status: SyncStatus; tone: ConnectivityText['tone'] }) {
  if (tone !== 'down') return <FreshnessMark freshness={tone === 'current' ? 'fresh' : 'ageing'} />;
  if (status.connection === 'offline') return <IconCloudOff size={14} aria-hidden />;
  if (status.connection === 'server-unreachable') return <IconServerOff size={14} aria-hidden />;
  return <IconClockExclamation size={14} aria-hidden />;
}

/** How current the screen is, always in sight; pressed, it tells the rest. */
export function ConnectivityChip() {
  const status = useSyncStatus();
  const device = useDevice();
  const isNarrow = useMedia(NARROW);
  const { tone, text, shortText, asOf } = connectivityText(status, device.now());
  return (
    <Popover
      kind="dialog"
      label={messages.connectivity.details}
      trigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          className={`${classes.chip} ${tone === 'current' ? '' : classes[tone]}`}
          data-testid="connectivity"
          data-tone={tone}
          data-frame="place"
        >
          <Mark status={status} tone={tone} />
          <span className={classes.chipText} role="status">
            {isNarrow ? shortText : text}
            {asOf !== null && <span className={classes.chipAsOf}> · {asOf}</span>}
          </span>
        </button>
      )}
    >
      {(close) => (
        <Suspense fallback={text}>
          <ConnectionDetails text={text} onFollow={close} />
        </Suspense>
      )}
    </Popover>
  );
}
