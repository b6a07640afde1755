/** SQL of playbooks that come from files: their rows, and which file each came from. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { toJson } from '../../platform/db/to-json.ts';

interface FilePlace {
  name: string;
  namespace: string;
  source: string;
}

const fileRow = z.strictObject({ id: z.string(), source: z.string() });

/** The live row of that name; null when there is none. Throws where somebody made it in the app. */
async function rowOfFile(tx: Queryable, { name, namespace }: FilePlace): Promise<string | null> {
  const rows = await tx.rows(
    fileRow,
    `select id, source::text as source from playbooks where name = $1 and namespace = $2 and deleted_at is null`,
    [name, namespace],
  );
  const made = rows.find(({ source }) => source !== 'ConfigFile');
  if (made !== undefined)
    throw new AppError(
      'conflict',
      `metadata.name: there is a playbook ${namespace}/${name} already, made in the app`,
    );
  return rows[0]?.id ?? null;
}

/** The specification as it stands now is the file's: the operator's word (decision 0032). */
async function noteFile(tx: Queryable, id: string, file: string): Promise<void> {
  await tx.run(
    `insert into playbook_files (playbook_id, file, spec_mark) select id, $2, md5(spec::text) from playbooks where id = $1
     on conflict (playbook_id) do update set file = excluded.file, spec_mark = excluded.spec_mark`,
    [id, file],
  );
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The row of a file's playbook: made, or brought in line with its document. */
export async function saveFilePlaybook(
  tx: Queryable,
  place: FilePlace,
  spec: Record<string, unknown>,
): Promise<string> {
  const { name, namespace, source } = place;
  const facts = [
    toJson(spec),
    textOf(spec['title']) ?? '',
    textOf(spec['icon']),
    textOf(spec['description']),
    textOf(spec['category']) ?? '',
  ];
  let id = await rowOfFile(tx, place);
  if (id === null) {
    const [row] = await tx.rows(
      idRow,
      `insert into playbooks (name, namespace, spec, title, icon, description, category, source)
       values ($1, $2, $3::jsonb, $4, $5, $6, $7, 'ConfigFile') returning id`,
      [name, namespace, ...facts],
    );
    id = row?.id ?? '';
  } else
    await tx.run(
      `update playbooks set spec = $2::jsonb, title = $3, icon = $4, description = $5, category = $6 where id = $1`,
      [id, ...facts],
    );
  await noteFile(tx, id, source);
  return id;
}

/** The row of a playbook whose document was refused: what it was before, else an empty one that can be shown. */
export async function ensureRefusedPlaybook(tx: Queryable, place: FilePlace): Promise<string> {
  return (await rowOfFile(tx, place)) ?? saveFilePlaybook(tx, place, {});
}

/** Live playbooks of a file. */
export async function playbooksOfSource(db: Queryable, file: string): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from playbooks join playbook_files on playbook_id = id where file = $1 and deleted_at is null`,
    [file],
  );
  return rows.map(({ id }) => id);
}

const sourceRow = z.strictObject({ file: z.string() });

/** Files that live playbooks came from. */
export async function playbookSources(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    sourceRow,
    'select distinct file from playbook_files join playbooks on id = playbook_id where deleted_at is null',
  );
  return rows.map(({ file }) => file);
}

/** Soft-deletes playbooks; their runs stay. */
export async function deletePlaybooks(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run('update playbooks set deleted_at = now() where id = any($1::uuid[]) and deleted_at is null', [
    ids,
  ]);
}
