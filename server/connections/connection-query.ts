/** SQL of connections that are to be used, with what the database keeps out of their columns (migration 0021). */
import { z } from 'zod';
import { isRecord, recordOf } from '../../src/lib/is-record.ts';
import { jsonObject } from '../platform/db/row-schema.ts';
import type { Queryable } from '../platform/db/database.ts';
import { openContent, openStored } from '../platform/crypto/sealed-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import { toJson } from '../platform/db/to-json.ts';

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

/** The agent of what this server runs itself. */
const THIS_SERVER = '00000000-0000-0000-0000-000000000000';

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
  /** Who changes it may send what is kept anywhere, as whoever saves it with that right. */
  mayGrant: boolean;
}

/** One value that a row keeps, and the entry of the changed specification that is the one it was in. */
const keptValue = z.strictObject({
  name: z.string(),
  key: z.string(),
  number: z.number(),
  place: z.string(),
  path: z.string(),
  /** What a sealed one was sealed for. */
  sealed_at: z.string(),
  value: z.string(),
  masked: z.string(),
  is_sealed: z.boolean(),
});

/** The value with another one at the path, where the stars of that one stand. */
function withKept(value: unknown, path: readonly string[], kept: { masked: string; text: string }): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value === kept.masked ? kept.text : value;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (String(at) === head ? withKept(one, rest, kept) : one));
  if (!isRecord(value) || !Object.hasOwn(value, head)) return value;
  return { ...value, [head]: withKept(value[head], rest, kept) };
}

/** Wherever its entries lead now. */
async function withAllKept(
  db: Queryable,
  opener: Opener,
  { table, id, spec }: Omit<ChangedSpec, 'mayGrant'>,
): Promise<Record<string, unknown>> {
  const rows = await db.rows(
    keptValue,
    `select coalesce(name, '') as name, entries.key, entries.number, same.old_place as place, kept.path,
         coalesce(kept.sealed_at, kept.path) as sealed_at, kept.value, kept.masked, kept.is_sealed
       from ${table} cross join lateral spec_entries($2::jsonb) as entries
         join lateral same_entries(spec, $2::jsonb, true) as same on same.new_place = entries.place
         join spec_secrets as kept on kept.row_id = id and starts_with(kept.path, same.old_place || '/')
       where id = $1 and deleted_at is null`,
    [id, toJson(spec)],
  );
  let opened: unknown = spec;
  for (const row of rows) {
    const { name, key, number, place, path, value, masked } = row;
    const sealedAs = { table: 'spec_secrets', id, path: row.sealed_at, owner: `"${name}"` } as const;
    const text = row.is_sealed ? openStored(opener, value, sealedAs) : value;
    const inside = path.slice(place.length + 1);
    const entry = Array.isArray(spec[key]) ? [key, String(number - 1)] : [key];
    opened = withKept(opened, inside === '' ? entry : [...entry, ...inside.split('/')], { masked, text });
  }
  return { ...recordOf(opened) };
}

/**
 * The specification with what its row keeps secret where the form still shows stars, as it would run once it is saved:
 * for whoever may not grant, stars stay where an entry leads elsewhere than before, and of what runs at an agent, in whose
 * network the same address may be another machine. Throws where a secret can't be opened.
 */
export async function withSealedSecrets(
  db: Queryable,
  opener: Opener,
  { mayGrant, ...changed }: ChangedSpec,
): Promise<Record<string, unknown>> {
  if (mayGrant) return withAllKept(db, opener, changed);
  const { table, id, spec } = changed;
  const [row] = await db.rows(
    openedSpec,
    `select coalesce(name, '') as name, opened_change(id, spec, $2::jsonb) as spec, sealed_values(id) as sealed
       from ${table} where id = $1 and deleted_at is null and coalesce(agent_id, $3::uuid) = $3::uuid`,
    [id, toJson(spec), THIS_SERVER],
  );
  if (row === undefined) return spec;
  const { name, spec: content, sealed } = row;
  return { ...recordOf(openContent(opener, { id, owner: `"${name}"`, content, sealed })) };
}
