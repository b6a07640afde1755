/**
 * Who changes what others wrote about an incident: a comment is changed by whoever may (policies/comment-policy.ts),
 * what is there isn't merged with, and the words of outside systems come from the server alone. Administrators are
 * free, as with commands. That an author is the sender, in every table and for everybody, is
 * the database's rule (migration 0022). Looks at what a write carries, and narrows which rows it reaches.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { effectiveRoles } from '../../../../src/domain/access/matrix.ts';
import { changeableComments } from '../../../access/policies/comment-policy.ts';
import type { DataApiRequest } from '../answer/engine.ts';
import { rowsOf } from './sent-rows.ts';

const TABLES: ReadonlySet<string> = new Set([
  'incidents',
  'hypotheses',
  'evidences',
  'comments',
  'responders',
]);
const OUTSIDE_WORDS = ['external_id', 'external_created_by'] as const;

const MESSAGES = {
  outside: (field: string) => `${field}: only an outside system’s own comments carry it`,
  merge:
    'Prefer: what somebody else wrote is not merged with yours; send it without resolution=merge-duplicates',
} as const;

/** Always somebody's: nobody calls without having signed in. */
type Sent = DataApiRequest & { subject: string };

const isMerge = ({ method, headers }: DataApiRequest): boolean =>
  method === 'PUT' || /resolution\s*=\s*merge-duplicates/i.test(headers['prefer'] ?? '');

function refuseOutsideWords(asked: Sent, row: object): void {
  if (asked.target.name !== 'comments') return;
  const field = OUTSIDE_WORDS.find((name) => (Reflect.get(row, name) ?? null) !== null);
  if (field !== undefined) throw new AppError('forbidden', MESSAGES.outside(field));
}

/** The request as its sender may make it; throws when it speaks for somebody else (spec 3 §6, contract §13). */
export function keepAuthors(asked: Sent): DataApiRequest {
  const { target, method, subject, roles, search } = asked;
  const isKept = target.kind === 'table' && TABLES.has(target.name);
  if (!isKept || !['POST', 'PUT', 'PATCH'].includes(method) || effectiveRoles(roles).includes('admin'))
    return asked;
  for (const row of rowsOf(asked.body)) refuseOutsideWords(asked, row);
  if (isMerge(asked)) throw new AppError('forbidden', MESSAGES.merge);
  if (target.name !== 'comments' || method !== 'PATCH') return asked;
  const own = changeableComments({ personId: subject, roles });
  if (own === null) return asked;
  return { ...asked, search: search === '' ? own : `${search}&${own}` };
}
