/** SQL of topologies: rows of files, rows of users, refusals, removal, and when each was built. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { toJson } from '../../platform/db/to-json.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Rows that no file of this server's stands behind. */
const NOT_OF_FILE = 'not exists (select from topology_files where topology_id = topologies.id)';

interface FilePlace {
  name: string;
  namespace: string;
  source: string;
}

const fileRow = z.strictObject({ id: z.string(), file: z.string().nullable(), source: z.string() });

/** The live row of that name; it is this file's, or that of a file that is not known here any more. */
async function rowOfFile(tx: Queryable, { name, namespace, source }: FilePlace): Promise<string | null> {
  const [row] = await tx.rows(
    fileRow,
    `select id, file, source::text as source from topologies left join topology_files on topology_id = id
     where name = $1 and namespace = $2 and deleted_at is null and agent_id = ${NIL}`,
    [name, namespace],
  );
  if (row === undefined) return null;
  if (row.file !== source) {
    if (row.source !== 'ConfigFile')
      throw new AppError(
        'conflict',
        `metadata.name: there is a topology ${namespace}/${name} already, made in the app`,
      );
    await noteFile(tx, row.id, source);
  }
  return row.id;
}

async function noteFile(tx: Queryable, id: string, file: string): Promise<void> {
  await tx.run(
    `insert into topology_files (topology_id, file) values ($1, $2)
     on conflict (topology_id) do update set file = excluded.file`,
    [id, file],
  );
}

interface FileTopology extends FilePlace {
  labels: Record<string, string>;
  spec: unknown;
  schedule: string | null;
}

/** The row of a file's topology: made, or brought in line with its document. */
export async function saveFileTopology(tx: Queryable, topology: FileTopology): Promise<string> {
  const { name, namespace, labels, spec, schedule, source } = topology;
  const known = await rowOfFile(tx, topology);
  if (known !== null) {
    await tx.run(
      `update topologies set spec = $2::jsonb, labels = $3::jsonb, schedule = $4
       where id = $1 and (spec, labels, schedule) is distinct from ($2::jsonb, $3::jsonb, $4::text)`,
      [known, toJson(spec), toJson(labels), schedule],
    );
    return known;
  }
  const [row] = await tx.rows(
    idRow,
    `insert into topologies (name, namespace, labels, spec, schedule, source)
     values ($1, $2, $3::jsonb, $4::jsonb, $5, 'ConfigFile') returning id`,
    [name, namespace, toJson(labels), toJson(spec), schedule],
  );
  const id = row?.id ?? '';
  await noteFile(tx, id, source);
  return id;
}

/** The row of a topology whose document was refused: what it was before, else an empty one that can be shown. */
export async function ensureRefusedTopology(tx: Queryable, place: FilePlace): Promise<string> {
  return (
    (await rowOfFile(tx, place)) ?? saveFileTopology(tx, { ...place, labels: {}, spec: {}, schedule: null })
  );
}

/** Live topologies of a file. */
export async function topologiesOfSource(db: Queryable, file: string): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from topologies join topology_files on topology_id = id
     where file = $1 and deleted_at is null and agent_id = ${NIL}`,
    [file],
  );
  return rows.map(({ id }) => id);
}

const sourceRow = z.strictObject({ file: z.string() });

/** Files that live topologies came from. */
export async function topologySources(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    sourceRow,
    `select distinct file from topology_files join topologies on id = topology_id
     where deleted_at is null and agent_id = ${NIL}`,
  );
  return rows.map(({ file }) => file);
}

/** Soft-deletes topologies; what they built follows by trigger. */
export async function deleteTopologies(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update topologies set deleted_at = now() from json_to_recordset($1::json) as gone(id uuid)
     where topologies.id = gone.id and topologies.deleted_at is null`,
    [toJson(ids.map((id) => ({ id })))],
  );
}

const storedTopology = z.strictObject({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  labels: z.unknown(),
  schedule: z.string().nullable(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
  /** Written last by somebody who may write connections (migration 0020). */
  is_granted: z.boolean(),
  /** Runs only when somebody asks for it (migration 0095). */
  is_paused: z.boolean(),
});
export type StoredTopology = z.infer<typeof storedTopology>;

/** Live topologies of this server that are kept in the database, by whichever writer. */
export async function databaseTopologies(db: Queryable): Promise<StoredTopology[]> {
  return db.rows(
    storedTopology,
    `select id, name, namespace, labels, schedule, is_paused, opened_spec(id, spec) as spec, sealed_values(id) as sealed,
       exists (select from granted_specs where row_id = topologies.id) as is_granted
     from topologies
     where deleted_at is null and agent_id = ${NIL} and ${NOT_OF_FILE} order by id`,
  );
}

const markRow = z.strictObject({ mark: z.string() });

/** Changes whenever one of them is added, changed or removed. */
export async function databaseMark(db: Queryable): Promise<string> {
  const [row] = await db.rows(
    markRow,
    `select count(*) || ' ' || coalesce(max(updated_at)::text, '') || ' ' || coalesce(max(deleted_at)::text, '')
       || ' ' || coalesce(max(created_at)::text, '')
       || ' ' || (select count(*) || ' ' || coalesce(max(granted_at)::text, '') from granted_specs) as mark
     from topologies where agent_id = ${NIL} and ${NOT_OF_FILE}`,
  );
  return row?.mark ?? '';
}

/** True for a live topology, whoever builds it. */
export async function isKnownTopology(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.rows(idRow, 'select id from topologies where id = $1 and deleted_at is null', [id]);
  return rows.length > 0;
}

const begunRow = z.strictObject({ topology_id: z.string() });

/**
 * Notes that a run begins, unless the last one began less than `minAgeMs` ago and after the document was changed; false
 * then. One that began in the future did so before the clock was set back.
 */
export async function beginRun(
  db: Queryable,
  { topologyId, minAgeMs }: { topologyId: string; minAgeMs: number },
): Promise<boolean> {
  const rows = await db.rows(
    begunRow,
    `insert into topology_runs (topology_id, started_at) values ($1, clock_timestamp())
     on conflict (topology_id) do update set started_at = excluded.started_at
     where topology_runs.started_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
       or topology_runs.started_at > clock_timestamp()
       or topology_runs.started_at <= (
         select coalesce(updated_at, created_at) from topologies where id = topology_runs.topology_id)
     returning topology_id`,
    [topologyId, minAgeMs],
  );
  return rows.length > 0;
}

const lastRunRow = z.strictObject({ id: z.string(), at: z.string() });

/** When each topology was built last, in ms. */
export async function lastRunsOf(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows(lastRunRow, 'select topology_id as id, started_at as at from topology_runs');
  return new Map(rows.map(({ id, at }) => [id, Date.parse(at)]));
}
