import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Avatar, PersonName } from '../../../ui/marks/Avatar.tsx';
import { HoverCard } from '../../../ui/overlays/HoverCard.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import type { IncidentTeam } from '../../../contract/live-query.ts';

/** Spec 3 §9. */
const SHOWN = 5;
const CARD_DELAY_MS = 1000;

/** The first of who responds, and all of them after a second. */
export function Team({ incidentId, team }: { incidentId: string; team: IncidentTeam | undefined }) {
  if (team === undefined || team.total === 0) return null;
  const { total } = team;
  const who = team.who.map(({ name, ...rest }) => ({ ...rest, name: name ?? messages.somebody }));
  const shown = who.slice(0, SHOWN);
  const more = total - shown.length;
  return (
    <HoverCard
      delayMs={CARD_DELAY_MS}
      card={() => (
        <>
          <h3>{messages.responders(total)}</h3>
          <ul className={classes.teamList}>
            {who.map(({ id, name, image }) => (
              <li key={id}>
                <PersonName name={name} image={image} />
              </li>
            ))}
          </ul>
          {who.length > 0 && total > who.length && <p>{messages.moreResponders(total - who.length)}</p>}
        </>
      )}
    >
      <AppLink href={links.incident(incidentId)} className={classes.team} tabIndex={-1}>
        {shown.map(({ id, name, image }) => (
          <Avatar key={id} name={name} image={image} />
        ))}
        {more > 0 && (
          <span className={classes.more} title={messages.moreResponders(more)}>
            +{more}
          </span>
        )}
      </AppLink>
    </HoverCard>
  );
}
