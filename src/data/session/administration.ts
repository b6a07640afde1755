/** What administrators do, as one function: done now with the answer, or refused (design §4 law 9). */
import type { AdminAction, AdminOutcome } from '../../contract/http/admin-actions.ts';
import type { Answer } from '../../contract/queries/queries.ts';
import { dataClient } from '../client/data-client.ts';

export type AdminAnswer = Answer<AdminOutcome> & { field: string | null };

/** The answer's `field` is that of the form which the refusal is about. */
export async function administer(action: AdminAction): Promise<AdminAnswer> {
  const answer = await dataClient().workers.sync.act('administer', action);
  return { ...answer, field: answer.ok ? null : (answer.error.field ?? null) };
}
