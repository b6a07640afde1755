/** What the main thread and the PGlite thread say to each other: one request, one answer, matched by id. */
import type { DatabaseErrorFacts } from './database-error.ts';
import type { InterruptFlags } from './pglite-interrupt.ts';

export interface PgliteThreadData {
  /** Folder of the database, or null for one in memory. */
  folder: string | null;
  /** File that a database in memory begins with: a data directory as PGlite dumps it. */
  image: string | null;
  /** Whether its statements are to be cancelled from outside; a database that is made anew can't be. */
  isInterruptible: boolean;
}

export type PgliteRequest =
  | { id: number; kind: 'query'; sql: string; params: (string | null)[] }
  | { id: number; kind: 'script'; sql: string }
  | { id: number; kind: 'close' };

/** Id 0 tells that the database is open, and where it is interrupted. */
export type PgliteAnswer =
  | { id: 0; ok: true; text: null; affectedRows: 0; flags: InterruptFlags | null }
  | { id: number; ok: true; text: string | null; affectedRows: number }
  | { id: number; ok: false; error: DatabaseErrorFacts };
