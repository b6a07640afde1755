/**
 * What administrators do to accounts (schema §8.5, contract §2.4). It asks nobody's permission: routes do.
 * Invariants: identity, person and roles change as one; whoever is disabled, deleted or given another role has
 * no session left when the call returns.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Database, Queryable } from '../../../platform/db/database.ts';
import { DatabaseError, UNIQUE_VIOLATION } from '../../../platform/db/database-error.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  findIdentityForUpdate,
  removeIdentity,
  replaceRoles,
  setAddress,
  updateState,
  updateTraits,
} from '../queries/administration-query.ts';
import type { IdentityFacts } from '../queries/administration-query.ts';
import { insertAccount } from '../queries/identity-query.ts';
import type { Invitations } from './invitations.ts';
import { revokeSessionsOf } from '../queries/session-query.ts';

export type IdentityState = 'active' | 'inactive';

export interface IdentityInvitation {
  first: string;
  last: string;
  email: string;
  role: string;
}

export interface IdentityChange extends IdentityInvitation {
  id: string;
  active: boolean;
}

export interface Administration {
  /** Makes an account without a password and mails the link that sets one. Throws `conflict` for a known e-mail. */
  inviteIdentity(invitation: IdentityInvitation): Promise<{ personId: string; link: string }>;
  /** Replaces name, e-mail, state and all roles. Throws `not_found`, or `conflict` for an e-mail of another. */
  updateIdentity(change: IdentityChange): Promise<void>;
  /** Throws `not_found`. */
  setIdentityState(id: string, state: IdentityState): Promise<void>;
  /** Ends account, roles, tokens and sessions; the person is kept as deleted. Throws `not_found`. */
  deleteIdentity(id: string): Promise<void>;
  /** Ends all sessions of somebody, for instance after a change of roles. */
  endSessions(id: string): Promise<void>;
}

export interface AdministrationDeps {
  db: Database;
  platform: Platform;
  invitations: Invitations;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An e-mail that another account or person has, as the contract words it (contract §2.4). */
async function refusingTakenEmail<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION) {
      throw new AppError('conflict', 'User already exists', { cause: error });
    }
    throw error;
  }
}

async function requireIdentity(tx: Queryable, id: string): Promise<IdentityFacts> {
  const identity = UUID.test(id) ? await findIdentityForUpdate(tx, id) : null;
  if (identity === null) throw new AppError('not_found', 'User not found');
  return identity;
}

async function change({ db, platform }: AdministrationDeps, wanted: IdentityChange): Promise<void> {
  const { id, first, last, role, active } = wanted;
  const email = wanted.email.trim().toLowerCase();
  const state = active ? 'active' : 'inactive';
  await db.transaction(async (tx) => {
    const before = await requireIdentity(tx, id);
    await updateTraits(tx, id, { email, name: { first, last } });
    await setAddress(tx, id, email);
    await updateState(tx, id, state);
    const hasOtherRoles = before.roles.length !== 1 || before.roles[0] !== role;
    if (hasOtherRoles) await replaceRoles(tx, id, [role]);
    if (hasOtherRoles || !active) await revokeSessionsOf(tx, id, new Date(platform.now()));
  });
}

/** Errors: `not_found` for an account that isn't there, `conflict` for an e-mail that another one has. */
export function createAdministration(deps: AdministrationDeps): Administration {
  const { db, platform, invitations } = deps;
  const nowAt = () => new Date(platform.now());
  return {
    async inviteIdentity({ first, last, email, role }) {
      const personId = platform.newId();
      const address = email.trim().toLowerCase();
      const work = db.transaction(async (tx) => {
        const names = { firstName: first, lastName: last };
        await insertAccount(tx, {
          id: personId,
          email: address,
          ...names,
          passwordHash: null,
          roles: [role],
        });
        return invitations.create(tx, { identityId: personId, address });
      });
      const link = await refusingTakenEmail(work);
      invitations.sent();
      return { personId, link };
    },
    updateIdentity: (wanted) => refusingTakenEmail(change(deps, wanted)),
    setIdentityState: (id, state) =>
      db.transaction(async (tx) => {
        await requireIdentity(tx, id);
        await updateState(tx, id, state);
        if (state === 'inactive') await revokeSessionsOf(tx, id, nowAt());
      }),
    deleteIdentity: (id) =>
      db.transaction(async (tx) => {
        await requireIdentity(tx, id);
        await removeIdentity(tx, id);
      }),
    async endSessions(id) {
      await revokeSessionsOf(db, id, nowAt());
    },
  };
}
