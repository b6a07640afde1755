/**
 * Literals that the database keeps out of specifications and connections are sealed at rest (docs/security.md). Here
 * they are opened for whoever calls with them; one that was not sealed yet is read as it is.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { Sealer } from './sealing.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export type Opener = Pick<Sealer, 'open'>;

export type SecretTable = 'spec_secrets' | 'team_secrets';

/** What a kept value is sealed for: it opens at its own place only. */
export const sealedFor = (table: SecretTable, { id, path }: { id: string; path: string }) =>
  `${table} ${id}/${path}`;

export interface SealedColumn {
  table: SecretTable;
  id: string;
  path: string;
  /** The name of what it belongs to, for people. */
  owner: string;
}

/** Throws a sentence that names the owner and what to do, where the value was sealed with another key. */
export function openStored(opener: Opener, sealed: string, place: SealedColumn): string {
  try {
    return opener.open(sealed, sealedFor(place.table, place));
  } catch (error) {
    throw new AppError(
      'invalid',
      `${place.owner}: the secret at ${trimEnd(place.path.replace(/(?:#1)?\/$/, ''), ':/')} can't be opened, because ` +
        'identity.key in DATA_DIR is not the one it was sealed with: restore that file from its backup and start ' +
        'again, or enter the secret again',
      { cause: error },
    );
  }
}

/** A row's content as the database answers it, and where each of its sealed values belongs. */
export interface SealedContent {
  id: string;
  owner: string;
  content: unknown;
  /** Path by sealed value, as sealed_values answers. */
  sealed: Record<string, string>;
}

/** The content as it was written. Throws where a value can't be opened. */
export function openContent(opener: Opener, { id, owner, content, sealed }: SealedContent): unknown {
  const paths = new Map(Object.entries(sealed));
  const open = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const path = paths.get(value);
      return path === undefined
        ? value
        : openStored(opener, value, { table: 'spec_secrets', id, path, owner });
    }
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, open(part)]));
  };
  return paths.size === 0 ? content : open(content);
}

/** The same, with the sentence for a value that can't be opened. */
export function tryOpenContent(
  opener: Opener,
  sealed: SealedContent,
): { content: unknown; problem: null } | { content: null; problem: string } {
  try {
    return { content: openContent(opener, sealed), problem: null };
  } catch (error) {
    if (error instanceof AppError) return { content: null, problem: error.message };
    throw error;
  }
}
