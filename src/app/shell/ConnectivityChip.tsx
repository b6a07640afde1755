import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { refresh } from '../../data/commands.ts';
import { useSyncStatus } from '../../data/use-sync-status.ts';
import type { SyncStatus } from '../../contract/worker.ts';
import { formatDuration, formatInstant } from '../../domain/time/format.ts';
import { Button } from '../../ui/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { messages } from '../messages.ts';
import type { StorageFacts } from '../platform.ts';
import { storageFacts } from '../platform.ts';
import { connectivityText } from './connectivity-text.ts';
import classes from './shell.module.css';

const words = messages.connectivity;
/** Less is within what a round trip can tell. */
const CLOCK_TOLERANCE_MS = 2000;

function clockText(offsetMs: number): string {
  if (Math.abs(offsetMs) < CLOCK_TOLERANCE_MS) return words.clockRight;
  return words.clockOff(formatDuration(Math.abs(offsetMs)), offsetMs > 0);
}

function Details({ status, text }: { status: SyncStatus; text: string }) {
  const [storage, setStorage] = useState<StorageFacts | null>(null);
  useEffect(() => {
    let isShown = true;
    void storageFacts().then((facts) => {
      if (isShown) setStorage(facts);
    });
    return () => {
      isShown = false;
    };
  }, []);
  return (
    <>
      <dl className={classes.details}>
        <dt>{words.state}</dt>
        <dd>{text}</dd>
        <dt>{words.dataAsOf}</dt>
        <dd>{status.asOfMs === null ? words.noData : formatInstant(status.asOfMs)}</dd>
        <dt>{words.lastError}</dt>
        <dd>{status.lastError === null ? words.none : messages.gate.errorText(status.lastError)}</dd>
        <dt>{words.clock}</dt>
        <dd>{clockText(status.offsetMs)}</dd>
        <dt>{words.storage}</dt>
        <dd>
          {storage === null
            ? words.storageUnknown
            : words.storageFacts(storage.usedBytes, storage.isPersisted)}
        </dd>
      </dl>
      <div className={classes.detailsFoot}>
        <Button onClick={refresh}>{words.tryNow}</Button>
      </div>
    </>
  );
}

/** How current the screen is, always in sight; pressed, it tells the rest. */
export function ConnectivityChip() {
  const status = useSyncStatus();
  const device = useDevice();
  const { tone, text, asOf } = connectivityText(status, device.now());
  return (
    <Popover
      kind="dialog"
      label={words.details}
      trigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          className={`${classes.chip} ${tone === 'current' ? '' : classes[tone]}`}
          data-testid="connectivity"
          data-tone={tone}
        >
          {tone === 'down' ? (
            <IconCloudOff size={14} aria-hidden />
          ) : (
            <span className={classes.dot} aria-hidden="true" />
          )}
          <span className={classes.chipText} role="status">
            {text}
            {asOf !== null && <span className={classes.chipAsOf}> · {asOf}</span>}
          </span>
        </button>
      )}
    >
      {() => <Details status={status} text={text} />}
    </Popover>
  );
}
