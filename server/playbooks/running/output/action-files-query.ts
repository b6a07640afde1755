/** SQL of the files that actions leave: kept as artifacts of the action. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../../platform/db/database.ts';
import type { LeftFile } from '../../../platform/exec/collect-files.ts';
import { toJson } from '../../../platform/db/to-json.ts';

const KEPT_DAYS = 30;

const isText = (content: Buffer) => Buffer.from(content.toString('utf8')).equals(content);

/** Keeps them with the action's row. */
export async function saveActionFiles(
  tx: Queryable,
  actionId: string,
  files: readonly LeftFile[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ name, content }) => ({
    name,
    size: content.length,
    type: isText(content) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    checksum: createHash('sha256').update(content).digest('hex'),
    content: content.toString('base64'),
  }));
  await tx.run(
    `with sent as (
       select * from json_to_recordset($2::json) as file(name text, size integer, type text, checksum text, content text)
     ), kept as (
       insert into artifacts (playbook_run_action_id, path, filename, content_type, size, checksum, expires_at)
       select $1, sent.name, sent.name, sent.type, size, checksum, now() + interval '${KEPT_DAYS} days' from sent
       returning id, path
     )
     insert into artifact_contents (artifact_id, content)
     select kept.id, decode(sent.content, 'base64') from kept join sent on sent.name = kept.path`,
    [actionId, toJson(rows)],
  );
}
