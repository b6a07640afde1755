import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { LiveRow } from '../../../contract/live-query.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../../ui/actions/Button.tsx';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';
import { EditableText } from '../../../ui/fields/EditableText.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { ComponentChips } from './ComponentChips.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import classes from './head.module.css';
import { ShareAction } from './ShareAction.tsx';
import { SeverityMark } from '../SeverityMark.tsx';
import { StatusControl } from './StatusControl.tsx';
import { wordFor } from '../words.ts';

const words = messages;
/** There is nothing left to know. */
const OVER: ReadonlySet<string> = new Set(['resolved', 'closed', 'cancelled']);
/** Spec 3 §9. */
const TITLE_DELAY_MS = 1000;
const TITLE_LENGTH = 500;

interface HeadProps {
  found: LiveRow<IncidentRow>;
  onStatus: (to: string) => void;
}

function Title({ row }: { row: IncidentRow }) {
  const { access, send } = useIncident();
  return (
    <>
      <h1 className={access.incident ? 'visually-hidden' : classes.title}>{row.title}</h1>
      {access.incident && (
        <EditableText
          label={words.titleField}
          look="title"
          value={row.title}
          delayMs={TITLE_DELAY_MS}
          maxLength={TITLE_LENGTH}
          onChosen={(title) => void send({ name: 'edit_incident', args: { id: row.id, changes: { title } } })}
        />
      )}
    </>
  );
}

const numberOf = (row: IncidentRow) => (row.incident_id === '' ? shared.unnumbered : row.incident_id);

/** Which incident it is, and how it stands. */
export function IncidentHead({ found: { row, pending }, onStatus }: HeadProps) {
  const { access } = useIncident();
  return (
    <header className={classes.head}>
      <nav aria-label={words.breadcrumb} className={classes.breadcrumb}>
        <AppLink href={links.incidents()}>{words.breadcrumb}</AppLink>
        <IconChevronRight size={14} aria-hidden />
        <span aria-current="page">{numberOf(row)}</span>
        {pending !== 'none' && <PendingMark state={pending} hasText />}
        <span className={classes.share}>
          <ShareAction row={row} />
        </span>
      </nav>
      <div className={classes.titleLine}>
        <Title row={row} />
        <Acknowledge kind="incident" id={row.id} isBad={!OVER.has(row.status)} />
        {access.incident ? (
          <StatusControl row={row} onChoose={onStatus} />
        ) : (
          <Tag value={wordFor('statuses', row.status)} />
        )}
      </div>
      <ComponentChips />
    </header>
  );
}

/** The same for a hand-held screen: it stays in sight while the rest scrolls, so it is small. */
export function PhoneHead({
  found: { row, pending },
  tabs,
}: {
  found: LiveRow<IncidentRow>;
  tabs: ReactNode;
}) {
  return (
    <header className={classes.phoneHead}>
      <nav aria-label={words.breadcrumb} className={classes.phoneBar}>
        <AppLink
          href={links.incidents()}
          aria-label={words.back}
          className={`${buttonClass('quiet', 'icon')} ${classes.backLink}`}
        >
          <IconChevronLeft size={22} stroke={1.8} aria-hidden />
        </AppLink>
        <span aria-current="page">{numberOf(row)}</span>
        {pending !== 'none' && <PendingMark state={pending} />}
        <span className={classes.phoneFacts}>
          <SeverityMark severity={row.severity} />
          <Tag value={wordFor('statuses', row.status)} />
        </span>
      </nav>
      <div className={classes.phoneTitle}>
        <Title row={row} />
        <Acknowledge kind="incident" id={row.id} isBad={!OVER.has(row.status)} />
      </div>
      {tabs}
    </header>
  );
}
