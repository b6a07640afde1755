/** SQL of connections that are to be used, with what the database keeps out of their columns (migration 0021). */
import { z } from 'zod';
import { recordOf } from '../../src/lib/is-record.ts';
import { jsonObject } from '../platform/db/row-schema.ts';
import type { Queryable } from '../platform/db/database.ts';
import { openContent } from '../platform/crypto/sealed-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';

/** The columns of which a part may be sealed. */
const sealable = z.strictObject({
  url: z.string().nullable(),
  password: z.string().nullable(),
  certificate: z.string().nullable(),
  properties: jsonObject.nullable(),
  /** The user name, of types whose form asks for it as a secret (migration 0106). */
  user_secret: z.string().nullable(),
});

const storedRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  username: z.string().nullable(),
  insecure_tls: z.boolean().nullable(),
  content: sealable,
  sealed: z.record(z.string(), z.string()),
});
type StoredRow = z.infer<typeof storedRow>;

/** A connection with its secrets opened. */
export type ConnectionRow = Pick<StoredRow, 'type' | 'username' | 'insecure_tls'> &
  Omit<StoredRow['content'], 'user_secret'>;

const OPENED = `select id, name, type, username, insecure_tls, opened as content, sealed_values(id) as sealed
  from connections cross join lateral opened_spec(id, jsonb_build_object('url', url, 'password', password,
    'certificate', certificate, 'properties', properties,
    'user_secret', case when has_secret_user(type) then username end)) as opened`;

function openRow(opener: Opener, row: StoredRow | undefined): ConnectionRow | null {
  if (row === undefined) return null;
  const { id, name, sealed, content, ...plain } = row;
  const opened = openContent(opener, { id, owner: `connection "${name}"`, content, sealed });
  const { user_secret: user, ...rest } = sealable.parse(opened);
  return { ...plain, username: user ?? plain.username, ...rest };
}

/** Throws where a secret of it can't be opened. */
export async function findConnection(
  db: Queryable,
  opener: Opener,
  id: string,
): Promise<ConnectionRow | null> {
  const [row] = await db.rows(storedRow, `${OPENED} where id = $1 and deleted_at is null`, [id]);
  return openRow(opener, row);
}

/**
 * A connection as specifications refer to it: by id, by name, or as `connection://namespace/name`, where the
 * first part may be missing, or be its type. Throws where a secret of it can't be opened.
 */
export async function findConnectionByReference(
  db: Queryable,
  opener: Opener,
  reference: string,
): Promise<ConnectionRow | null> {
  const [, place = null, name = reference] = /^connection:\/\/(?:([^/]+)\/)?(.+)$/.exec(reference) ?? [];
  const [row] = await db.rows(
    storedRow,
    `${OPENED}
      where deleted_at is null and (id::text = $1 or (name = $1 and ($2::text is null or namespace = $2
        or lower(replace(type, '_', ' ')) = lower(replace($2, '_', ' ')))))
      order by (namespace = $2) desc nulls last, (namespace = 'default') desc, id limit 1`,
    [name, place],
  );
  return openRow(opener, row);
}

const openedSpec = z.strictObject({
  name: z.string(),
  spec: jsonObject,
  sealed: z.record(z.string(), z.string()),
});

/** A specification in a form, of a row that is being changed. */
interface ChangedSpec {
  table: 'canaries' | 'config_scrapers' | 'logging_backends';
  id: string;
  spec: Record<string, unknown>;
}

/**
 * The specification with what its row keeps secret where the form still shows stars, as it would run once it is saved:
 * stars stay where an entry leads elsewhere than before. Throws where a secret can't be opened.
 */
export async function withKeptSecrets(
  db: Queryable,
  opener: Opener,
  { table, id, spec }: ChangedSpec,
): Promise<Record<string, unknown>> {
  const [row] = await db.rows(
    openedSpec,
    `select coalesce(name, '') as name, opened_spec(id, $2::jsonb) as spec, sealed_values(id) as sealed
       from ${table} where id = $1 and deleted_at is null`,
    [id, JSON.stringify(spec)],
  );
  if (row === undefined) return spec;
  const { name, spec: content, sealed } = row;
  return { ...recordOf(openContent(opener, { id, owner: `"${name}"`, content, sealed })) };
}
