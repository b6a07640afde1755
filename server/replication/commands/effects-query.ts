/** SQL of effects outside the database that a committed command promised. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';

const KEPT_DAYS = 100;

export interface NewEffect {
  commandId: string;
  name: string;
  args: object;
  personId: string;
  expiresAt: Date;
}

const effectRow = z.strictObject({
  /** Of the command. */
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
  expires_at: z.string(),
});
export type EffectRow = z.infer<typeof effectRow>;

/** How an effect ended. */
export type EffectOutcome = 'ran' | 'nothing' | 'unknown' | 'failed' | 'expired';

/** Call in the transaction of the command. */
export function insertEffect(tx: Queryable, effect: NewEffect): Promise<number> {
  return tx.run(
    `insert into command_effects (command_id, name, args, person_id, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz)`,
    [effect.commandId, effect.name, effect.args, effect.personId, effect.expiresAt],
  );
}

/** Has no attempts: what failed isn't tried again. */
export const EFFECT_TABLE: QueueTable<EffectRow> = {
  name: 'command_effects',
  key: 'command_id',
  where: 'item.done_at is null',
  order: 'item.created_at, item.command_id',
  claim: (tx, keys) =>
    tx.rows(
      effectRow,
      `select command_id as id, name, args, expires_at from command_effects
        where command_id = any($1::uuid[]) and done_at is null`,
      [keys],
    ),
};

/** 0 when it was finished already. */
export function finishEffect(db: Queryable, commandId: string, outcome: EffectOutcome): Promise<number> {
  return db.run(
    'update command_effects set done_at = now(), outcome = $2 where command_id = $1 and done_at is null',
    [commandId, outcome],
  );
}

/** Of those that ended, the ones that no device can ask for any more. */
export function deleteOldEffects(db: Queryable): Promise<number> {
  return db.run(
    `delete from command_effects
      where done_at is not null and created_at < now() - make_interval(days => $1::integer)`,
    [KEPT_DAYS],
  );
}
