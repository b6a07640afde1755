/**
 * SQL of leases. All times are the database's, so that servers need not agree on theirs. Rows are locked in the order
 * of their names, and a row that somebody holds locked is not waited for.
 */
import { z } from 'zod';
import { nameRow } from '../db/row-schema.ts';
import type { Queryable } from '../db/database.ts';
import { toJson } from '../db/to-json.ts';

const takenLease = z.strictObject({
  name: z.string(),
  token: z.number(),
});
export type TakenLease = z.infer<typeof takenLease>;

const leaseRow = z.strictObject({
  name: z.string(),
  holder: z.string(),
  is_live: z.boolean(),
});
export type LeaseRow = z.infer<typeof leaseRow>;

const NOW = 'clock_timestamp()';

interface Taking {
  names: readonly string[];
  holder: string;
  leaseMs: number;
}

/** Takes those that nobody has; answers which it got. */
export async function takeLeases(db: Queryable, { names, holder, leaseMs }: Taking): Promise<TakenLease[]> {
  const until = `${NOW} + make_interval(secs => $3::float8 / 1000)`;
  const taken = await db.rows(
    takenLease,
    `update leases set holder = $2, token = nextval('lease_tokens'), until = ${until}
      where name in (
        select name from leases where name = any($1) and until <= ${NOW} order by name for update skip locked)
     returning name, token`,
    [names, holder, leaseMs],
  );
  if (taken.length === names.length) return taken;
  const made = await db.rows(
    takenLease,
    `insert into leases (name, holder, token, until)
     select wanted.name, $2, nextval('lease_tokens'), ${until} from unnest($1::text[]) as wanted(name)
      where not exists (select from leases where leases.name = wanted.name) order by wanted.name
     on conflict (name) do nothing returning name, token`,
    [names, holder, leaseMs],
  );
  return [...taken, ...made];
}

/** Puts off their ends; answers the names of those that are still this server's. */
export async function renewLeases(
  db: Queryable,
  leases: readonly TakenLease[],
  leaseMs: number,
): Promise<Set<string>> {
  const rows = await db.rows(
    nameRow,
    `update leases set until = ${NOW} + make_interval(secs => $2::float8 / 1000)
      where name in (
        select leases.name from leases join json_to_recordset($1::json) as held(name text, token bigint)
            on held.name = leases.name and held.token = leases.token
         order by leases.name for update of leases)
     returning name`,
    [toJson(leases.map(({ name, token }) => ({ name, token }))), leaseMs],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Gives them back at once. */
export function releaseLeases(db: Queryable, leases: readonly TakenLease[]): Promise<number> {
  return db.run(
    `update leases set until = ${NOW} from json_to_recordset($1::json) as held(name text, token bigint)
      where leases.name = held.name and leases.token = held.token`,
    [toJson(leases.map(({ name, token }) => ({ name, token })))],
  );
}

/** All of them, for others to take at once. */
export function endLeases(db: Queryable): Promise<number> {
  return db.run(`update leases set until = ${NOW} where until > ${NOW}`);
}

/** Leases of these names, and of all that begin with `prefix`. */
export function readLeases(db: Queryable, names: readonly string[], prefix: string): Promise<LeaseRow[]> {
  return db.rows(
    leaseRow,
    `select name, holder, until > ${NOW} as is_live from leases where name = any($1) or starts_with(name, $2)`,
    [names, prefix],
  );
}

/** Forgets what ended long ago; the next number of a name is greater all the same. */
export function forgetLeases(db: Queryable): Promise<number> {
  return db.run(`delete from leases where until < ${NOW} - interval '1 day'`);
}

const tokenRow = z.strictObject({ token: z.number() });

/**
 * Which of these nobody else has had since; none of them can be given to anybody else before the transaction has
 * ended.
 */
export async function lockLeases(tx: Queryable, leases: readonly TakenLease[]): Promise<ReadonlySet<number>> {
  const rows = await tx.rows(
    tokenRow,
    `select leases.token from leases join json_to_recordset($1::json) as held(name text, token bigint)
        on held.name = leases.name and held.token = leases.token
      order by leases.name for share of leases`,
    [toJson(leases.map(({ name, token }) => ({ name, token })))],
  );
  return new Set(rows.map(({ token }) => token));
}
