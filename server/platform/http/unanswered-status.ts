/** What is answered over HTTP where the database gave no answer: one rule for all routes. */
import { QUERY_CANCELED } from '../db/database-error.ts';

const OUT_OF_TIME = 504;
const AWAY = 503;
/** By class, the first two characters: no connection, no room or connection left, ended by whoever runs it. */
const AWAY_CLASSES: ReadonlySet<string> = new Set(['08', '53', '57']);
/** More than it is set up for, however often it is asked. */
const TOO_MUCH = '53400';

/** The HTTP status where the database gave no answer, which may be different later; null where it refused a statement. */
export function unansweredStatus(sqlState: string): number | null {
  // A query that outran its limit may do better later; PostgREST says 500.
  if (sqlState === QUERY_CANCELED) return OUT_OF_TIME;
  return AWAY_CLASSES.has(sqlState.slice(0, 2)) && sqlState !== TOO_MUCH ? AWAY : null;
}
