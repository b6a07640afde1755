import { links } from '../../domain/links.ts';
import { AppLink } from '../actions/AppLink.tsx';
import { useAttachEvidence } from './AttachEvidence.tsx';
import classes from './IncidentLinks.module.css';
import { messages } from '../messages.ts';
import { Tag } from '../marks/Tag.tsx';

interface IncidentLinksProps {
  incidents: readonly { id: string; incident_id: string; title: string; status: string }[];
  /** The list that shows all of them. */
  allHref?: string;
}

/** Incidents that have what is shown for evidence; nothing where there are none, or none may be opened. */
export function IncidentLinks({ incidents, allHref }: IncidentLinksProps) {
  const { hasIncidents } = useAttachEvidence();
  if (!hasIncidents || incidents.length === 0) return null;
  return (
    <section className={classes.root} aria-label={messages.incidents.title}>
      <h2>{messages.incidents.title}</h2>
      <ul>
        {incidents.map(({ id, incident_id: number, title, status }) => (
          <li key={id}>
            <AppLink href={links.incident(id)}>{title}</AppLink>
            <span className={classes.facts}>
              {number !== '' && <span>{number}</span>}
              <Tag value={status} />
            </span>
          </li>
        ))}
      </ul>
      {allHref !== undefined && (
        <AppLink href={allHref} className={classes.all}>
          {messages.incidents.all}
        </AppLink>
      )}
    </section>
  );
}
