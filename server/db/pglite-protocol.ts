/** What the main thread and the PGlite thread say to each other: one request, one answer, matched by id. */
import type { DatabaseErrorFacts } from './database-error.ts';

/** Folder of the database, or null for one in memory. */
export interface PgliteThreadData {
  folder: string | null;
}

export type PgliteRequest =
  | { id: number; kind: 'query'; sql: string; params: (string | null)[] }
  | { id: number; kind: 'script'; sql: string }
  | { id: number; kind: 'close' };

/** Id 0 tells that the database is open. */
export type PgliteAnswer =
  | { id: number; ok: true; text: string | null; affectedRows: number }
  | { id: number; ok: false; error: DatabaseErrorFacts };
