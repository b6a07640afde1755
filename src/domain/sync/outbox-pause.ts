/** Why nothing of an outbox is sent right now. */

type Pause = 'offline' | 'signed-out' | 'server-unreachable';

/**
 * What the sender says, or else what the connection says: before the first try the sender doesn't know, and where
 * there is no network it doesn't try.
 */
export function shownPause(pause: Pause | null, connection: string): Pause | null {
  if (pause !== null) return pause;
  return connection === 'offline' || connection === 'server-unreachable' ? connection : null;
}
