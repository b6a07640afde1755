/** Organisations as the picker needs them: whose they are, which one a session works in, and making new ones. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  findActiveOrganization,
  findOrganizationsOf,
  insertOrganization,
  isSlugTaken,
  selectOrganization,
  type OrganizationRow,
} from './organization-query.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

const MAX_SLUG = 48;
const FALLBACK_SLUG = 'organization';
const SUFFIX_BYTES = 3;

export interface Organizations {
  of(personId: string): Promise<OrganizationRow[]>;
  active(sessionId: string): Promise<OrganizationRow | null>;
  /** Throws `not_found` for an organisation that isn't one of the session's person. */
  select(sessionId: string, organizationId: string): Promise<void>;
  /** Makes one whose admin is the person, and lets the session work in it. */
  create(request: { name: string; personId: string; sessionId: string }): Promise<OrganizationRow>;
}

/** A slug as addresses and tokens carry it: what is left of the name in a-z, 0-9 and hyphens. */
export function slugOf(name: string): string {
  const long = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const plain = trimEnd(long.slice(0, MAX_SLUG).replace(/^-+/, ''), '-');
  return plain === '' ? FALLBACK_SLUG : plain;
}

/**
 * `select` refuses with `not_found` where the person isn't a member; whoever creates one works in it from then on.
 */
export function createOrganizations(db: Database, platform: Platform): Organizations {
  const active = (sessionId: string) => findActiveOrganization(db, sessionId);
  return {
    of: (personId) => findOrganizationsOf(db, personId),
    active,
    async select(sessionId, organizationId) {
      const changed = await selectOrganization(db, sessionId, organizationId);
      if (changed === 0) throw new AppError('not_found', 'There is no such organization');
    },
    async create({ name, personId, sessionId }) {
      const id = platform.newId();
      await db.transaction(async (tx) => {
        const wanted = slugOf(name);
        const slug = (await isSlugTaken(tx, wanted)) ? `${wanted}-${platform.secret(SUFFIX_BYTES)}` : wanted;
        await insertOrganization(tx, { id, slug, name, createdBy: personId });
        await selectOrganization(tx, sessionId, id);
      });
      const made = await active(sessionId);
      if (made === null) throw new Error('an organization that was just made is not there');
      return made;
    },
  };
}
