/** SQL of codes and links that prove an address. Each is good once: whoever marks it used was the one. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';

export type CodePurpose = 'recovery' | 'verification' | 'invitation';

export interface NewCode {
  id: string;
  purpose: CodePurpose;
  /** null for an address that nobody has. */
  identityId: string | null;
  flowId: string | null;
  address: string;
  codeMark: string | null;
  linkMark: string;
  expiresAt: Date;
}

/** Stored are hashes: neither code nor link can be read from the database. */
export function insertCode(tx: Queryable, code: NewCode): Promise<number> {
  return tx.run(
    `insert into identity_codes (id, purpose, identity_id, flow_id, address, code_mark, link_mark, expires_at)
     values ($1, $2, $3::uuid, $4::uuid, $5, $6, $7, $8::timestamptz)`,
    [
      code.id,
      code.purpose,
      code.identityId,
      code.flowId,
      code.address,
      code.codeMark,
      code.linkMark,
      code.expiresAt,
    ],
  );
}

const codeRow = z.strictObject({
  id: z.string(),
  identity_id: z.string(),
  address: z.string(),
});
export type CodeRow = z.infer<typeof codeRow>;

const LIVE = `purpose = $1 and identity_id is not null and used_at is null and expires_at > $2::timestamptz`;

interface CodeUse {
  purpose: CodePurpose;
  nowAt: Date;
}

/** Uses up the code that was sent for this flow; null when it isn't one, or not any more. */
export async function useFlowCode(
  db: Queryable,
  use: CodeUse & { flowId: string; codeMark: string },
): Promise<CodeRow | null> {
  const rows = await db.rows(
    codeRow,
    `update identity_codes set used_at = $2::timestamptz
      where ${LIVE} and flow_id = $3::uuid and code_mark = $4
     returning id, identity_id, address`,
    [use.purpose, use.nowAt, use.flowId, use.codeMark],
  );
  return rows[0] ?? null;
}

/** Uses up a link, whatever browser it was opened in. */
export async function useLink(db: Queryable, use: CodeUse & { linkMark: string }): Promise<CodeRow | null> {
  const rows = await db.rows(
    codeRow,
    `update identity_codes set used_at = $2::timestamptz
      where ${LIVE} and link_mark = $3
     returning id, identity_id, address`,
    [use.purpose, use.nowAt, use.linkMark],
  );
  return rows[0] ?? null;
}

/** A link that is still good, without using it: mail scanners open links, too. */
export async function findLink(db: Queryable, use: CodeUse & { linkMark: string }): Promise<CodeRow | null> {
  const rows = await db.rows(
    codeRow,
    `select id, identity_id, address from identity_codes where ${LIVE} and link_mark = $3`,
    [use.purpose, use.nowAt, use.linkMark],
  );
  return rows[0] ?? null;
}

/** Ends what was sent for a form before: only the newest counts. */
export function endFlowCodes(tx: Queryable, flowId: string, nowAt: Date): Promise<number> {
  return tx.run(
    'update identity_codes set used_at = $2::timestamptz where flow_id = $1::uuid and used_at is null',
    [flowId, nowAt],
  );
}

/** Removes codes that ended before then, used or not; answers how many. */
export function deleteOldCodes(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_codes where expires_at < $1::timestamptz', [before]);
}
