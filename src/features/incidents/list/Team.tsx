import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Avatar, PersonName } from '../../../ui/marks/Avatar.tsx';
import { HoverCard } from '../../../ui/overlays/HoverCard.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import type { Responding } from './use-list-responders.ts';

/** Spec 3 §9. */
const SHOWN = 5;
const CARD_DELAY_MS = 1000;

/** Whether both look the same: answers bring the same people again and again. */
export function isSameTeam(a: Responding | undefined, b: Responding | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.total === b.total &&
    a.who.length === b.who.length &&
    a.who.every(({ id, name, image }, at) => {
      const other = b.who[at];
      return id === other?.id && name === other.name && image === other.image;
    })
  );
}

/** The first of who responds, and all of them after a second. */
export function Team({ incidentId, responding }: { incidentId: string; responding: Responding | undefined }) {
  if (responding === undefined || responding.total === 0) return null;
  const { who, total } = responding;
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
