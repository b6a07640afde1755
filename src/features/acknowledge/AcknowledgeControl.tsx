/** Who knows of a thing, and the way to acknowledge it, to snooze it, and to take that back. */
import { IconBell, IconBellOff, IconChevronDown } from '@tabler/icons-react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import { nowOnServer, sendCommand } from '../../data/commands/commands.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import {
  acknowledgementOf,
  activeAcknowledgement,
  SNOOZE_HOURS,
  type Acknowledgement,
} from '../../domain/notification/acknowledgement.ts';
import { formatClock } from '../../domain/time/format.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { MenuItem, MenuNote, MenuRule, Popover } from '../../ui/overlays/Popover.tsx';
import type { AcknowledgeProps } from '../../ui/page/Acknowledge.tsx';
import classes from './acknowledge.module.css';
import { messages } from './messages.ts';

const HOUR_MS = 3_600_000;
const MOST = 20;

/** The one that counts now, with this device's own on top. */
function useAcknowledgement(id: string): Acknowledgement | null {
  const { rows } = useLiveQuery({
    collection: 'resources',
    where: [
      { field: 'kind', op: 'eq', value: 'acknowledgement' },
      { field: 'resource_id', op: 'eq', value: id },
    ],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: MOST },
  });
  const known = rows.map(({ row }) => acknowledgementOf(row)).filter((one) => one !== null);
  return activeAcknowledgement(known, nowOnServer());
}

function useSend(): (request: CommandRequest) => void {
  const toasts = useToasts();
  return (request) => {
    void sendCommand(request).then((answer) => {
      if (!answer.ok) toasts.error(messages.errorText(answer.error));
    });
  };
}

const clockOf = (atMs: number) => formatClock(atMs, nowOnServer());

/** Who knows, and until when, in words. */
function useWords(known: Acknowledgement): string {
  const person = useLiveRow('resources', known.personId);
  const who = person?.row.name ?? messages.somebody;
  const { until } = known;
  return until === null ? messages.acknowledgedBy(who) : messages.snoozedBy(who, clockOf(Date.parse(until)));
}

function useTakeBack({ id, about: kind, resourceId }: Acknowledgement): () => void {
  const send = useSend();
  return () => send({ name: 'end_acknowledgement', args: { id, kind, resourceId } });
}

function Known({ known, mayChange }: { known: Acknowledgement; mayChange: boolean }) {
  const takeBack = useTakeBack(known);
  return (
    <span className={classes.known} role="status">
      <IconBellOff size={15} aria-hidden />
      <span>{useWords(known)}</span>
      {mayChange && (
        <Button look="quiet" title={messages.tellAgainTitle} onClick={takeBack}>
          {messages.tellAgain}
        </Button>
      )}
    </span>
  );
}

/** The same behind an icon. */
function KnownIcon({ known, mayChange }: { known: Acknowledgement; mayChange: boolean }) {
  const takeBack = useTakeBack(known);
  const words = useWords(known);
  return (
    <Popover
      kind="menu"
      label={words}
      trigger={(trigger) => (
        <IconButton {...trigger} label={words}>
          <IconBellOff size={16} />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuNote>{words}</MenuNote>
          {mayChange && (
            <MenuItem
              onSelect={() => {
                close();
                takeBack();
              }}
            >
              {messages.tellAgain}
            </MenuItem>
          )}
        </>
      )}
    </Popover>
  );
}

function Choices({ kind, id, onChosen }: Pick<AcknowledgeProps, 'kind' | 'id'> & { onChosen: () => void }) {
  const device = useDevice();
  const send = useSend();
  const choose = (hours: number | null) => {
    onChosen();
    const until = hours === null ? null : new Date(nowOnServer() + hours * HOUR_MS).toISOString();
    send({ name: 'acknowledge', args: { id: device.newId(), kind, resourceId: id, until } });
  };
  return (
    <>
      <MenuItem onSelect={() => choose(null)}>
        {kind === 'incident' ? messages.untilOver : messages.untilWell}
      </MenuItem>
      <MenuRule />
      <MenuNote isHeading>{messages.snoozeHeading}</MenuNote>
      {SNOOZE_HOURS.map((hours) => (
        <MenuItem key={hours} onSelect={() => choose(hours)}>
          {messages.hours(hours, clockOf(nowOnServer() + hours * HOUR_MS))}
        </MenuItem>
      ))}
    </>
  );
}

/** `mayChange`: who is signed in may say that he knows; everybody sees who does. */
export function AcknowledgeControl({
  kind,
  id,
  isBad,
  look = 'button',
  mayChange,
}: AcknowledgeProps & { mayChange: boolean }) {
  const known = useAcknowledgement(id);
  const isIcon = look === 'icon';
  if (known !== null) {
    const Shown = isIcon ? KnownIcon : Known;
    return <Shown known={known} mayChange={mayChange} />;
  }
  if (!isBad || !mayChange) return null;
  return (
    <Popover
      kind="menu"
      label={messages.menu}
      trigger={(trigger) =>
        isIcon ? (
          <IconButton {...trigger} label={messages.acknowledge}>
            <IconBell size={16} />
          </IconButton>
        ) : (
          <Button {...trigger}>
            <IconBellOff size={15} aria-hidden />
            {messages.acknowledge}
            <IconChevronDown size={14} aria-hidden />
          </Button>
        )
      }
    >
      {(close) => <Choices kind={kind} id={id} onChosen={close} />}
    </Popover>
  );
}

/** For who may acknowledge. */
export function ChangeableAcknowledge(props: AcknowledgeProps) {
  return <AcknowledgeControl {...props} mayChange />;
}

/** For who may only read. */
export function ReadAcknowledge(props: AcknowledgeProps) {
  return <AcknowledgeControl {...props} mayChange={false} />;
}
