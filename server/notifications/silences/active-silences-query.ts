/** SQL of the silences that hold now, and of those that end. */
import { z } from 'zod';
import { windowsOf } from '../../../src/domain/notification/recurrence.ts';
import type { Silence } from '../../../src/domain/notification/silence.ts';
import type { Queryable } from '../../platform/db/database.ts';

const silenceRow = z.strictObject({
  id: z.string(),
  from_ms: z.coerce.number(),
  until_ms: z.coerce.number(),
  recursive: z.boolean(),
  config_id: z.string().nullable(),
  component_id: z.string().nullable(),
  check_id: z.string().nullable(),
  canary_id: z.string().nullable(),
  selector: z.string().nullable(),
  filter: z.string().nullable(),
  recurrence: z.unknown(),
});

/** Live ones whose time it is (schema §7.2); their hours are looked at by `isActive`. */
export async function silencesAt(db: Queryable, now: Date): Promise<Silence[]> {
  const rows = await db.rows(
    silenceRow,
    `select id, extract(epoch from "from") * 1000 as from_ms, extract(epoch from "until") * 1000 as until_ms,
       coalesce(recursive, false) as recursive, config_id, component_id, check_id, canary_id, selector, filter, recurrence
     from notification_silences
     where deleted_at is null and "from" <= $1::timestamptz and "until" >= $1::timestamptz`,
    [now],
  );
  return rows.map((row) => ({
    id: row.id,
    fromMs: row.from_ms,
    untilMs: row.until_ms,
    isRecursive: row.recursive,
    configId: row.config_id,
    componentId: row.component_id,
    checkId: row.check_id,
    canaryId: row.canary_id,
    selector: row.selector,
    filter: row.filter,
    recurrence: windowsOf(row.recurrence),
  }));
}

const endingRow = z.strictObject({
  id: z.string(),
  author: z.string(),
  email: z.string().nullable(),
  description: z.string().nullable(),
  until: z.string(),
  about: z.string().nullable(),
});
export type EndingSilence = z.infer<typeof endingRow>;

interface EndingTimes {
  now: Date;
  until: Date;
}

/** `$1` and `$2` are now and `until`. What was told before the time for it was about an end that was put off since. */
const IS_UNTOLD = `(silence.ending_told_at is null
  or silence.ending_told_at < silence."until" - ($2::timestamptz - $1::timestamptz))`;

/** Those of people that end between the times, or did, and whose author has not been told of that end. */
export function endingSilences(db: Queryable, { now, until }: EndingTimes): Promise<EndingSilence[]> {
  return db.rows(
    endingRow,
    `select silence.id, silence.created_by as author, people.email, silence.description, silence."until",
       coalesce(configs.name, components.name, checks.name, canaries.name, silence.selector, silence.filter) as about
     from notification_silences as silence
       join people on people.id = silence.created_by and people.deleted_at is null
       left join config_items as configs on configs.id = silence.config_id
       left join components on components.id = silence.component_id
       left join checks on checks.id = silence.check_id
       left join canaries on canaries.id = silence.canary_id
     where silence.deleted_at is null and ${IS_UNTOLD}
       and silence."until" > $1::timestamptz - interval '1 day' and silence."until" <= $2::timestamptz
       -- A short one is over before anybody could forget it.
       and silence."until" - silence."from" >= interval '30 minutes'
     order by silence."until" limit 100`,
    [now, until],
  );
}

/** Once, by one of all servers: 0 when it was told already. */
export function noteEndingTold(db: Queryable, id: string, { now, until }: EndingTimes): Promise<number> {
  return db.run(
    `update notification_silences as silence set ending_told_at = $1::timestamptz
      where silence.id = $3 and ${IS_UNTOLD}`,
    [now, until, id],
  );
}
