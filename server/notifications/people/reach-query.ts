/** SQL of how people want to be reached, and of what is known of whether they can be. */
import { z } from 'zod';
import type { ReachSettings } from '../../../src/domain/notification/reach.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { REACH_JSON, settingsOf, storedReach } from './reach-row.ts';
import { toJson } from '../../platform/db/to-json.ts';

const reachRow = z.strictObject({ reach: storedReach });

/** The usual where the person said nothing. */
export async function reachOf(db: Queryable, personId: string): Promise<ReachSettings> {
  const [row] = await db.rows(
    reachRow,
    `select ${REACH_JSON} as reach from person_notification_settings as settings where person_id = $1`,
    [personId],
  );
  return settingsOf(row?.reach ?? null);
}

/** From now on. */
export function saveReach(db: Queryable, personId: string, settings: ReachSettings): Promise<number> {
  const { push, mail, quiet, urgentPasses } = settings;
  return db.run(
    `insert into person_notification_settings (person_id, push, mail, quiet, urgent_passes)
     values ($1, $2, $3, $4::jsonb, $5)
     on conflict (person_id) do update set push = excluded.push, mail = excluded.mail, quiet = excluded.quiet,
       urgent_passes = excluded.urgent_passes`,
    [personId, push, mail, quiet === null ? null : toJson(quiet), urgentPasses],
  );
}

const factsRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  has_address: z.boolean(),
  reach: storedReach.nullable(),
  devices: z.number(),
  seen_at: z.string().nullable(),
  test_at: z.string().nullable(),
  is_shown: z.boolean().nullable(),
});
export type PersonReach = z.infer<typeof factsRow>;

/** Of those who are there, by name. */
export function reachFacts(db: Queryable, personIds: readonly string[]): Promise<PersonReach[]> {
  return db.rows(
    factsRow,
    `select people.id, people.name, coalesce(people.email, '') like '%@%' as has_address,
       (select ${REACH_JSON} from person_notification_settings as settings where settings.person_id = people.id) as reach,
       browser.devices, browser.seen_at, test.created_at as test_at, test.shown_at is not null as is_shown
     from people
     cross join lateral (select count(*)::int as devices, max(session.last_seen_at) as seen_at
       from push_subscriptions as one join identity_sessions as session on session.id = one.session_id
      where one.person_id = people.id) as browser
     left join lateral (select created_at, shown_at from push_receipts
      where person_id = people.id and delivery_id is null and message_id is null order by created_at desc limit 1) as test on true
     where people.id = any($1::uuid[]) and people.deleted_at is null order by people.name, people.id`,
    [personIds],
  );
}

const deviceRow = z.strictObject({
  id: z.string(),
  device: z.string(),
  seen_at: z.string(),
  test_at: z.string().nullable(),
  is_shown: z.boolean().nullable(),
});
export type DeviceReach = z.infer<typeof deviceRow>;

/** The browsers of a person, the one that was seen last first. */
export function devicesOf(db: Queryable, personId: string): Promise<DeviceReach[]> {
  return db.rows(
    deviceRow,
    `select browser.id, coalesce(session.user_agent, '') as device, session.last_seen_at as seen_at,
       test.created_at as test_at, test.shown_at is not null as is_shown
     from push_subscriptions as browser join identity_sessions as session on session.id = browser.session_id
     left join lateral (select created_at, shown_at from push_receipts
      where subscription_id = browser.id and delivery_id is null and message_id is null order by created_at desc limit 1) as test on true
     where browser.person_id = $1 order by session.last_seen_at desc, browser.id`,
    [personId],
  );
}

const teamRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_by: z.string(),
  members: z.array(z.string()),
});
export type TeamReach = z.infer<typeof teamRow>;

/** Live teams with their members, by name. */
export function teamsWithMembers(db: Queryable): Promise<TeamReach[]> {
  return db.rows(
    teamRow,
    `select teams.id, teams.name, teams.created_by, array(select member.person_id from team_members as member
       where member.team_id = teams.id) as members
     from teams where teams.deleted_at is null order by teams.name, teams.id`,
    [],
  );
}
