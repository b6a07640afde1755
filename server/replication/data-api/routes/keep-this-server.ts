/**
 * This server is an agent, too: the row `local`, whose id is all zeros (schema §1.5). No write of the data API deletes
 * that one: with it would go all that is checked and found here.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { DataApiRequest } from '../answer/engine.ts';
import { rowsOf } from './sent-rows.ts';

const OWN_ID = '00000000-0000-0000-0000-000000000000';
const OTHERS = `id=neq.${OWN_ID}`;
const MESSAGE = 'The agent local is this server itself: it cannot be deleted';

/** The request, which reaches other agents only where it deletes; throws where it names this one. */
export function keepThisServer(asked: DataApiRequest): DataApiRequest {
  const { target, method, search, body } = asked;
  if (target.kind !== 'table' || target.name !== 'agents') return asked;
  const deleting = rowsOf(body).filter((row) => (Reflect.get(row, 'deleted_at') ?? null) !== null);
  if (method !== 'DELETE' && deleting.length === 0) return asked;
  const isNamed =
    search.includes(`id=eq.${OWN_ID}`) || deleting.some((row) => Reflect.get(row, 'id') === OWN_ID);
  if (isNamed) throw new AppError('invalid', MESSAGE);
  if (method !== 'DELETE' && method !== 'PATCH') return asked;
  return { ...asked, search: search === '' ? OTHERS : `${search}&${OTHERS}` };
}
