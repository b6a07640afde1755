/**
 * What administrators do to users, with the rules that keep a way in: nobody takes the administrator's role, his
 * account or his access from himself, and the last administrator stays one. Changes run one after another, so
 * that two administrators who remove each other at once don't both succeed.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Administration, IdentityChange } from '../identity/accounts/administration.ts';
import { activeAdmins, addRoles, findPerson } from './people-query.ts';
import type { PersonState } from './people-query.ts';

export interface UserAdministration {
  /** Without `active` the state stays. */
  update(by: string, change: Omit<IdentityChange, 'active'> & { active: boolean | undefined }): Promise<void>;
  setState(by: string, id: string, state: 'active' | 'inactive'): Promise<void>;
  remove(by: string, id: string): Promise<void>;
  /** Adds roles without taking any (schema §8.5). */
  addRoles(id: string, roles: readonly string[]): Promise<void>;
}

const ADMIN = 'admin';

interface Deps {
  db: Database;
  administration: Administration;
}

async function requirePerson({ db }: Deps, id: string): Promise<PersonState> {
  const person = await findPerson(db, id);
  if (person === null) throw new AppError('not_found', 'User not found');
  return person;
}

/** Throws when the change would leave the product without an administrator, or the asker without his access. */
async function keepAdmins(
  { db }: Deps,
  change: { by: string; id: string; staysAdmin: boolean },
): Promise<void> {
  if (change.staysAdmin) return;
  const admins = await activeAdmins(db);
  if (!admins.includes(change.id)) return;
  if (admins.length === 1)
    throw new AppError('conflict', 'This is the last administrator: make somebody else one first');
  if (change.by === change.id)
    throw new AppError('conflict', 'You cannot remove yourself as an administrator: ask another one');
}

/** Refuses with `conflict` what would leave no administrator, or lock out the one who asks. */
export function createUserAdministration(deps: Deps): UserAdministration {
  const { db, administration } = deps;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs the work when what was asked before is done, whatever became of that. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  }

  return {
    update: (by, change) =>
      inTurn(async () => {
        const person = await requirePerson(deps, change.id);
        const active = change.active ?? person.state !== 'inactive';
        await keepAdmins(deps, { by, id: change.id, staysAdmin: active && change.role === ADMIN });
        await administration.updateIdentity({ ...change, active });
      }),

    setState: (by, id, state) =>
      inTurn(async () => {
        await keepAdmins(deps, { by, id, staysAdmin: state === 'active' });
        await administration.setIdentityState(id, state);
      }),

    remove: (by, id) =>
      inTurn(async () => {
        if (by === id) throw new AppError('conflict', 'You cannot delete your own account');
        await keepAdmins(deps, { by, id, staysAdmin: false });
        await administration.deleteIdentity(id);
      }),

    addRoles: (id, roles) =>
      inTurn(async () => {
        const { roles: had } = await requirePerson(deps, id);
        const added = roles.filter((role) => !had.includes(role));
        if (added.length === 0) return;
        await db.transaction((tx) => addRoles(tx, id, added));
        await administration.endSessions(id);
      }),
  };
}
