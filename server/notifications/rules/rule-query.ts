/** SQL of rules: what they wait for, and whom they tell. */
import { z } from 'zod';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { REACH_JSON, storedReach } from '../people/reach-row.ts';
import { toJson } from '../../platform/db/to-json.ts';

const nullableTexts = z.array(z.string()).nullable();

const ruleRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  template: z.string().nullable(),
  events: z.array(z.string()),
  filter: z.string().nullable(),
  properties: z.unknown(),
  person_id: z.string().nullable(),
  team_id: z.string().nullable(),
  repeat_interval: z.string().nullable(),
  wait_for: z.coerce.number().nullable(),
  group_by: nullableTexts,
  /** As it is shown: what signs in is opened when it is sent. */
  custom_services: z.unknown(),
  /** Of its team: how the team is told. */
  team_services: z.unknown(),
  /** A browser of the person takes notifications. */
  has_browser: z.boolean(),
  /** How the person wants to be reached; null where nothing was said. */
  reach: storedReach.nullable(),
});
export type RuleRow = z.infer<typeof ruleRow>;

const COLUMNS = `notifications.id, notifications.name, notifications.title, template, events, filter, properties,
  person_id, team_id, repeat_interval, wait_for, group_by, custom_services,
  (select teams.spec -> 'notifications' from teams where teams.id = team_id and teams.deleted_at is null) as team_services,
  exists (select from push_subscriptions as browser where browser.person_id = notifications.person_id) as has_browser,
  (select ${REACH_JSON} from person_notification_settings as settings where settings.person_id = notifications.person_id) as reach`;

/** Live rules that can tell somebody of one of these events. */
export function rulesFor(db: Queryable, events: readonly string[]): Promise<RuleRow[]> {
  return db.rows(
    ruleRow,
    `select ${COLUMNS} from notifications
      where deleted_at is null and error is null and not is_paused and events && $1::text[] order by notifications.id`,
    [events],
  );
}

/** One rule, also where it has an error; null when it is gone. */
export async function ruleById(db: Queryable, id: string): Promise<RuleRow | null> {
  const [row] = await db.rows(
    ruleRow,
    `select ${COLUMNS} from notifications where id = $1 and deleted_at is null`,
    [id],
  );
  return row ?? null;
}

const restingRow = z.strictObject({ name: z.string(), email: z.string().nullable() });
export type RestingRule = z.infer<typeof restingRow>;

/**
 * The rule rests until somebody edits it. Answers it with the address of who made it, else of whom it tells; null when it
 * rested already, or is gone.
 */
export async function noteRuleError(db: Queryable, id: string, error: string): Promise<RestingRule | null> {
  const [row] = await db.rows(
    restingRow,
    `update notifications as rule set error = $2 where rule.id = $1 and rule.deleted_at is null and rule.error is null
     returning coalesce(nullif(rule.title, ''), array_to_string(rule.events, ', ')) as name,
       (select people.email from people where people.id = coalesce(rule.created_by, rule.person_id)
          and people.deleted_at is null) as email`,
    [id, error],
  );
  return row ?? null;
}

export interface Service {
  /** Its place in the list. */
  at: number;
  name: string;
  filter: string;
  /** Shown: without what signs in. */
  connection: string;
  url: string;
  properties: Readonly<Record<string, string>>;
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** A map of texts, of whatever was stored. */
export function textMap(value: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(value)).filter(([, part]) => part !== null);
  return Object.fromEntries(
    entries.map(([name, part]) => [name, typeof part === 'string' ? part : toJson(part)]),
  );
}

/** Services of a rule or a team (schema §7.1). */
export function servicesOf(list: unknown): Service[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown, at) => {
    const { name, filter, connection, url, properties } = recordOf(entry);
    return {
      at,
      name: text(name),
      filter: text(filter),
      connection: text(connection),
      url: typeof entry === 'string' ? entry : text(url),
      properties: textMap(properties),
    };
  });
}
