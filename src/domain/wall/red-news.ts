/** What has become red since somebody looked: what a wall flashes, sounds and speaks. */

/** A check that fails now. */
export interface Red {
  id: string;
  name: string;
}

export interface RedNews {
  /** Those that fail now; null before the first answer, which is no news. */
  known: ReadonlySet<string> | null;
  /** The last that were new, and since when, ms. */
  fresh: readonly Red[];
  sinceMs: number;
}

export const NO_NEWS: RedNews = { known: null, fresh: [], sinceMs: 0 };

/**
 * What is new with these red checks; the same object where nothing changed. What was red, passed and fails again is new
 * again.
 */
export function withReds(news: RedNews, reds: readonly Red[], nowMs: number): RedNews {
  const known = new Set(reds.map(({ id }) => id));
  if (news.known === null) return { ...news, known };
  const before = news.known;
  const fresh = reds.filter(({ id }) => !before.has(id));
  if (fresh.length > 0) return { known, fresh, sinceMs: nowMs };
  const isSame = known.size === before.size;
  return isSame ? news : { ...news, known };
}

/** Too many fail to tell which are new, or not everything is here yet: what fails when they are told again is no news. */
export function withoutReds(news: RedNews): RedNews {
  return news.known === null ? news : { ...news, known: null };
}
