/** SQL of where a message goes: people's addresses, and the services of rules and teams with what signs in. */
import { z } from 'zod';
import { isRecord, recordOf } from '../../../src/lib/is-record.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { openContent, openStored, type Opener } from '../../platform/crypto/sealed-values.ts';

const personRow = z.strictObject({ name: z.string(), email: z.string().nullable() });
export type PersonRow = z.infer<typeof personRow>;

/** Null when the person is gone, or may not sign in any more; who has no account of ours is told all the same. */
export async function personById(db: Queryable, id: string): Promise<PersonRow | null> {
  const [row] = await db.rows(
    personRow,
    `select name, email from people where id = $1 and deleted_at is null
       and not exists (select from identities where identities.id = people.id and identities.state = 'inactive')`,
    [id],
  );
  return row ?? null;
}

const ruleServices = z.strictObject({
  name: z.string(),
  content: jsonObject,
  sealed: z.record(z.string(), z.string()),
});

/** An entry of a rule's services, opened; null when it is gone. Throws where a secret of it can't be opened. */
export async function ruleService(
  db: Queryable,
  opener: Opener,
  rule: { id: string; at: number },
): Promise<unknown> {
  const [row] = await db.rows(
    ruleServices,
    `select name, opened_spec(id, jsonb_build_object('services', custom_services)) as content, sealed_values(id) as sealed
       from notifications where id = $1 and deleted_at is null`,
    [rule.id],
  );
  if (row === undefined) return null;
  const { name, content, sealed } = row;
  const opened = openContent(opener, { id: rule.id, owner: `notification "${name}"`, content, sealed });
  const { services } = recordOf(opened);
  return Array.isArray(services) ? ((services[rule.at] as unknown) ?? null) : null;
}

const teamEntry = z.strictObject({
  team: z.string(),
  entry: z.unknown(),
  place: z.string(),
  mark: z.string().nullable(),
});
const teamSecret = z.strictObject({
  path: z.string(),
  /** The path that it was sealed for. */
  sealed_at: z.string(),
  value: z.string(),
  host: z.string(),
  is_sealed: z.boolean(),
});

const STARS = '***';
const AT_URL = '/secret-url';

/** The entry with each `***` replaced by what was kept of it; null where one of them is for another address. */
function filled(entry: unknown, at: string, secrets: ReadonlyMap<string, string | null>): unknown {
  if (entry === STARS) return secrets.get(at) ?? null;
  if (Array.isArray(entry)) return entry.map((part, index) => filled(part, `${at}/${index}`, secrets));
  if (!isRecord(entry)) return entry;
  return Object.fromEntries(
    Object.entries(entry).map(([key, part]) => [key, filled(part, `${at}/${key}`, secrets)]),
  );
}

/** An entry of a team's `notifications`, opened; null when it is gone. Throws where a secret of it can't be opened. */
export async function teamService(
  db: Queryable,
  opener: Opener,
  team: { id: string; at: number },
): Promise<unknown> {
  // Places are named as migration 0034 names them.
  const [row] = await db.rows(
    teamEntry,
    `select team, entry, place, notified_place($1::uuid, place || '${AT_URL}', entry) as mark from (
       select team, entry, number,
         '~notifications:' || name || '#' || row_number() over (partition by name order by number) as place
       from (
         select teams.name as team, value as entry, number, translate(coalesce(
           case jsonb_typeof(value) when 'object' then nullif(value ->> 'name', '') when 'string' then 'text' end,
           md5(shown_secrets('~', case when value ? 'url' then jsonb_set(value, '{url}', '"***"') else value end)::text)), '/', '|') as name
         from teams cross join lateral jsonb_array_elements(
           case when jsonb_typeof(spec -> 'notifications') = 'array' then spec -> 'notifications' else '[]' end)
           with ordinality as entries (value, number)
         where teams.id = $1 and teams.deleted_at is null
       ) as named
     ) as placed where number = $2`,
    [team.id, team.at + 1],
  );
  if (row === undefined) return null;
  const kept = await db.rows(
    teamSecret,
    `select path, coalesce(sealed_at, path) as sealed_at, value, host, is_sealed from team_secrets where team_id = $1 and starts_with(path, $2 || '/')`,
    [team.id, row.place],
  );
  const secrets = new Map(
    kept.map(({ path, sealed_at: sealedAt, value, host, is_sealed: isSealed }): [string, string | null] => {
      const isOfAddress = path === row.place + AT_URL || host === row.mark;
      const owner = `team "${row.team}"`;
      const place = { table: 'team_secrets', id: team.id, path: sealedAt, owner } as const;
      return [path, isOfAddress ? (isSealed ? openStored(opener, value, place) : value) : null];
    }),
  );
  const url = secrets.get(row.place + AT_URL) ?? null;
  if (row.entry === STARS) return url;
  const opened = filled(row.entry, row.place, secrets);
  return isRecord(opened) && recordOf(row.entry)['url'] === STARS ? { ...opened, url } : opened;
}
