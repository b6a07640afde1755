/** SQL of connections that are to be used, with what the database keeps out of their columns (migration 0021). */
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

const OPENED = `select type, opened ->> 'url' as url, username, opened ->> 'password' as password,
       opened ->> 'certificate' as certificate, nullif(opened -> 'properties', 'null') as properties, insecure_tls
  from connections cross join lateral opened_spec(id, jsonb_build_object('url', url, 'password', password,
    'certificate', certificate, 'properties', properties)) as opened`;

export async function findConnection(db: Queryable, id: string): Promise<ConnectionRow | null> {
  const rows = await db.rows<ConnectionRow>(`${OPENED} where id = $1 and deleted_at is null`, [id]);
  return rows[0] ?? null;
}

/**
 * A connection as specifications refer to it: by id, by name, or as `connection://namespace/name`, where the
 * first part may also be its type.
 */
export async function findConnectionByReference(
  db: Queryable,
  reference: string,
): Promise<ConnectionRow | null> {
  const [, place = null, name = reference] = /^connection:\/\/([^/]+)\/(.+)$/.exec(reference) ?? [];
  const rows = await db.rows<ConnectionRow>(
    `${OPENED}
      where deleted_at is null and (id::text = $1 or (name = $1 and ($2::text is null or namespace = $2
        or lower(replace(type, '_', ' ')) = lower(replace($2, '_', ' ')))))
      order by (namespace = $2) desc nulls last, (namespace = 'default') desc, id limit 1`,
    [name, place],
  );
  return rows[0] ?? null;
}
