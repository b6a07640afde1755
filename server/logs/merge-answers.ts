/**
 * The answers of several backends as one page, newest first. Invariant: nothing between the newest line and the oldest
 * one of a page is missing, so pages of the same range have every line once. A backend that was cut says nothing of what
 * is older than where it stopped, so the page ends there for all.
 */
import type { LogPlaces } from './backends/file-places.ts';
import type { BackendAnswer, BackendLine } from './backends/log-backend.ts';
import type { LogCursor } from './log-cursor.ts';

export interface FromBackend {
  id: string;
  answer: Pick<BackendAnswer, 'lines' | 'isCut' | 'reachedMs' | 'total' | 'placesFor'>;
}

export interface MergedPage {
  lines: BackendLine[];
  next: LogCursor | null;
  /** Of the whole range, as far as it is known; at least what is on this page. */
  total: number;
  /** A moment that has more lines than could be answered at once. */
  fullMs: number | null;
}

interface Taken {
  id: string;
  line: BackendLine;
}

/** What is older than this is not known of every backend; null when everything is. */
function floorOf(answers: readonly FromBackend[], startMs: number): number | null {
  const floors = answers.flatMap(({ answer: { isCut, reachedMs, lines } }) =>
    isCut ? [reachedMs ?? lines.at(-1)?.atMs ?? startMs] : [],
  );
  return floors.length === 0 ? null : Math.max(...floors);
}

/** Without the lines of the first moment that the page before had already. */
function unseen({ id, answer }: FromBackend, cursor: LogCursor | null): Taken[] {
  let seen = cursor?.given[id] ?? 0;
  return answer.lines.flatMap((line) => {
    if (cursor !== null && line.atMs === cursor.endMs && seen > 0) {
      seen -= 1;
      return [];
    }
    return [{ id, line }];
  });
}

function nextOf(taken: readonly Taken[], endMs: number, cursor: LogCursor | null): LogCursor {
  const given: Record<string, number> = cursor?.endMs === endMs ? { ...cursor.given } : {};
  for (const { id, line } of taken) if (line.atMs === endMs) given[id] = (given[id] ?? 0) + 1;
  return { endMs, given };
}

/** With where each backend goes on; one that gave none this time goes on where it was to. */
function withPlaces(
  next: LogCursor,
  answers: readonly FromBackend[],
  before: LogCursor['places'] = {},
): LogCursor {
  const places: Record<string, LogPlaces> = { ...before };
  for (const { id, answer } of answers)
    if (answer.placesFor !== undefined) places[id] = answer.placesFor(next.endMs);
  return Object.keys(places).length === 0 ? next : { ...next, places };
}

/** See the head of this file. `startMs` is where the range begins. */
export function mergeAnswers(
  answers: readonly FromBackend[],
  { cursor, limit, startMs }: { cursor: LogCursor | null; limit: number; startMs: number },
): MergedPage {
  const floor = floorOf(answers, startMs);
  const all = answers
    .flatMap((one) => unseen(one, cursor))
    .filter(({ line }) => floor === null || line.atMs >= floor)
    .toSorted((a, b) => b.line.atMs - a.line.atMs);
  const taken = all.slice(0, limit);
  const lines = taken.map(({ line }) => line);
  const known = answers.reduce((sum, { answer }) => sum + (answer.total ?? answer.lines.length), 0);
  const isCutHere = all.length > limit;
  const endMs = isCutHere ? lines.at(-1)?.atMs : (floor ?? undefined);
  if (endMs === undefined) return { lines, next: null, total: Math.max(known, lines.length), fullMs: null };
  // No way further back than this very moment: the rest of it is left out, and said.
  const isStuck = lines.length === 0 && cursor !== null && cursor.endMs === endMs;
  const next = isStuck ? { endMs: endMs - 1, given: {} } : nextOf(taken, endMs, cursor);
  const isOver = next.endMs < startMs;
  return {
    lines,
    next: isOver ? null : withPlaces(next, answers, cursor?.places),
    total: Math.max(known, lines.length),
    fullMs: isStuck ? endMs : null,
  };
}
