/** SQL of log backends that come from files: their rows, and which file each came from. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import type { FileLogBackend } from './log-backend-document.ts';
import { toJson } from '../../platform/db/to-json.ts';

const fileRow = z.strictObject({ id: z.string(), source: z.string().nullable() });

/** The live row of that name; null when there is none. Throws where somebody made it in the app. */
async function rowOfFile(tx: Queryable, name: string): Promise<string | null> {
  const rows = await tx.rows(
    fileRow,
    `select id, source::text as source from logging_backends where name = $1 and deleted_at is null`,
    [name],
  );
  if (rows.some(({ source }) => source !== 'ConfigFile'))
    throw new AppError('conflict', `metadata.name: there is a log backend ${name} already, made in the app`);
  return rows[0]?.id ?? null;
}

/** The row of a file's log backend: made, or brought in line with its document. */
export async function saveFileLogBackend(
  tx: Queryable,
  { name, labels, spec }: Pick<FileLogBackend, 'name' | 'labels' | 'spec'>,
  file: string,
): Promise<string> {
  const facts = [toJson(spec), toJson(labels)];
  let id = await rowOfFile(tx, name);
  if (id === null) {
    const [row] = await tx.rows(
      idRow,
      `insert into logging_backends (name, spec, labels, source)
       values ($1, $2::jsonb, $3::jsonb, 'ConfigFile') returning id`,
      [name, ...facts],
    );
    id = row?.id ?? '';
  } else
    await tx.run('update logging_backends set spec = $2::jsonb, labels = $3::jsonb where id = $1', [
      id,
      ...facts,
    ]);
  await tx.run(
    `insert into log_backend_files (backend_id, file, spec_mark)
     select id, $2, md5(spec::text) from logging_backends where id = $1
     on conflict (backend_id) do update set file = excluded.file, spec_mark = excluded.spec_mark`,
    [id, file],
  );
  return id;
}

/** The row of a log backend whose document was refused: what it was before, else an empty one that can be shown. */
export async function ensureRefusedLogBackend(tx: Queryable, name: string, file: string): Promise<string> {
  return (await rowOfFile(tx, name)) ?? saveFileLogBackend(tx, { name, labels: {}, spec: {} }, file);
}

/** Live log backends of a file. */
export async function logBackendsOfSource(db: Queryable, file: string): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from logging_backends join log_backend_files on backend_id = id
     where file = $1 and deleted_at is null`,
    [file],
  );
  return rows.map(({ id }) => id);
}

const sourceRow = z.strictObject({ file: z.string() });

/** Files that live log backends came from. */
export async function logBackendSources(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    sourceRow,
    `select distinct file from log_backend_files join logging_backends on id = backend_id
     where deleted_at is null`,
  );
  return rows.map(({ file }) => file);
}

/** Soft-deletes log backends. */
export async function deleteLogBackends(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    'update logging_backends set deleted_at = now() where id = any($1::uuid[]) and deleted_at is null',
    [ids],
  );
}
