/** SQL with which a simulated world prepares its server and looks at it afterwards. */
import { startEpoch } from '../../server/change-log/state-query.ts';
import type { Queryable } from '../../server/db/database.ts';
import { commandOutcomeSchema, type CommandBatch, type CommandOutcome } from '../../src/contract/sync.ts';

/** What is there before anybody does anything. */
export interface SeedRows {
  canaryId: string;
  checkIds: readonly string[];
}

const EMPTIED = [
  'incidents',
  'canaries',
  'connections',
  'change_log',
  'command_devices',
  'command_effects',
  'identity_sessions',
  'identity_flows',
];

/** Nothing of an earlier run is left but its accounts; every cursor of before is of another epoch. */
export async function emptyServer(db: Queryable): Promise<void> {
  await db.script(`truncate ${EMPTIED.join(', ')} cascade`);
  await startEpoch(db);
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
  const rows = await db.rows<Omit<CommandResult, 'outcome'> & { outcome: unknown }>(
    `select r.command_id as "commandId", r.device_id as "deviceId", d.person_id as "personId", r.seq, r.name, r.outcome
       from command_results r join command_devices d on d.device_id = r.device_id`,
  );
  return rows.map((row) => ({ ...row, outcome: commandOutcomeSchema.parse(row.outcome) }));
}

/** Ids of rows of an incident that are there, whoever may see them. */
export async function existingIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
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
