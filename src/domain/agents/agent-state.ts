/** Whether an agent is there (spec 1 §4), by the server's clock. */

/** Heard within this: two calls may get lost. */
const ONLINE_MS = 61_000;

/** `unknown`: this device has not heard of the server for so long that it can't say. */
export type AgentState = 'online' | 'offline' | 'unknown' | 'never';

/** `asOfMs`: when the server said when it had last heard the agent. */
export function agentState(lastSeen: string | null, nowMs: number, asOfMs: number): AgentState {
  const seenMs = lastSeen === null ? Number.NaN : Date.parse(lastSeen);
  if (Number.isNaN(seenMs)) return 'never';
  if (nowMs - seenMs < ONLINE_MS) return 'online';
  const wasOnline = asOfMs - seenMs < ONLINE_MS;
  return wasOnline && nowMs - asOfMs >= ONLINE_MS ? 'unknown' : 'offline';
}

/** Clocks that differ by less differ by the way of a call. */
const EVEN_MS = 2000;

/** How an agent's clock goes beside the server's. */
export function clockOf(skewMs: number): 'even' | 'ahead' | 'behind' {
  if (Math.abs(skewMs) < EVEN_MS) return 'even';
  return skewMs > 0 ? 'ahead' : 'behind';
}

/** Whether people's calls reach the agent's cluster; `none` for one that never offered it. */
export type ClusterReach = 'reached' | 'away' | 'unknown' | 'none';

/** `server` has the agent's line, unless it stopped without a word: then the agent is not heard any more, either. */
export function clusterReach(
  { server, lastOffered }: { server: string | null; lastOffered: string | null },
  state: AgentState,
): ClusterReach {
  if (lastOffered === null) return 'none';
  if (state === 'unknown') return 'unknown';
  return server !== null && state === 'online' ? 'reached' : 'away';
}
