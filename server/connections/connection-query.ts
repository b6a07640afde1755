/** SQL of connections that are to be tried. */
import type { Queryable } from '../db/database.ts';

export interface ConnectionRow {
  type: string;
  url: string | null;
  username: string | null;
  password: string | null;
  certificate: string | null;
  properties: Record<string, unknown> | null;
  insecure_tls: boolean | null;
}

export async function findConnection(db: Queryable, id: string): Promise<ConnectionRow | null> {
  const rows = await db.rows<ConnectionRow>(
    `select type, url, username, password, certificate, properties, insecure_tls
       from connections where id = $1 and deleted_at is null`,
    [id],
  );
  return rows[0] ?? null;
}
