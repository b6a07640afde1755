/** SQL with which a simulated world prepares its server and looks at it afterwards. */
import { z } from 'zod';
import type { Queryable } from '../../server/platform/db/database.ts';
import { commandOutcomeSchema, type CommandBatch, type CommandOutcome } from '../../src/contract/sync.ts';

/** What is there before anybody does anything. */
export interface SeedRows {
  canaryId: string;
  checkIds: readonly string[];
}

const TABLES = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;

/**
 * Keeps a copy of everything that is there, for `restoreAll`. From here on ids that the database makes by itself follow
 * from how many it made; they still sort by creation.
 */
export async function keepAll(db: Queryable): Promise<void> {
  await db.script(`
    create schema sim;
    create sequence sim.ids;
    create or replace function generate_ulid() returns uuid language sql volatile as $$
      select (lpad(to_hex(number), 12, '0') || substr(md5(number::text), 1, 20))::uuid
      from nextval('sim.ids') as number
    $$;
    do $$
    declare one record; has_rows boolean;
    begin
      for one in ${TABLES} loop
        execute format('select exists (select from public.%I)', one.name) into has_rows;
        if has_rows then execute format('create table sim.%I as table public.%I', one.name, one.name); end if;
      end loop;
    end $$`);
}

/** Nothing of an earlier run is left; every cursor of before is of another epoch. */
export async function restoreAll(db: Queryable, epoch: string): Promise<void> {
  await db.script(`
    set session_replication_role = replica;
    do $$
    declare one record; has_rows boolean; columns text;
    begin
      -- Emptying one that is empty takes as long: new files for it and each of its indexes.
      for one in ${TABLES} loop
        execute format('select exists (select from public.%I)', one.name) into has_rows;
        if has_rows then execute format('delete from public.%I', one.name); end if;
      end loop;
      perform setval(format('public.%I', sequencename)::regclass, start_value, false)
        from pg_sequences where schemaname = 'public' and last_value is not null;
      for one in select t.oid, t.name from (${TABLES}) as t
        where to_regclass(format('sim.%I', t.name)) is not null loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = one.oid and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into public.%I (%s) overriding system value select %s from sim.%I',
          one.name, columns, columns, one.name);
      end loop;
    end $$;
    set session_replication_role = origin;
    alter sequence sim.ids restart;
    select setval('change_log_number', coalesce((select max(seq) from change_log), 1));
    update change_log_state set epoch = '${epoch}'`);
}

export async function insertSeedRows(db: Queryable, { canaryId, checkIds }: SeedRows): Promise<void> {
  await db.run(
    `insert into canaries (id, name, namespace, spec, source) values ($1, 'edge', 'default', '{}'::jsonb, 'sim')`,
    [canaryId],
  );
  await db.run(`insert into connections (name, type) values ('for admins only', 'http')`);
  for (const [at, id] of checkIds.entries()) {
    await db.run(
      `insert into checks (id, canary_id, type, name, status) values ($1, $2, 'http', $3, 'healthy')`,
      [id, canaryId, `check ${at}`],
    );
  }
}

export async function grantRoles(db: Queryable, personId: string, roles: readonly string[]): Promise<void> {
  await db.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [personId]);
  for (const role of roles) {
    await db.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, $2)`, [personId, role]);
  }
}

export async function revokeSessions(db: Queryable, personId: string, at: Date): Promise<void> {
  await db.run('update identity_sessions set revoked_at = $2 where identity_id = $1 and revoked_at is null', [
    personId,
    at,
  ]);
}

export interface CommandResult {
  commandId: string;
  deviceId: string;
  personId: string;
  seq: number;
  name: string;
  outcome: CommandOutcome;
}

/** What the server remembers to have answered. */
export async function readResults(db: Queryable): Promise<CommandResult[]> {
  const rows = await db.rows(
    z.custom<Omit<CommandResult, 'outcome'> & { outcome: unknown }>(),
    `select r.command_id as "commandId", r.device_id as "deviceId", d.person_id as "personId", r.seq, r.name, r.outcome
       from command_results r join command_devices d on d.device_id = r.device_id`,
  );
  return rows.map((row) => ({ ...row, outcome: commandOutcomeSchema.parse(row.outcome) }));
}

/** Ids of rows of an incident that are there, whoever may see them. */
export async function existingIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.rows(
    z.custom<{ id: string }>(),
    `select id from incidents
     union all select id from hypotheses union all select id from evidences union all select id from comments
     union all select id from responders where deleted_at is null`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Somebody removes rows past the app, as a job or another tool does. */
export async function removeComment(db: Queryable, id: string): Promise<number> {
  return db.run('delete from comments where id = $1', [id]);
}

/** Takes from the server what it remembers of these commands and of how far the device counted. */
export async function forgetCommands(db: Queryable, { deviceId, commands }: CommandBatch): Promise<void> {
  const first = Math.min(...commands.map(({ seq }) => seq));
  await db.run('update command_devices set last_seq = $2 where device_id = $1', [deviceId, first - 1]);
  await db.run('delete from command_results where command_id = any($1::uuid[])', [
    commands.map(({ commandId }) => commandId),
  ]);
}

/** The log forgets what changed up to a place, as it does after its 90 days. */
export async function forgetUpTo(db: Queryable, sequence: number): Promise<void> {
  await db.run(
    `with gone as (delete from change_log where seq <= $1 returning seq)
     update change_log_state set horizon = greatest(horizon, newest.seq)
     from (select max(seq) as seq from gone) as newest where newest.seq is not null`,
    [sequence],
  );
}
