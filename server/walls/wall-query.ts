/** SQL of walls, their pairings and boards. */
import { z } from 'zod';
import type { Queryable } from '../platform/db/database.ts';
import { idRow, jsonObject } from '../platform/db/row-schema.ts';
import { toJson } from '../platform/db/to-json.ts';

export interface NewPairing {
  id: string;
  codeMark: string;
  secretMark: string;
  ip: string;
  userAgent: string;
  nowAt: Date;
  expiresAt: Date;
}

/** Those whose time is over go first, so that the table stays small. */
export async function insertPairing(tx: Queryable, pairing: NewPairing): Promise<void> {
  await tx.run('delete from wall_pairings where expires_at < $1::timestamptz', [pairing.nowAt]);
  await tx.run(
    `insert into wall_pairings (id, code_mark, secret_mark, ip, user_agent, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz)`,
    [
      pairing.id,
      pairing.codeMark,
      pairing.secretMark,
      pairing.ip,
      pairing.userAgent,
      pairing.nowAt,
      pairing.expiresAt,
    ],
  );
}

/** The pairing that shows this code and waits for a person; locked until the transaction ends. */
export async function findWaitingPairing(
  tx: Queryable,
  codeMark: string,
  nowAt: Date,
): Promise<string | null> {
  const rows = await tx.rows(
    idRow,
    `select id from wall_pairings
      where code_mark = $1 and expires_at > $2::timestamptz and wall_id is null for update`,
    [codeMark, nowAt],
  );
  return rows[0]?.id ?? null;
}

/** Says which wall a pairing has become. */
export function confirmPairing(tx: Queryable, id: string, wallId: string): Promise<number> {
  return tx.run('update wall_pairings set wall_id = $2 where id = $1', [id, wallId]);
}

const claimedRow = z.strictObject({ id: z.string(), wall_id: z.string().nullable() });

/** The pairing of a secret while it counts; locked until the transaction ends. */
export async function findPairingOfSecret(
  tx: Queryable,
  secretMark: string,
  nowAt: Date,
): Promise<{ id: string; wall_id: string | null } | null> {
  const rows = await tx.rows(
    claimedRow,
    `select id, wall_id from wall_pairings
      where secret_mark = $1 and expires_at > $2::timestamptz for update`,
    [secretMark, nowAt],
  );
  return rows[0] ?? null;
}

/** The screen of a wall has its session: the secret by which it fetched it is good no more. */
export function deletePairingOf(db: Queryable, wallId: string): Promise<number> {
  return db.run('delete from wall_pairings where wall_id = $1', [wallId]);
}

/** The wall with the person and the account that its session belongs to: no e-mail, no password, a viewer. */
export async function insertWall(
  tx: Queryable,
  wall: { id: string; name: string; pairedBy: string; nowAt: Date },
): Promise<void> {
  const { id, name, pairedBy, nowAt } = wall;
  await tx.run(`insert into people (id, name, type) values ($1, $2, 'wall')`, [id, name]);
  await tx.run('insert into identities (id, traits) values ($1, $2::jsonb)', [id, { name: { first: name } }]);
  await tx.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, 'viewer')`, [id]);
  await tx.run('insert into walls (id, paired_by, paired_at) values ($1, $2, $3::timestamptz)', [
    id,
    pairedBy,
    nowAt,
  ]);
}

const wallRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  settings: jsonObject,
  paired_at: z.string(),
  paired_by_name: z.string().nullable(),
  last_contact: z.string().nullable(),
});
export type WallRow = z.infer<typeof wallRow>;

/** The paired walls by name. An open page counts as contact, once a minute. */
export function findWalls(db: Queryable): Promise<WallRow[]> {
  return db.rows(
    wallRow,
    `select w.id, p.name, w.settings, w.paired_at, by.name as paired_by_name,
            (select max(s.last_seen_at) from identity_sessions s where s.identity_id = w.id) as last_contact
       from walls w join people p on p.id = w.id left join people by on by.id = w.paired_by
      where p.deleted_at is null order by lower(p.name), w.id`,
  );
}

/** 0 where there is no such wall. */
export async function updateWall(
  tx: Queryable,
  id: string,
  change: { name?: string | undefined; settings?: object | undefined },
): Promise<number> {
  const { name, settings } = change;
  const found = await tx.run(
    `update walls set settings = coalesce($2::jsonb, settings)
      where id = $1 and exists (select 1 from people p where p.id = walls.id and p.deleted_at is null)`,
    [id, settings ?? null],
  );
  // The person takes the name over from the account.
  if (found > 0 && name !== undefined)
    await tx.run('update identities set traits = $2::jsonb where id = $1', [id, { name: { first: name } }]);
  return found;
}

/** Ends a wall: its session, account and role go, its name stays in history. 0 where there is no such wall. */
export async function endWall(tx: Queryable, id: string): Promise<number> {
  const ended = await tx.run(
    `update people set deleted_at = now()
      where id = $1 and deleted_at is null and exists (select 1 from walls w where w.id = people.id)`,
    [id],
  );
  if (ended === 0) return 0;
  await tx.run('delete from identities where id = $1', [id]);
  await tx.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [id]);
  return ended;
}

const boardRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  tiles: z.array(jsonObject),
  updated_at: z.string(),
});
export type BoardRow = z.infer<typeof boardRow>;

/** All boards by name. */
export function findBoards(db: Queryable): Promise<BoardRow[]> {
  return db.rows(boardRow, 'select id, name, tiles, updated_at from wall_boards order by lower(name), id');
}

/** Makes a board or replaces it. */
export function saveBoard(
  tx: Queryable,
  board: { id: string; name: string; tiles: readonly object[]; createdBy: string; nowAt: Date },
): Promise<number> {
  const { id, name, tiles, createdBy, nowAt } = board;
  return tx.run(
    `insert into wall_boards (id, name, tiles, created_by, created_at, updated_at)
     values ($1, $2, $3::jsonb, $4, $5::timestamptz, $5::timestamptz)
     on conflict (id) do update
       set name = excluded.name, tiles = excluded.tiles, updated_at = excluded.updated_at`,
    [id, name, toJson(tiles), createdBy, nowAt],
  );
}

/** 0 where there is no such board. */
export function deleteBoard(tx: Queryable, id: string): Promise<number> {
  return tx.run('delete from wall_boards where id = $1', [id]);
}
