import { Suspense, useState } from 'react';
import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import { dropCommand, redoCommand } from '../../data/commands/commands.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { heapOf } from '../../domain/sync/outbox-counts.ts';
import { formatClock, formatInstant } from '../../domain/time/format.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button } from '../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../ui/actions/ConfirmButton.tsx';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { PendingMark } from '../../ui/marks/PendingMark.tsx';
import { useAge } from '../../ui/hooks/use-ticking.ts';
import { usePlaybooks } from '../../ui/page/Playbooks.tsx';
import { BothValues } from './BothValues.tsx';
import { CheckNow } from './CheckNow.tsx';
import { actionText, subjectOf, writtenText, type Subject } from './describe-item.ts';
import { messages } from './messages.ts';
import classes from './outbox.module.css';

/** What it is about by its name: as it is called now, or was called when this was written. */
function SubjectLink({ subject, about }: { subject: Subject; about: string | undefined }) {
  const found = useLiveRow(subject.collection, subject.id);
  const { title, name, incident_id: number }: Readonly<Record<string, unknown>> = { ...found?.row };
  const words = [number, title ?? name].filter((word) => typeof word === 'string' && word !== '');
  const known = words.length === 0 ? about : words.join(' ');
  return <AppLink href={subject.href}>{known ?? messages.unnamed[subject.collection]}</AppLink>;
}

function Times({ item }: { item: OutboxItem }) {
  const device = useDevice();
  const age = useAge(item.atMs);
  const nowMs = device.now();
  const { state } = item;
  const notes = [
    messages.written(formatClock(item.atMs, nowMs), age),
    ...(item.expiresAt !== null && state.kind === 'kept'
      ? [messages.expires(formatClock(Date.parse(item.expiresAt), nowMs))]
      : []),
    ...(item.failures > 0 ? [messages.tried(item.failures)] : []),
    ...(state.kind === 'accepted' ? [messages.arrived] : []),
    ...(state.kind !== 'accepted' && heapOf(item) === 'sending' ? [messages.mayHaveArrived] : []),
  ];
  return (
    <p className={classes.times} title={formatInstant(item.atMs)}>
      {notes.join(' · ')}
    </p>
  );
}

function Refusal({ item }: { item: OutboxItem }) {
  if (item.state.kind !== 'refused') return null;
  const { code, message } = item.state;
  return (
    <p className={classes.reason}>
      {messages.reasons[code]} {message !== '' && <q>{message}</q>}
    </p>
  );
}

function Actions({ item }: { item: OutboxItem }) {
  const [problem, setProblem] = useState<string | null>(null);
  const heap = heapOf(item);
  const run = async (act: () => ReturnType<typeof dropCommand | typeof redoCommand>) => {
    const answer = await act();
    setProblem(answer.ok ? null : messages.errorText(answer.error));
  };
  return (
    <div className={classes.actions}>
      {heap === 'refused' && (
        <Button look="primary" onClick={() => void run(() => redoCommand(item.commandId))}>
          {item.name === 'run_check' ? messages.redoRun : messages.redo}
        </Button>
      )}
      {heap !== 'sending' && <CopyButton text={writtenText(item)} label={messages.copy} />}
      {heap !== 'sending' && (
        <ConfirmButton
          label={messages.drop}
          question={messages.dropQuestion}
          confirm={messages.drop}
          onConfirm={() => void run(() => dropCommand(item.commandId))}
        />
      )}
      {problem !== null && (
        <span role="alert">
          {messages.failed}: {problem}
        </span>
      )}
    </div>
  );
}

/** A run that was prepared: what the playbooks say of it, and how to drop it. */
function PreparedEntry({ item }: { item: OutboxItem }) {
  const { Prepared } = usePlaybooks();
  return (
    <>
      <div className={classes.what}>
        <strong>{actionText(item)}</strong>
        <span>{item.about}</span>
      </div>
      <Times item={item} />
      {Prepared !== null && (
        <Suspense fallback={null}>
          <Prepared commandId={item.commandId} args={item.args} atMs={item.atMs} />
        </Suspense>
      )}
      <Actions item={item} />
    </>
  );
}

/** One thing that waits: what it is, since when, and what can be done about it. */
export function OutboxEntry({ item }: { item: OutboxItem }) {
  const subject = subjectOf(item);
  const heap = heapOf(item);
  if (heap === 'prepared') return <PreparedEntry item={item} />;
  return (
    <>
      <div className={classes.what}>
        {heap !== 'refused' && <PendingMark state={heap === 'kept' ? 'kept' : 'sent'} />}
        <strong>{actionText(item)}</strong>
        {subject !== null && <SubjectLink subject={subject} about={item.about} />}
      </div>
      <Times item={item} />
      <Refusal item={item} />
      <BothValues item={item} />
      {heap === 'refused' && subject?.collection === 'checks' && <CheckNow checkId={subject.id} />}
      <Actions item={item} />
    </>
  );
}
