/** The catch-up card as a sentence: how long somebody was away, and what happened, worst first. */
import type { CatchUpCard } from '../../contract/worker.ts';
import { links } from '../../domain/links.ts';
import { plainMentions } from '../../domain/incident/mentions.ts';
import { messages } from './messages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `2 h 14 m`, `3 d 4 h`, `5 m`: the two greatest units. */
export function awayText(spanMs: number): string {
  const span = Math.max(0, spanMs);
  const [days, hours, minutes] = [
    Math.floor(span / DAY_MS),
    Math.floor((span % DAY_MS) / HOUR_MS),
    Math.floor((span % HOUR_MS) / MINUTE_MS),
  ];
  const units = days > 0 ? [`${days} d`, hours > 0 ? `${hours} h` : ''] : [];
  if (days === 0 && hours > 0) units.push(`${hours} h`, minutes > 0 ? `${minutes} m` : '');
  if (days === 0 && hours === 0) units.push(`${minutes} m`);
  return units.filter((unit) => unit !== '').join(' ');
}

export interface CatchUpLink {
  key: string;
  text: string;
  href: string;
}

type PartName = keyof typeof messages.parts;

export interface CatchUpPart {
  key: PartName;
  text: string;
  links: CatchUpLink[];
}

const INCIDENT_PARTS = ['opened', 'reopened', 'mitigated', 'resolved', 'closed'] as const;
const COMMENT_CHARS = 120;

function shortened(text: string): string {
  return text.length > COMMENT_CHARS ? `${text.slice(0, COMMENT_CHARS)} …` : text;
}

/** What happened, in parts that each have something in them. */
export function catchUpParts(card: CatchUpCard): CatchUpPart[] {
  const part = (key: PartName, found: CatchUpLink[]): CatchUpPart[] =>
    found.length === 0 ? [] : [{ key, text: messages.parts[key](found.length), links: found }];
  const checks = (list: readonly { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ key: id, text: name, href: links.check(id) }));
  const incidents = (change: (typeof INCIDENT_PARTS)[number]) =>
    card.incidents
      .filter((incident) => incident.change === change)
      .map(({ id, incidentId, title }) => ({
        key: id,
        text: `${incidentId || messages.unnumbered}: ${title}`,
        href: links.incident(id),
      }));
  const comments = card.comments.map(({ id, incidentId, by, text }) => ({
    key: id,
    text: `${by ?? messages.somebody}: ${shortened(plainMentions(text))}`,
    href: links.incident(incidentId),
  }));
  return [
    ...part('unhealthy', checks(card.newlyUnhealthy)),
    ...INCIDENT_PARTS.flatMap((change) => part(change, incidents(change))),
    ...part('recovered', checks(card.recovered)),
    ...part('comments', comments),
  ];
}
