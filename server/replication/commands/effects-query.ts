/** SQL of effects outside the database that a committed command promised. */
import type { Queryable } from '../../platform/db/database.ts';

const KEPT_DAYS = 100;

export interface NewEffect {
  commandId: string;
  name: string;
  args: object;
  personId: string;
  expiresAt: Date;
}

export interface EffectRow {
  command_id: string;
  name: string;
  args: unknown;
  expires_at: string;
}

/** How an effect ended. */
export type EffectOutcome = 'ran' | 'nothing' | 'unknown' | 'failed' | 'expired';

export function insertEffect(tx: Queryable, effect: NewEffect): Promise<number> {
  return tx.run(
    `insert into command_effects (command_id, name, args, person_id, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz)`,
    [effect.commandId, effect.name, effect.args, effect.personId, effect.expiresAt],
  );
}

/** The effect of a command, while it is still to be done. */
export async function findUndoneEffect(db: Queryable, commandId: string): Promise<EffectRow | null> {
  const [effect] = await db.rows<EffectRow>(
    'select command_id, name, args, expires_at from command_effects where command_id = $1 and done_at is null',
    [commandId],
  );
  return effect ?? null;
}

export async function undoneCommandIds(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ command_id: string }>(
    'select command_id from command_effects where done_at is null order by created_at, command_id',
  );
  return rows.map((row) => row.command_id);
}

export function finishEffect(db: Queryable, commandId: string, outcome: EffectOutcome): Promise<number> {
  return db.run(
    'update command_effects set done_at = now(), outcome = $2 where command_id = $1 and done_at is null',
    [commandId, outcome],
  );
}

export function deleteOldEffects(db: Queryable): Promise<number> {
  return db.run(
    `delete from command_effects
      where done_at is not null and created_at < now() - make_interval(days => $1::integer)`,
    [KEPT_DAYS],
  );
}
