/** SQL of sign-in flows: short-lived rows, one for each time that a sign-in form is shown. */
import type { Queryable } from '../db/database.ts';

export interface FlowRow {
  id: string;
  csrf_mark: string;
  return_to: string | null;
  is_refresh: boolean;
  request_url: string;
  issued_at: string;
  expires_at: string;
}

export interface NewFlow {
  id: string;
  csrfMark: string;
  returnTo: string | null;
  isRefresh: boolean;
  requestUrl: string;
  issuedAt: Date;
  expiresAt: Date;
}

export function insertFlow(db: Queryable, flow: NewFlow): Promise<number> {
  return db.run(
    `insert into identity_flows
       (id, kind, csrf_mark, return_to, is_refresh, request_url, issued_at, expires_at, state)
     values ($1, 'login', $2, $3, $4, $5, $6::timestamptz, $7::timestamptz, 'choose_method')`,
    [flow.id, flow.csrfMark, flow.returnTo, flow.isRefresh, flow.requestUrl, flow.issuedAt, flow.expiresAt],
  );
}

export async function findFlow(db: Queryable, id: string): Promise<FlowRow | null> {
  const rows = await db.rows<FlowRow>(
    `select id, csrf_mark, return_to, is_refresh, request_url, issued_at, expires_at
       from identity_flows where id = $1::uuid and kind = 'login'`,
    [id],
  );
  return rows[0] ?? null;
}

/** Takes a flow away; answers 1 for the one caller that got it. */
export function deleteFlow(db: Queryable, id: string): Promise<number> {
  return db.run('delete from identity_flows where id = $1::uuid', [id]);
}

export function deleteOldFlows(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_flows where expires_at < $1::timestamptz', [before]);
}
