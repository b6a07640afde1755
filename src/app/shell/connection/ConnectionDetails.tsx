/** What is behind the chip: how this device stands to the server, and what waits between them. */
import { useEffect, useState } from 'react';
import { refresh } from '../../../data/commands/commands.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import type { Freshness, SyncStatus } from '../../../contract/worker.ts';
import { links } from '../../../domain/links.ts';
import { formatAge, formatClock, formatDuration, formatInstant } from '../../../domain/time/format.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { messages as app } from '../../messages.ts';
import { messages as words } from './messages.ts';
import { readOfflineReadiness, type OfflineReadiness } from '../../platform-offline.ts';
import { shownFreshness } from '../connectivity-text.ts';
import { FreshnessMark } from '../FreshnessMark.tsx';
import { useOutboxCounts } from '../OutboxBadge.tsx';
import { outboxText } from '../outbox-text.ts';
import classes from '../shell.module.css';

/** Less is within what a round trip can tell. */
const CLOCK_TOLERANCE_MS = 2000;

function AsOf({ asOfMs }: { asOfMs: number }) {
  const text = useTicking((nowMs) => words.age(formatClock(asOfMs, nowMs), formatAge(nowMs - asOfMs)));
  return (
    <time dateTime={new Date(asOfMs).toISOString()} title={formatInstant(asOfMs)}>
      {text}
    </time>
  );
}

function FreshnessWord({ freshness }: { freshness: Freshness }) {
  return (
    <span className={classes.freshness}>
      <FreshnessMark freshness={freshness} />
      {words.freshness[freshness]}
    </span>
  );
}

function Waiting({ onFollow }: { onFollow: () => void }) {
  const counts = useOutboxCounts();
  if (counts === null) return app.outbox.nothing;
  return (
    <AppLink href={links.outbox()} onClick={onFollow}>
      {outboxText(counts)}
    </AppLink>
  );
}

/** What is only worth a line when it is out of the ordinary. */
function Unusual({ status }: { status: SyncStatus }) {
  const { offsetMs, firstLoad, lastError } = status;
  const percent = firstLoad === null ? 0 : Math.round(firstLoad * 100);
  return (
    <>
      {firstLoad !== null && (
        <>
          <dt>{words.firstLoad}</dt>
          <dd>
            <progress value={firstLoad} aria-label={words.firstLoad} /> {words.firstLoadPart(percent)}
          </dd>
        </>
      )}
      {Math.abs(offsetMs) > CLOCK_TOLERANCE_MS && (
        <>
          <dt>{words.clock}</dt>
          <dd>{words.clockOff(formatDuration(Math.abs(offsetMs)), offsetMs > 0)}</dd>
        </>
      )}
      {lastError !== null && (
        <>
          <dt>{words.lastError}</dt>
          <dd>{app.gate.errorText(lastError)}</dd>
        </>
      )}
    </>
  );
}

const LOOK_EVERY_MS = 500;

/** Whether the app starts here without a network. */
function WorksOffline() {
  const [found, setFound] = useState<OfflineReadiness | null>(null);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const now = await readOfflineReadiness();
      if (isOver) return;
      setFound(now);
      if (now.kind === 'loading' || now.kind === 'failed') setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
    };
  }, []);
  return found === null ? null : words.worksOffline(found);
}

/** `text` is what the chip says; `onFollow` closes it when a link is followed. */
export function ConnectionDetails({ text, onFollow }: { text: string; onFollow: () => void }) {
  const status = useSyncStatus();
  return (
    <>
      <dl className={classes.details}>
        <dt>{words.state}</dt>
        <dd>{text}</dd>
        {status.asOfMs !== null && (
          <>
            <dt>{words.freshnessName}</dt>
            <dd>
              <FreshnessWord freshness={shownFreshness(status)} />
            </dd>
          </>
        )}
        <dt>{words.dataAsOf}</dt>
        <dd>{status.asOfMs === null ? app.connectivity.noData : <AsOf asOfMs={status.asOfMs} />}</dd>
        <dt>{words.outbox}</dt>
        <dd>
          <Waiting onFollow={onFollow} />
        </dd>
        <dt>{words.worksOfflineName}</dt>
        <dd>
          <WorksOffline />
        </dd>
        <Unusual status={status} />
      </dl>
      <div className={classes.detailsFoot}>
        <Button onClick={refresh}>{words.tryNow}</Button>
        <AppLink href={links.storage()} onClick={onFollow}>
          {words.storage}
        </AppLink>
      </div>
    </>
  );
}
