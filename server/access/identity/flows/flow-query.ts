/** SQL of flows: short-lived rows, one for each time that a form is shown. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { assuranceLevel } from '../queries/session-query.ts';
import { flowMessage } from './flow-messages.ts';

const flowKindName = z.enum(['login', 'registration', 'recovery', 'verification', 'settings']);
/** What a form is for. */
export type FlowKindName = z.infer<typeof flowKindName>;
const flowState = z.enum(['choose_method', 'sent_email', 'passed_challenge', 'show_form', 'success']);
/** How far a form is. */
export type FlowState = z.infer<typeof flowState>;

/** What a form keeps between its steps. Secrets in it are sealed or marks. */
const flowContext = z.object({
  /** Where a code was sent. */
  address: z.string().exactOptional(),
  /** Mark of the invitation that lets somebody register. */
  invitation: z.string().exactOptional(),
  /** Who was invited, where whoever did it said so: not asked again. */
  invited: z.object({ first: z.string(), last: z.string() }).exactOptional(),
  /** Sealed: the TOTP secret that is on the screen, and recovery codes that wait to be confirmed. */
  totp: z.string().exactOptional(),
  codes: z.string().exactOptional(),
  isRevealed: z.boolean().exactOptional(),
});
export type FlowContext = z.infer<typeof flowContext>;

/** What the form says besides its fields. */
const flowUi = z.object({
  messages: z.array(flowMessage).exactOptional(),
  fields: z.record(z.string(), z.array(flowMessage)).exactOptional(),
  values: z.record(z.string(), z.string()).exactOptional(),
});
export type FlowUi = z.infer<typeof flowUi>;

const flowRow = z.strictObject({
  id: z.string(),
  kind: flowKindName,
  csrf_mark: z.string(),
  identity_id: z.string().nullable(),
  return_to: z.string().nullable(),
  is_refresh: z.boolean(),
  requested_aal: assuranceLevel,
  state: flowState,
  context: flowContext,
  ui: flowUi,
  request_url: z.string(),
  issued_at: z.string(),
  expires_at: z.string(),
});
export type FlowRow = z.infer<typeof flowRow>;

const COLUMNS = `id, kind, csrf_mark, identity_id, return_to, is_refresh, requested_aal, state, context, ui,
       request_url, issued_at, expires_at`;

/** Answers the row as stored. */
export async function insertFlow(db: Queryable, flow: FlowRow): Promise<FlowRow> {
  const rows = await db.rows(
    flowRow,
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

/** Also one that has expired; null when there is none of this kind under the id. */
export async function findFlow(db: Queryable, kind: FlowKindName, id: string): Promise<FlowRow | null> {
  const rows = await db.rows(
    flowRow,
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

/** Removes flows that ended before then; answers how many. */
export function deleteOldFlows(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_flows where expires_at < $1::timestamptz', [before]);
}
