import { IconExternalLink, IconUsers, IconX } from '@tabler/icons-react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { furthestStep, type ProgressStep } from '../../../domain/incident/responder-progress.ts';
import { ticketUrl } from '../../../domain/incident/responder-template.ts';
import { clientsOf, responderTypeOf } from '../../../domain/incident/responder-type.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { Avatar } from '../../../ui/marks/Avatar.tsx';
import { ConfirmButton } from '../../../ui/actions/ConfirmButton.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import type { RecordOf } from '../use-records.ts';
import { DeliveryState } from './DeliveryState.tsx';
import { messages as words } from './messages.ts';
import { ProgressCard } from './ProgressCard.tsx';
import classes from './responders.module.css';
import { ResponderTypeIcon, typeWord } from './ResponderTypeIcon.tsx';
import { nameOf, type ResourceRow } from './use-resources.ts';

/** Spec 3 §9; not while a question of the same entry is to be answered. */
const HOVER = { openDelayMs: 1000, closeDelayMs: 300, within: 'li' };

interface ResponderEntryProps {
  found: LiveRow<RecordOf<'responder'>>;
  /** The team or person, as far as it is known here. */
  who: ResourceRow | undefined;
  /** Each null for who may not. */
  onRemove: (() => void) | null;
  onRetry: (() => void) | null;
  onStep: ((step: ProgressStep, isSet: boolean) => void) | null;
}

function Face({ who, name, isTeam }: { who: ResourceRow | undefined; name: string; isTeam: boolean }) {
  if (isTeam) {
    return (
      <span className={classes.team}>
        <IconUsers size={14} aria-hidden />
      </span>
    );
  }
  const avatar = who?.['avatar'];
  return (
    <span aria-hidden="true">
      <Avatar name={name} image={typeof avatar === 'string' ? avatar : null} />
    </span>
  );
}

/** The number in the outside system; a link where its page is known, and is of the web. */
function Ticket({ row, url }: { row: RecordOf<'responder'>; url: string | null }) {
  if (url === null) return row.external_id === null ? null : <span>{row.external_id}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className={classes.type}>
      {row.external_id ?? words.openTicket}
      <IconExternalLink size={13} aria-hidden />
    </a>
  );
}

function Progress({ row }: { row: RecordOf<'responder'> }) {
  const step = furthestStep(row);
  return (
    <span data-progress={step}>
      {words.progress[step]} <Age at={step === 'created' ? row.created_at : row[step]} suffix=" ago" />
    </span>
  );
}

/** One responder: who, through which system, whether it arrived there, and how far they are. */
export function ResponderEntry({ found, who, onRemove, onRetry, onStep }: ResponderEntryProps) {
  const { id, row, pending } = found;
  const name = nameOf(who, words.somebody);
  const type = responderTypeOf(row.properties);
  const linkUrl = who === undefined || type === null ? null : (clientsOf(who).get(type)?.linkUrl ?? null);
  const isOutside = type !== null && type !== 'person';
  return (
    <li className={classes.entry} data-responder={id}>
      <div className={classes.entryHead}>
        <Popover
          kind="dialog"
          label={words.about(name)}
          hover={HOVER}
          trigger={(trigger) => (
            <button type="button" className={classes.name} {...trigger}>
              <Face who={who} name={name} isTeam={row.team_id !== null} />
              {name}
            </button>
          )}
        >
          {() => <ProgressCard found={found} name={name} onStep={onStep} />}
        </Popover>
        {pending !== 'none' && <PendingMark state={pending} />}
        {onRemove !== null && (
          <ConfirmButton
            label={words.remove(name)}
            icon={<IconX size={15} />}
            question={words.removeQuestion}
            confirm={words.removeConfirm}
            onConfirm={onRemove}
          />
        )}
      </div>
      <div className={classes.facts}>
        {isOutside && (
          <span className={classes.type}>
            <ResponderTypeIcon type={type} size={14} />
            {typeWord(type)}
          </span>
        )}
        <Ticket row={row} url={ticketUrl(linkUrl, row.external_id, row.delivery?.url)} />
        <Progress row={row} />
        {row.delivery !== null && row.delivery !== undefined && (
          <DeliveryState
            delivery={row.delivery}
            system={type === null ? words.outside : typeWord(type)}
            onRetry={onRetry}
          />
        )}
      </div>
    </li>
  );
}
