/** SQL of shared tablets and the sessions on them. */
import { z } from 'zod';
import type { Queryable } from '../platform/db/database.ts';

export interface NewTablet {
  id: string;
  name: string;
  tokenMark: string;
  madeBy: string;
  nowAt: Date;
}

/** A new tablet. */
export async function insertTablet(tx: Queryable, tablet: NewTablet): Promise<void> {
  const { id, name, tokenMark, madeBy, nowAt } = tablet;
  await tx.run(
    `insert into shared_tablets (id, name, token_mark, made_by, made_at, last_contact_at)
     values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz)`,
    [id, name, tokenMark, madeBy, nowAt],
  );
}

const hereRow = z.strictObject({ id: z.string(), name: z.string() });

/** The tablet of a token, which was in contact now; null where it was revoked or never was one. */
export async function findTabletOf(
  tx: Queryable,
  tokenMark: string,
  nowAt: Date,
): Promise<z.infer<typeof hereRow> | null> {
  const rows = await tx.rows(
    hereRow,
    `update shared_tablets set last_contact_at = $2::timestamptz
      where token_mark = $1 and deleted_at is null returning id, name`,
    [tokenMark, nowAt],
  );
  return rows[0] ?? null;
}

const tabletRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  made_at: z.string(),
  made_by_name: z.string().nullable(),
  last_contact_at: z.string().nullable(),
  sessions: z.number(),
});

/** The tablets by name, with how many sessions live on each. */
export function findTablets(db: Queryable, nowAt: Date): Promise<z.infer<typeof tabletRow>[]> {
  return db.rows(
    tabletRow,
    `select t.id, t.name, t.made_at, by.name as made_by_name, t.last_contact_at,
            (select count(*) from identity_sessions s
              where s.tablet_id = t.id and s.revoked_at is null and s.expires_at > $1::timestamptz)::int as sessions
       from shared_tablets t left join people by on by.id = t.made_by
      where t.deleted_at is null order by lower(t.name), t.id`,
    [nowAt],
  );
}

/** Revokes a tablet and ends the sessions on it; 0 where there is no such one. */
export async function endTablet(tx: Queryable, id: string, nowAt: Date): Promise<number> {
  const ended = await tx.run(
    'update shared_tablets set deleted_at = $2::timestamptz where id = $1 and deleted_at is null',
    [id, nowAt],
  );
  if (ended > 0)
    await tx.run(
      'update identity_sessions set revoked_at = $2::timestamptz where tablet_id = $1 and revoked_at is null',
      [id, nowAt],
    );
  return ended;
}
