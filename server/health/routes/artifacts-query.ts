/** Files that runs have left: their rows, never where or how they are stored. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const ROW = `id, check_id, check_time, playbook_run_action_id, filename, content_type, size, checksum, expires_at,
  created_at, updated_at`;

function asJson(where: string): string {
  return `select coalesce(json_agg(r order by r.created_at, r.id), '[]')::text
    from (select ${ROW} from artifacts where deleted_at is null and ${where}) r`;
}

/** Of one run of a check, to the second: callers have its time from JSON, which may be coarser than the column. */
export async function listCheckArtifacts(db: Queryable, checkId: string, time: Date): Promise<string> {
  const where = `check_id = $1 and date_trunc('second', check_time) = date_trunc('second', $2::timestamptz)`;
  return (await db.text(asJson(where), [checkId, time])) ?? '[]';
}

/** A file that can be downloaded. */
export interface StoredFile {
  filename: string;
  contentType: string | null;
  content: Buffer;
}

const artifactRow = z.strictObject({
  filename: z.string(),
  type: z.string().nullable(),
  content: z.string(),
});

/** The file of an artifact; null where it isn't, or is no longer, kept. */
export async function readArtifact(db: Queryable, id: string): Promise<StoredFile | null> {
  const [row] = await db.rows(
    artifactRow,
    `select filename, content_type as type, encode(content, 'base64') as content
     from artifacts join artifact_contents on artifact_id = id
     where id = $1 and deleted_at is null and (expires_at is null or expires_at > now())`,
    [id],
  );
  if (row === undefined) return null;
  const { filename, type: contentType, content } = row;
  return { filename, contentType, content: Buffer.from(content, 'base64') };
}

/** Of all actions of a playbook run. */
export async function listRunArtifacts(db: Queryable, runId: string): Promise<string> {
  const where = `playbook_run_action_id in (select id from playbook_run_actions where playbook_run_id = $1)`;
  return (await db.text(asJson(where), [runId])) ?? '[]';
}
