/** SQL of what the command endpoint remembers: devices and results. */
import { z } from 'zod';
import { commandOutcomeSchema } from '../../../src/contract/sync.ts';
import type { CommandOutcome, Cursor } from '../../../src/contract/sync.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** Longer than the change log remembers, so that no device that may still catch up repeats unknown commands. */
const KEPT_DAYS = 100;

const deviceRow = z.strictObject({
  person_id: z.string(),
  last_seq: z.number(),
});
export type DeviceRow = z.infer<typeof deviceRow>;

/** The device, without keeping it as it is. */
export async function findDevice(db: Queryable, deviceId: string): Promise<DeviceRow | null> {
  const [device] = await db.rows(
    deviceRow,
    'select person_id, last_seq from command_devices where device_id = $1',
    [deviceId],
  );
  return device ?? null;
}

/** The device as it is, made when new; nobody else counts on it until this transaction ends. */
export async function lockDevice(tx: Queryable, deviceId: string, personId: string): Promise<DeviceRow> {
  await tx.run(
    `insert into command_devices (device_id, person_id) values ($1, $2) on conflict (device_id) do nothing`,
    [deviceId, personId],
  );
  const [device] = await tx.rows(
    deviceRow,
    'select person_id, last_seq from command_devices where device_id = $1 for update',
    [deviceId],
  );
  if (device === undefined) throw new Error('a device that was just made is not there');
  return device;
}

const lockedDeviceRow = z.strictObject({ device_id: z.string(), ...deviceRow.shape });

/** Several devices as `lockDevice` has one; locked in the order of their ids, whoever asks. */
export async function lockDevices(
  tx: Queryable,
  devices: readonly { deviceId: string; personId: string }[],
): Promise<Map<string, DeviceRow>> {
  const ids = devices.map(({ deviceId }) => deviceId);
  await tx.run(
    `insert into command_devices (device_id, person_id)
     select device_id, person_id from unnest($1::uuid[], $2::uuid[]) as sent(device_id, person_id)
     order by device_id on conflict (device_id) do nothing`,
    [ids, devices.map(({ personId }) => personId)],
  );
  const rows = await tx.rows(
    lockedDeviceRow,
    `select device_id, person_id, last_seq from command_devices
      where device_id = any($1::uuid[]) order by device_id for update`,
    [ids],
  );
  return new Map(rows.map(({ device_id: id, ...device }) => [id, device]));
}

/** A number that was used stays used. */
export function raiseSequence(tx: Queryable, deviceId: string, seq: number): Promise<number> {
  return tx.run('update command_devices set last_seq = $2 where device_id = $1 and last_seq < $2', [
    deviceId,
    seq,
  ]);
}

export interface StoredResult {
  personId: string;
  outcome: CommandOutcome;
}

const resultRow = z.strictObject({ person_id: z.string(), outcome: z.unknown() });

/** Null for a command that never came. */
export async function findResult(tx: Queryable, commandId: string): Promise<StoredResult | null> {
  const [row] = await tx.rows(
    resultRow,
    `select d.person_id, r.outcome from command_results r
       join command_devices d on d.device_id = r.device_id
      where r.command_id = $1`,
    [commandId],
  );
  if (row === undefined) return null;
  return { personId: row.person_id, outcome: commandOutcomeSchema.parse(row.outcome) };
}

const keptResultRow = resultRow.extend({ command_id: z.string() });

/** What is known of those commands; none of one that never came. */
export async function findResults(
  tx: Queryable,
  commandIds: readonly string[],
): Promise<Map<string, StoredResult>> {
  const rows = await tx.rows(
    keptResultRow,
    `select r.command_id, d.person_id, r.outcome from command_results r
       join command_devices d on d.device_id = r.device_id
      where r.command_id = any($1::uuid[])`,
    [commandIds],
  );
  return new Map(
    rows.map((row) => [
      row.command_id,
      { personId: row.person_id, outcome: commandOutcomeSchema.parse(row.outcome) },
    ]),
  );
}

const appliedRow = z.strictObject({ command_id: z.string() });

/** Those of the commands that this person sent and that were done. */
export async function findApplied(
  db: Queryable,
  personId: string,
  commandIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows(
    appliedRow,
    `select r.command_id from command_results r
       join command_devices d on d.device_id = r.device_id
      where d.person_id = $1 and r.command_id = any($2::uuid[]) and r.outcome ->> 'kind' = 'applied'`,
    [personId, commandIds],
  );
  return rows.map((row) => row.command_id);
}

export interface Claim {
  commandId: string;
  deviceId: string;
  seq: number;
  name: string;
}

/**
 * Takes the command for this transaction; false when another one has it. Waits for that one here, before any
 * row or the change log's head is locked, so that two senders of one command never wait for each other.
 */
export async function claimCommand(
  tx: Queryable,
  { commandId, deviceId, seq, name }: Claim,
): Promise<boolean> {
  const taken = await tx.run(
    `insert into command_results (command_id, device_id, seq, name) values ($1, $2, $3, $4)
     on conflict (command_id) do nothing`,
    [commandId, deviceId, seq, name],
  );
  return taken === 1;
}

/** The outcome of a claimed command, with the entity that it was about. */
export function storeOutcome(
  tx: Queryable,
  commandId: string,
  { outcome, subject }: { outcome: CommandOutcome; subject: string | null },
): Promise<number> {
  return tx.run('update command_results set outcome = $2, subject = $3 where command_id = $1', [
    commandId,
    outcome,
    subject,
  ]);
}

/**
 * A command with its outcome, at once; null for one that was applied, until `placeApplied`. False when another one
 * has it.
 */
export async function insertResult(
  tx: Queryable,
  { commandId, deviceId, seq, name }: Claim,
  { outcome, subject }: { outcome: CommandOutcome | null; subject: string | null },
): Promise<boolean> {
  const taken = await tx.run(
    `insert into command_results (command_id, device_id, seq, name, outcome, subject)
     values ($1, $2, $3, $4, $5, $6) on conflict (command_id) do nothing`,
    [commandId, deviceId, seq, name, outcome, subject],
  );
  return taken === 1;
}

/** Those were applied, all at this place of the log. */
export function placeApplied(
  tx: Queryable,
  commandIds: readonly string[],
  position: Cursor,
): Promise<number> {
  return tx.run(
    `update command_results set outcome = jsonb_build_object('kind', 'applied', 'position', $2::text)
      where command_id = any($1::uuid[])`,
    [commandIds, position],
  );
}

/** `raiseSequence` of several devices. */
export function raiseSequences(tx: Queryable, seqs: ReadonlyMap<string, number>): Promise<number> {
  return tx.run(
    `update command_devices as device set last_seq = used.seq
       from unnest($1::uuid[], $2::bigint[]) as used(device_id, seq)
      where device.device_id = used.device_id and device.last_seq < used.seq`,
    [[...seqs.keys()], [...seqs.values()]],
  );
}

/** A statement that waits longer for a row fails; null waits as long as it takes. */
export async function limitLockWaits(tx: Queryable, limitMs: number | null): Promise<void> {
  await tx.text(`select set_config('lock_timeout', $1, true)`, [String(limitMs ?? 0)]);
}

/** Nothing was done, so nothing is remembered: the command may come again. */
export function dropClaim(tx: Queryable, commandId: string): Promise<number> {
  return tx.run('delete from command_results where command_id = $1', [commandId]);
}

/** Of commands that no device can repeat any more. */
export function deleteOldResults(db: Queryable): Promise<number> {
  return db.run(`delete from command_results where created_at < now() - make_interval(days => $1::integer)`, [
    KEPT_DAYS,
  ]);
}
