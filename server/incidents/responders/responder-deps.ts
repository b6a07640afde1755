/** What the parts of the way to outside systems share. */
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { OpenCallDeps } from './open-call.ts';

export interface ResponderDeps extends OpenCallDeps {
  db: Database;
  logger: Logger;
  /** Tells open pages of a table that was written. */
  notify: (...tables: string[]) => void;
}

/** Longer than all calls that one attempt makes may take together. */
export const LEASE_MS = 3 * 60_000;
/** How often the outside systems are read (schema §8.2). */
export const READ_EVERY_MS = 5 * 60_000;
