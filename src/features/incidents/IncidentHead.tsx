import { IconChevronRight } from '@tabler/icons-react';
import type { IncidentRow } from '../../contract/collections.ts';
import type { LiveRow } from '../../contract/live-query.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/AppLink.tsx';
import { EditableText } from '../../ui/EditableText.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { StatusControl } from './StatusControl.tsx';

const words = messages.page;
/** Spec 3 §9. */
const TITLE_DELAY_MS = 1000;
const TITLE_LENGTH = 500;

/** Which incident it is, and how it stands. */
export function IncidentHead({ found: { row, pending } }: { found: LiveRow<IncidentRow> }) {
  const { access, send } = useIncident();
  return (
    <header className={classes.head}>
      <nav aria-label={words.breadcrumb} className={classes.breadcrumb}>
        <AppLink href={links.incidents()}>{words.breadcrumb}</AppLink>
        <IconChevronRight size={14} aria-hidden />
        <span aria-current="page">{row.incident_id === '' ? messages.unnumbered : row.incident_id}</span>
        {pending !== 'none' && <PendingMark state={pending} hasText />}
      </nav>
      <div className={classes.titleLine}>
        <h1 className={access.incident ? 'visually-hidden' : classes.title}>{row.title}</h1>
        {access.incident && (
          <EditableText
            label={words.titleField}
            look="title"
            value={row.title}
            delayMs={TITLE_DELAY_MS}
            maxLength={TITLE_LENGTH}
            onSettle={(title) =>
              void send({ name: 'edit_incident', args: { id: row.id, changes: { title } } })
            }
          />
        )}
        <StatusControl row={row} />
      </div>
    </header>
  );
}
