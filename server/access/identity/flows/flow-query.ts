/** SQL of flows: short-lived rows, one for each time that a form is shown. */
import type { Queryable } from '../../../platform/db/database.ts';
import type { Aal } from '../queries/session-query.ts';
import type { FlowMessage } from './flow-messages.ts';

export type FlowKindName = 'login' | 'registration' | 'recovery' | 'verification' | 'settings';
export type FlowState = 'choose_method' | 'sent_email' | 'passed_challenge' | 'show_form' | 'success';

/** What a form keeps between its steps. Secrets in it are sealed or marks. */
export interface FlowContext {
  /** Where a code was sent. */
  address?: string;
  /** Mark of the invitation that lets somebody register. */
  invitation?: string;
  /** Who was invited, where whoever did it said so: not asked again. */
  invited?: { first: string; last: string };
  /** Sealed: the TOTP secret that is on the screen, and recovery codes that wait to be confirmed. */
  totp?: string;
  codes?: string;
  isRevealed?: boolean;
}

/** What the form says besides its fields. */
export interface FlowUi {
  messages?: FlowMessage[];
  fields?: Record<string, FlowMessage[]>;
  values?: Record<string, string>;
}

export interface FlowRow {
  id: string;
  kind: FlowKindName;
  csrf_mark: string;
  identity_id: string | null;
  return_to: string | null;
  is_refresh: boolean;
  requested_aal: Aal;
  state: FlowState;
  context: FlowContext;
  ui: FlowUi;
  request_url: string;
  issued_at: string;
  expires_at: string;
}

const COLUMNS = `id, kind, csrf_mark, identity_id, return_to, is_refresh, requested_aal, state, context, ui,
       request_url, issued_at, expires_at`;

export async function insertFlow(db: Queryable, flow: FlowRow): Promise<FlowRow> {
  const rows = await db.rows<FlowRow>(
    `insert into identity_flows (${COLUMNS})
     values ($1, $2, $3, $4::uuid, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12::timestamptz, $13::timestamptz)
     returning ${COLUMNS}`,
    [
      flow.id,
      flow.kind,
      flow.csrf_mark,
      flow.identity_id,
      flow.return_to,
      flow.is_refresh,
      flow.requested_aal,
      flow.state,
      flow.context,
      flow.ui,
      flow.request_url,
      flow.issued_at,
      flow.expires_at,
    ],
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error('a flow that was just stored is not there');
  return stored;
}

export async function findFlow(db: Queryable, kind: FlowKindName, id: string): Promise<FlowRow | null> {
  const rows = await db.rows<FlowRow>(
    `select ${COLUMNS} from identity_flows where id = $1::uuid and kind = $2`,
    [id, kind],
  );
  return rows[0] ?? null;
}

/** What a step of the form leaves behind. */
export function updateFlow(
  db: Queryable,
  flow: Pick<FlowRow, 'id' | 'state' | 'context' | 'ui'>,
): Promise<number> {
  return db.run(
    'update identity_flows set state = $2, context = $3::jsonb, ui = $4::jsonb where id = $1::uuid',
    [flow.id, flow.state, flow.context, flow.ui],
  );
}

/** Counts a try before it is looked at, so that parallel ones count, too; 0 when there are no more. */
export function spendTry(db: Queryable, id: string, maxTries: number): Promise<number> {
  return db.run('update identity_flows set tries = tries + 1 where id = $1::uuid and tries < $2', [
    id,
    maxTries,
  ]);
}

/** Takes a flow away; answers 1 for the one caller that got it. */
export function deleteFlow(db: Queryable, id: string): Promise<number> {
  return db.run('delete from identity_flows where id = $1::uuid', [id]);
}

export function deleteOldFlows(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_flows where expires_at < $1::timestamptz', [before]);
}
