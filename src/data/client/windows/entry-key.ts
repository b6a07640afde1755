/** Where what the next start begins with is stored: beside each other, so that whoever leaves takes all of it along. */
import type { SessionUser } from '../../../contract/session-user.ts';
import { textHash } from '../../../lib/text-hash.ts';

export const ENTRY_PREFIX = 'holdfast.window:';

/** Whose rows are cached. */
export type Reader = Pick<SessionUser, 'storeName' | 'roles'>;

/** With other roles the same person may read less. */
export const ownerOf = ({ storeName, roles }: Reader): string => `${storeName}:${textHash(roles.join(' '))}`;

/** Of an answer to a query or, by its address, of a page's first frame. */
export const entryKey = (reader: Reader, what: string): string => `${ENTRY_PREFIX}${ownerOf(reader)}:${what}`;
