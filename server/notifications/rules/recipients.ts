/** Whom a rule tells, and by which way: each is one message of its own (schema §7.1 step 3). */
import { firstWays, type ReachSettings } from '../../../src/domain/notification/reach.ts';
import { settingsOf } from '../people/reach-row.ts';
import { servicesOf, type RuleRow, type Service } from './rule-query.ts';

export type Way =
  | { kind: 'mail'; personId: string }
  | { kind: 'push'; personId: string }
  /** By its place in the rule's or the team's list. */
  | { kind: 'service'; owner: 'rule' | 'team'; ownerId: string; at: number };

export interface Recipient {
  /** As it is kept with a message. */
  key: string;
  /** As the history shows it. */
  label: string;
  personId: string | null;
  /** How that person wants to be reached; null for services. */
  reach: ReachSettings | null;
  /** What is the same place for different rules; null where that can't be told. */
  place: string | null;
  /** CEL of the service; empty for all. */
  filter: string;
}

const labelOf = ({ name, connection, url }: Service): string =>
  name || connection || url.replace(/^([a-z+]+):.*$/is, '$1');

const ofServices = (owner: 'rule' | 'team', ownerId: string, services: readonly Service[]): Recipient[] =>
  services.map((service) => ({
    key: `${owner}/${ownerId}/${service.at}`,
    label: labelOf(service),
    personId: null,
    place: service.connection === '' ? null : JSON.stringify([service.connection, service.properties]),
    reach: null,
    filter: service.filter,
  }));

/** Everybody the rule names; none where it names nobody. `hasMail`: whether this server can send mail. */
export function recipientsOf(rule: RuleRow, { hasMail }: { hasMail: boolean }): Recipient[] {
  const { person_id: personId, team_id: teamId } = rule;
  if (personId !== null) {
    const reach = settingsOf(rule.reach);
    const ways = firstWays(reach, { hasBrowser: rule.has_browser, hasMail });
    return ways.map((kind) => {
      const key = `${kind}/${personId}`;
      return { key, label: kind, personId, place: key, reach, filter: '' };
    });
  }
  if (teamId !== null) {
    // A team that has none (yet) is asked for its first: that it has none is then said, not passed over.
    const services = servicesOf(rule.team_services);
    return ofServices('team', teamId, services.length === 0 ? servicesOf([{ name: 'team' }]) : services);
  }
  return ofServices('rule', rule.id, servicesOf(rule.custom_services));
}

/** What a key means; null for one that no version of this server wrote. */
export function wayOf(key: string): Way | null {
  const [kind, id = '', at = ''] = key.split('/');
  if (kind === 'mail' || kind === 'push') return { kind, personId: id };
  if (kind !== 'rule' && kind !== 'team') return null;
  return { kind: 'service', owner: kind, ownerId: id, at: Number(at) };
}
