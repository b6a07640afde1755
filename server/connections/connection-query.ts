/** SQL of connections that are to be used, with what the database keeps out of their columns (migration 0021). */
import type { Queryable } from '../platform/db/database.ts';
import { openContent } from '../platform/crypto/sealed-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';

export interface ConnectionRow {
  type: string;
  url: string | null;
  username: string | null;
  password: string | null;
  certificate: string | null;
  properties: Record<string, unknown> | null;
  insecure_tls: boolean | null;
}

interface StoredRow extends Pick<ConnectionRow, 'type' | 'username' | 'insecure_tls'> {
  id: string;
  name: string;
  content: Pick<ConnectionRow, 'url' | 'password' | 'certificate' | 'properties'>;
  sealed: Record<string, string>;
}

const OPENED = `select id, name, type, username, insecure_tls, opened as content, sealed_values(id) as sealed
  from connections cross join lateral opened_spec(id, jsonb_build_object('url', url, 'password', password,
    'certificate', certificate, 'properties', properties)) as opened`;

function openRow(opener: Opener, row: StoredRow | undefined): ConnectionRow | null {
  if (row === undefined) return null;
  const { id, name, sealed, content, ...plain } = row;
  const opened = openContent(opener, { id, owner: `connection "${name}"`, content, sealed });
  // Opening changes texts only.
  return { ...plain, ...(opened as StoredRow['content']) };
}

/** Throws where a secret of it can't be opened. */
export async function findConnection(
  db: Queryable,
  opener: Opener,
  id: string,
): Promise<ConnectionRow | null> {
  const [row] = await db.rows<StoredRow>(`${OPENED} where id = $1 and deleted_at is null`, [id]);
  return openRow(opener, row);
}

/**
 * A connection as specifications refer to it: by id, by name, or as `connection://namespace/name`, where the
 * first part may also be its type. Throws where a secret of it can't be opened.
 */
export async function findConnectionByReference(
  db: Queryable,
  opener: Opener,
  reference: string,
): Promise<ConnectionRow | null> {
  const [, place = null, name = reference] = /^connection:\/\/([^/]+)\/(.+)$/.exec(reference) ?? [];
  const [row] = await db.rows<StoredRow>(
    `${OPENED}
      where deleted_at is null and (id::text = $1 or (name = $1 and ($2::text is null or namespace = $2
        or lower(replace(type, '_', ' ')) = lower(replace($2, '_', ' ')))))
      order by (namespace = $2) desc nulls last, (namespace = 'default') desc, id limit 1`,
    [name, place],
  );
  return openRow(opener, row);
}
