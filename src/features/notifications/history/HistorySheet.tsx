/** One notification in full: what it told, how each attempt ended, and why it was not sent where it wasn't. */
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { sendCommand } from '../../../data/commands/commands.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { links } from '../../../domain/links.ts';
import { formatDuration, formatInstant, formatSecond } from '../../../domain/time/format.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { SilenceButton } from '../../../ui/page/Silences.tsx';
import { ThingLink } from '../ThingLink.tsx';
import { AcknowledgeThing } from './AcknowledgeThing.tsx';
import classes from './history.module.css';
import { messages } from './messages.ts';
import { Receipts } from './Receipts.tsx';
import { StatusTag } from './StatusTag.tsx';
import { resourceName, type HistoryRow, type Pending } from './use-history.ts';

const words = messages.detail;
/** Sent again now, or not at all (design §4 law 9). */
const RETRY_WITHIN_MS = 2 * 60_000;
const SILENCE = /^silence ([0-9a-f-]{36})$/;
const SILENCEABLE = ['check', 'config', 'component'] as const;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function Attempts({ attempts }: { attempts: HistoryRow['attempts'] }) {
  if (attempts.length === 0) return null;
  return (
    <section className={classes.section}>
      <h3>{words.attempts}</h3>
      <table className={classes.attempts}>
        <thead>
          <tr>
            <th scope="col">{words.attempt.at}</th>
            <th scope="col">{words.attempt.took}</th>
            <th scope="col">{words.attempt.answer}</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ at, millis, outcome }) => (
            <tr key={textOf(at)}>
              <td title={formatInstant(Date.parse(textOf(at)))}>{formatSecond(Date.parse(textOf(at)))}</td>
              <td>{typeof millis === 'number' ? formatDuration(millis) : ui.nothing}</td>
              <td>{textOf(outcome)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the server has of it beside the row: its devices, and its text. */
function Sent({ row }: { row: HistoryRow }) {
  const { kept, error } = useTable({
    view: 'sent_notification',
    where: [{ op: 'eq', column: 'id', value: row.id }],
    limit: 1,
  });
  const sent = kept?.value.rows[0];
  const body = sent?.body ?? null;
  return (
    <>
      <Receipts receipts={sent?.receipts ?? []} />
      <section className={classes.section}>
        <h3>{words.body}</h3>
        {body !== null && <pre className={classes.body}>{body}</pre>}
        {kept !== null && body === null && (
          <p className={classes.dim}>{row.status === 'sent' ? words.bodyGone : words.noBody}</p>
        )}
        {kept === null && error !== null && <p className={classes.dim}>{words.bodyElsewhere}</p>}
        {kept === null && error === null && <SkeletonRows text={ui.loading} />}
      </section>
    </>
  );
}

function Reason({ reason }: { reason: string }) {
  const silenceId = SILENCE.exec(reason)?.[1];
  if (silenceId === undefined) return reason;
  return <AppLink href={links.silence(silenceId)}>{words.bySilence}</AppLink>;
}

/** A rule that nobody named is called by an id, which says nothing. */
const GIVEN_NAME = /^[0-9A-HJKMNP-TV-Z]{26}$/;

function useRuleName(id: string | null): string | null {
  const found = useLiveRow('resources', id ?? '');
  const { title, name }: Readonly<Record<string, unknown>> = { ...found?.row };
  return textOf(title) || textOf(name).replace(GIVEN_NAME, '') || null;
}

function factsOf(row: HistoryRow, { rule, person }: { rule: string | null; person: string | null }) {
  const kind = row.resource_type;
  const instant = (at: string | null) => (at === null ? ui.nothing : formatInstant(Date.parse(at)));
  return [
    {
      name: messages.kinds[kind ?? ''] ?? words.resource,
      value: <ThingLink kind={kind} id={row.resource_id} name={resourceName(row)} />,
    },
    { name: words.event, value: row.source_event },
    {
      name: words.rule,
      value: (
        <AppLink href={links.notificationRule(row.notification_id ?? '')}>{rule ?? words.openRule}</AppLink>
      ),
    },
    ...(row.recipient === null ? [] : [{ name: words.recipient, value: row.recipient }]),
    ...(person === null ? [] : [{ name: words.person, value: person }]),
    ...((row.reason ?? '') === ''
      ? []
      : [{ name: words.reason, value: <Reason reason={row.reason ?? ''} /> }]),
    { name: words.first, value: instant(row.first_observed) },
    { name: words.created, value: instant(row.created_at) },
    ...((row.count ?? 1) > 1 ? [{ name: words.count, value: String(row.count) }] : []),
    ...(row.duration_millis === null
      ? []
      : [{ name: words.duration, value: formatDuration(row.duration_millis) }]),
  ];
}

function Retry({ id }: { id: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const retry = async () => {
    setIsBusy(true);
    const answer = await sendCommand(
      { name: 'retry_notification', args: { historyId: id } },
      { expiresAfterMs: RETRY_WITHIN_MS },
    );
    setIsBusy(false);
    setProblem(answer.ok ? null : messages.errorText(answer.error));
  };
  return (
    <>
      <Button look="primary" disabled={isBusy} onClick={() => void retry()}>
        <IconRefresh size={15} aria-hidden />
        {isBusy ? words.retrying : words.retry}
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  );
}

function Detail({ row, pending, mayWrite }: { row: HistoryRow; pending: Pending; mayWrite: boolean }) {
  const rule = useRuleName(row.notification_id);
  const person = useLiveRow('resources', row.person_id ?? '')?.row.name ?? null;
  const kind = SILENCEABLE.find((known) => known === row.resource_type);
  return (
    <>
      <p className={classes.headline}>
        {row.title ?? resourceName(row)}
        <StatusTag status={row.status} />
        {pending !== 'none' && <PendingMark state={pending} hasText />}
      </p>
      {row.error !== null && (
        <p className={classes.problem} role="status">
          {row.error}
        </p>
      )}
      {/* Above the rest: on a phone what can be done would lie below the edge. */}
      <div className={classes.actions}>
        {mayWrite && row.status === 'error' && <Retry id={row.id} />}
        {mayWrite && kind !== undefined && <SilenceButton kind={kind} id={row.resource_id} />}
        <AcknowledgeThing kind={row.resource_type} id={row.resource_id} />
      </div>
      <Facts facts={factsOf(row, { rule, person })} />
      <Attempts attempts={row.attempts} />
      <Sent row={row} />
    </>
  );
}

/** See the head of this file. */
export function HistorySheet({
  id,
  mayWrite,
  onClose,
}: {
  id: string;
  mayWrite: boolean;
  onClose: () => void;
}) {
  const isPhone = useMedia(PHONE);
  const found = useLiveRow('notification_history', id);
  return (
    <Sheet label={words.title} side={isPhone ? 'bottom' : 'center'} size="medium" hasTitle onClose={onClose}>
      <div className={classes.detail}>
        {found === undefined && <SkeletonRows text={words.loading} />}
        {found === null && <StateNote title={words.gone} />}
        {found !== null && found !== undefined && (
          <Detail row={found.row} pending={found.pending} mayWrite={mayWrite} />
        )}
      </div>
    </Sheet>
  );
}
