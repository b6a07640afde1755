/** People of a provider as our own: one person a subject, however many first requests come at once. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import { hashToken } from '../../platform/crypto/secrets.ts';
import {
  findProvidedPerson,
  insertProvidedPerson,
  renameProvidedPerson,
  type ProvidedPerson,
} from './person-query.ts';

/** An id that follows from issuer and subject, in the form of a uuid made from a hash (version 8). */
export function providedId(issuer: string, subject: string): string {
  const hash = hashToken('person', issuer, subject);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
}

/** The id of the person; throws `unauthorized` for one who was deleted or switched off here. */
export async function admitProvidedPerson(
  db: Database,
  issuer: string,
  person: ProvidedPerson,
): Promise<string> {
  const id = providedId(issuer, person.externalId);
  const known = await findProvidedPerson(db, id);
  if (known === null) await db.transaction((tx) => insertProvidedPerson(tx, id, person));
  else if (!known.is_active) throw new AppError('unauthorized', 'This account may not sign in here');
  else if (known.name !== person.name) await renameProvidedPerson(db, id, person.name);
  return id;
}
