/** How the servers that live share the parts of a role: each has its fair share. */

export interface RolePart {
  name: string;
  isMine: boolean;
  /** Nobody's, or somebody's whose time is over. */
  isFree: boolean;
}

/** What this server takes and gives up now; repeated by each, no part stays free and none has more than its share. */
export function balanceRole(
  parts: readonly RolePart[],
  servers: number,
): { take: readonly string[]; leave: readonly string[] } {
  const share = Math.ceil(parts.length / Math.max(1, servers));
  const names = (wanted: (part: RolePart) => boolean) => parts.filter(wanted).map(({ name }) => name);
  const mine = names(({ isMine }) => isMine);
  const free = names(({ isMine, isFree }) => isFree && !isMine);
  return { take: free.slice(0, Math.max(0, share - mine.length)), leave: mine.slice(share) };
}
