/** The name of what is stored of one person: the app and its workers come to the same one without asking each other. */

/** Everything of ours on this origin starts with this; the service worker's caches don't. */
const STORE_PREFIX = 'holdfast-';

/** Two rounds of FNV-1a with different seeds: 64 bits, enough to keep users of one browser apart. */
function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The store of one user on one server (design §4 law 13). */
export function storeNameOf(origin: string, userId: string): string {
  const text = `${origin}\n${userId}`;
  return `${STORE_PREFIX}${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x2b1f7a3d)}`;
}
