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

/** Attempts at once, of calls and of messages: a system that hangs must not keep the others waiting. */
export const CONCURRENCY = 4;
/** A few small questions to the database. */
export const LOOK_EVERY_MS = 5_000;
/** How often the outside systems are read (schema §8.2). */
export const READ_EVERY_MS = 5 * 60_000;
