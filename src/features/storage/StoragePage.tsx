import { useEffect, useState } from 'react';
import type { StorageFacts } from '../../contract/worker.ts';
import { rebuildStore } from '../../data/commands/commands.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { links } from '../../domain/links.ts';
import { formatInstant } from '../../domain/time/format.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button } from '../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../ui/actions/ConfirmButton.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { Facts, Page } from '../../ui/page/Page.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';
import { clockText, collectionText, formatBytes } from './storage-text.ts';
import classes from './storage.module.css';
import { useStorageFacts } from './use-storage-facts.ts';

function Usage({ facts: { usedBytes, quotaBytes } }: { facts: StorageFacts }) {
  if (usedBytes === null) return messages.usageUnknown;
  if (quotaBytes === null) return formatBytes(usedBytes);
  return (
    <span className={classes.usage}>
      <meter
        className={classes.meter}
        aria-label={messages.usage}
        min={0}
        max={Math.max(quotaBytes, 1)}
        value={usedBytes}
      />
      {messages.usageOf(formatBytes(usedBytes), formatBytes(quotaBytes))}
    </span>
  );
}

/** Whether the browser promised to keep the data, with the way to ask for it. */
function Protection() {
  const { persistence } = useDevice();
  const [isPersisted, setIsPersisted] = useState<boolean | null>(null);
  const [wasRefused, setWasRefused] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void persistence.read().then((answer) => {
      if (isWanted) setIsPersisted(answer);
    });
    return () => {
      isWanted = false;
    };
  }, [persistence]);
  if (isPersisted === null) return messages.persistenceUnknown;
  if (isPersisted) return messages.persisted;
  const ask = async () => {
    const answer = await persistence.ask();
    setIsPersisted(answer);
    setWasRefused(answer !== true);
  };
  return (
    <span className={classes.protection}>
      {messages.notPersisted}
      <Button onClick={() => void ask()}>{messages.askPersistence}</Button>
      <span role="status">{wasRefused ? messages.refusedPersistence : ''}</span>
    </span>
  );
}

function Collections({ facts }: { facts: StorageFacts }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{messages.collection}</th>
          <th scope="col">{messages.rows}</th>
          <th scope="col">{messages.cap}</th>
        </tr>
      </thead>
      <tbody>
        {facts.collections.map(({ name, rows, cap }) => (
          <tr key={name}>
            <th scope="row">{collectionText(name)}</th>
            <td>{rows.toLocaleString()}</td>
            <td>{cap === null ? messages.noCap : cap.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type RebuildState = { kind: 'idle' } | { kind: 'running' } | { kind: 'done'; text: string };

function Rebuild({ onDone }: { onDone: () => void }) {
  const [state, setState] = useState<RebuildState>({ kind: 'idle' });
  const start = async () => {
    setState({ kind: 'running' });
    const answer = await rebuildStore();
    setState({ kind: 'done', text: answer.ok ? messages.rebuilt : messages.errorText(answer.error) });
    onDone();
  };
  return (
    <section className={classes.section}>
      <h2>{messages.rebuild}</h2>
      <p>{messages.rebuildHint}</p>
      <div className={classes.rebuild}>
        {state.kind === 'running' ? (
          <Button disabled>{messages.rebuilding}</Button>
        ) : (
          <ConfirmButton
            label={messages.rebuild}
            question={messages.rebuildQuestion}
            confirm={messages.rebuildConfirm}
            onConfirm={() => void start()}
          />
        )}
        <span role="status">{state.kind === 'done' ? state.text : ''}</span>
      </div>
    </section>
  );
}

/** What this device keeps, how safe it is there, and how to start over. */
export function StoragePage() {
  const { facts, error, countAgain } = useStorageFacts();
  const { offsetMs, versions, asOfMs } = useSyncStatus();
  if (facts === null) {
    return (
      <Page title={messages.title} lead={messages.lead}>
        {error === null && <SkeletonRows text={messages.loading} />}
        {error !== null && (
          <StateNote title={messages.failed}>
            <p>{messages.errorText(error)}</p>
          </StateNote>
        )}
        <Rebuild onDone={countAgain} />
      </Page>
    );
  }
  const outbox = <AppLink href={links.outbox()}>{messages.outboxCount(facts.outbox)}</AppLink>;
  return (
    <Page title={messages.title} lead={messages.lead}>
      <Facts
        facts={[
          { name: messages.usage, value: <Usage facts={facts} /> },
          { name: messages.persistence, value: <Protection /> },
          { name: messages.condition, value: messages.conditions[facts.condition] },
          { name: messages.asOf, value: asOfMs === null ? messages.never : formatInstant(asOfMs) },
          { name: messages.outbox, value: outbox },
          { name: messages.clock, value: clockText(offsetMs) },
          { name: messages.versions, value: messages.versionsOf(versions.app, versions.server) },
        ]}
      />
      <section className={classes.section}>
        <h2>{messages.collections}</h2>
        <Collections facts={facts} />
      </section>
      <Rebuild onDone={countAgain} />
    </Page>
  );
}
