import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { OldIncident } from '../../../contract/http/old-incident.ts';
import type { Cached } from '../../../contract/worker.ts';
import { isIncidentStatus } from '../../../domain/incident/incident.ts';
import { plainMentions } from '../../../domain/incident/mentions.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import { useDocumentTitle } from './use-document-title.ts';
import classes from '../page.module.css';
import look from './details.module.css';
import { SeverityMark } from '../SeverityMark.tsx';
import { wordFor } from '../words.ts';

const words = messages.old;

function Comment({ comment }: { comment: OldIncident['comments'][number] }) {
  return (
    <li className={classes.comment}>
      <p className={classes.commentHead}>
        <strong>{comment.author?.name ?? comment.external_created_by ?? messages.details.somebody}</strong>
        <Age at={comment.created_at} suffix=" ago" />
      </p>
      <p className={classes.body}>{plainMentions(comment.comment)}</p>
    </li>
  );
}

/** Reopened, it is one of those that devices keep. */
function Reopen({ row }: { row: OldIncident }) {
  const { access, send } = useIncident();
  const [isSent, setIsSent] = useState(false);
  if (!access.incident || !isIncidentStatus(row.status)) return null;
  if (isSent) return <p role="status">{words.reopened}</p>;
  const from = row.status;
  const reopen = async () => {
    if (await send({ name: 'set_incident_status', args: { id: row.id, from, to: 'open' } })) setIsSent(true);
  };
  return <Button onClick={() => void reopen()}>{words.reopen}</Button>;
}

/** An incident that devices no longer keep, for reading. */
export function OldIncidentPage({ row, kept }: { row: OldIncident; kept: Cached<unknown> }) {
  useDocumentTitle(row.title);
  const comments = row.comments.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const { details } = messages;
  return (
    <div className={look.old}>
      <nav aria-label={messages.breadcrumb} className={classes.breadcrumb}>
        <AppLink href={links.incidents()}>{messages.breadcrumb}</AppLink>
        <IconChevronRight size={14} aria-hidden />
        <span aria-current="page">{row.incident_id}</span>
      </nav>
      <h1>{row.title}</h1>
      <p className={look.oldNote}>{words.note}</p>
      <CacheNote asOfMs={kept.asOfMs} source={kept.source} isPartial={false} />
      <Reopen row={row} />
      <Facts
        facts={[
          { name: details.type, value: wordFor('types', row.type) },
          { name: details.severity, value: <SeverityMark severity={row.severity} /> },
          { name: details.status, value: wordFor('statuses', row.status) },
          { name: details.commander, value: row.commander?.name ?? details.nobody },
          { name: details.started, value: <Age at={row.created_at} suffix=" ago" /> },
          { name: words.closed, value: <Age at={row.closed ?? null} suffix=" ago" /> },
          { name: details.description, value: row.description ?? details.noDescription },
        ]}
      />
      <h2>{words.hypotheses}</h2>
      {row.hypotheses.length === 0 && <p className={classes.none}>{words.noHypotheses}</p>}
      <ul>
        {row.hypotheses.map(({ id, title, status, evidences }) => (
          <li key={id} className={classes.comment}>
            <p className={classes.commentHead}>
              <strong>{title}</strong>
              <Tag value={wordFor('hypothesisStatuses', status ?? 'likely')} />
            </p>
            {evidences.map((evidence) => (
              <p key={evidence.id} className={classes.body}>
                {wordFor('evidenceTypes', evidence.type)}: {evidence.description}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <h2>{words.comments}</h2>
      {comments.length === 0 && <p className={classes.none}>{words.noComments}</p>}
      <ul>
        {comments.map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ul>
    </div>
  );
}
