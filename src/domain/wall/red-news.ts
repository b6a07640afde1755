/**
 * What has become red since somebody looked: what a wall flashes, sounds and speaks. As long as every red check is in
 * the window that is watched, each is told by its name; beyond, only how many more there are. Invariant: what comes and
 * goes is told once in `TOLD_AGAIN_MS`, so that one check that flaps neither wears the alarm out nor holds a board. A
 * page that loads itself again goes on from what the one before it knew: what became red between the two is told.
 */
import * as z from 'zod/mini';
import { jsonOrNull } from '../../lib/json-or-null.ts';

/** A check that fails now. */
export interface Red {
  id: string;
  name: string;
  /** Silenced by somebody: known, and never told. */
  isSilent: boolean;
}

/** The red checks of this moment. */
export interface Reds {
  /** Those that are watched. */
  named: readonly Red[];
  /** How many there are in all. */
  total: number;
}

export interface RedNews {
  /** Those that fail now; null before the first answer, which is no news, and where not all have a name. */
  known: ReadonlySet<string> | null;
  /** How many fail now; null before the first answer. */
  total: number | null;
  /** The last that were new, how many more without a name, and since when, ms. */
  fresh: readonly Red[];
  more: number;
  sinceMs: number;
  /** When which check was told last, ms. */
  toldAtMs: ReadonlyMap<string, number>;
  /** The most that failed lately, and when it was left, ms. */
  peak: { total: number; atMs: number };
}

/** How long something is not told again. */
export const TOLD_AGAIN_MS = 5 * 60_000;

export const NO_NEWS: RedNews = {
  known: null,
  total: null,
  fresh: [],
  more: 0,
  sinceMs: 0,
  toldAtMs: new Map(),
  peak: { total: 0, atMs: Number.NEGATIVE_INFINITY },
};

function isSameAs(news: RedNews, known: ReadonlySet<string> | null, total: number): boolean {
  if (news.total !== total || (news.known === null) !== (known === null)) return false;
  return known === null || [...known].every((id) => news.known?.has(id) === true);
}

/** The most that failed lately, this moment's number excepted. */
function peakOf(news: RedNews, before: number, nowMs: number): RedNews['peak'] {
  const isRecent = nowMs - news.peak.atMs < TOLD_AGAIN_MS;
  return isRecent && news.peak.total > before ? news.peak : { total: before, atMs: nowMs };
}

/** What is new with these red checks; the same object where nothing changed. */
export function withReds(news: RedNews, { named, total }: Reds, nowMs: number): RedNews {
  const ids = new Set(named.map(({ id }) => id));
  const known = total > ids.size ? null : ids;
  if (news.total === null) return { ...news, known, total };
  if (isSameAs(news, known, total)) return news;
  const before = news.known;
  const peak = peakOf(news, news.total, nowMs);
  // Who was beyond the window and comes into it is not new: without all names from before, only numbers tell.
  const risen = before === null ? [] : named.filter(({ id }) => !before.has(id));
  const unnamed = before === null ? total - peak.total : total - news.total - risen.length;
  const more = known === null ? Math.max(0, unnamed) : 0;
  const toldAtMs = new Map([...news.toldAtMs].filter(([, atMs]) => nowMs - atMs < TOLD_AGAIN_MS));
  const fresh = risen.filter(({ id, isSilent }) => !isSilent && !toldAtMs.has(id));
  const now = { ...news, known, total, peak, toldAtMs };
  if (fresh.length + more === 0) return now;
  for (const { id } of fresh) toldAtMs.set(id, nowMs);
  return { ...now, fresh, more, sinceMs: nowMs };
}

/** Not everything is here yet: what fails when it is, is no news. */
export function withoutReds(news: RedNews): RedNews {
  return news.total === null ? news : { ...news, known: null, total: null };
}

/** What the next page has to know: who failed and what was told, by id alone. */
const rememberedSchema = z.object({
  known: z.nullable(z.array(z.string())),
  total: z.number(),
  told: z.array(z.tuple([z.string(), z.number()])),
});

/** The news as a text for `newsAfter`; empty before the first answer. */
export function remember({ known, total, toldAtMs }: RedNews): string {
  if (total === null) return '';
  const remembered: z.infer<typeof rememberedSchema> = {
    known: known === null ? null : [...known],
    total,
    told: [...toldAtMs],
  };
  return JSON.stringify(remembered);
}

/** What a page begins with after one that left this text; none where it left none, or what is no such text. */
export function newsAfter(text: string | null): RedNews {
  const read = rememberedSchema.safeParse(jsonOrNull(text));
  if (!read.success) return NO_NEWS;
  const { known, total, told } = read.data;
  return { ...NO_NEWS, known: known === null ? null : new Set(known), total, toldAtMs: new Map(told) };
}
