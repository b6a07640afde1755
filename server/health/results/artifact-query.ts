/** SQL of the files that runs of checks leave: kept with their run, bounded for each check, deleted when they expire. */
import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Of each check, the newest ones; with the limit of a file's size this bounds what a check can fill. */
const KEPT_PER_CHECK = 50;
const KEPT_DAYS = 30;

const isText = (content: Buffer) => Buffer.from(content.toString('utf8')).equals(content);

/** Keeps what a run at `time` left; older files of the check than the newest ones go. */
export async function saveArtifacts(
  db: Database,
  run: { checkId: string; time: string },
  files: readonly LeftFile[],
): Promise<void> {
  const rows = files.map(({ name, content }) => ({
    name,
    size: content.length,
    type: isText(content) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    checksum: createHash('sha256').update(content).digest('hex'),
    content: content.toString('base64'),
  }));
  await db.transaction(async (tx) => {
    await tx.run(
      `with sent as (
         select * from json_to_recordset($3::json) as file(name text, size integer, type text, checksum text, content text)
       ), kept as (
         insert into artifacts (check_id, check_time, path, filename, content_type, size, checksum, expires_at)
         select checks.id, $2::timestamptz, sent.name, sent.name, sent.type, size, checksum, now() + interval '${KEPT_DAYS} days'
         from sent join checks on checks.id = $1
         returning id, path
       )
       insert into artifact_contents (artifact_id, content)
       select kept.id, decode(sent.content, 'base64') from kept join sent on sent.name = kept.path`,
      [run.checkId, run.time, toJson(rows)],
    );
    await tx.run(
      `delete from artifacts where id in (
         select id from artifacts where check_id = $1 order by check_time desc, id offset ${KEPT_PER_CHECK})`,
      [run.checkId],
    );
  });
}

/** Deletes files that are no longer to be kept. */
export async function deleteExpiredArtifacts(db: Queryable): Promise<void> {
  await db.run('delete from artifacts where check_id is not null and expires_at < now()');
}
