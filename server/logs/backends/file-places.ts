/** Where the next page of a question goes on in a file, so that what is newer is not read again. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** By what the backend calls it: the file's number, where to read back from, and the time of what is behind that, ms. */
export const placesSchema = z.record(
  z.string(),
  z.tuple([z.number(), z.int().min(0), z.number().nullable()]),
);
export type LogPlaces = Readonly<z.output<typeof placesSchema>>;

type FilePlace = LogPlaces[string];

/** Of one cursor: those that save most. */
const MAX_PLACES = 50;

/** What a cursor calls a file: it tells nobody what files there are. */
export const placeKey = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16);

interface Mark {
  atMs: number;
  end: number;
  /** Of the line behind it. */
  behindMs: number | null;
}

/**
 * What was read of a file, from its end: for any time, the end of the last line that is not newer. Only lines that are
 * older than all behind them can be that, in whatever order the lines are.
 */
export class FileMarks {
  private readonly marks: Mark[] = [];

  /** The next line further back, with those without a time that belong to it. */
  add(mark: Mark): void {
    const last = this.marks.at(-1);
    if (last === undefined || mark.atMs < last.atMs) this.marks.push(mark);
  }

  /** Null where nothing that was read is that old: what is further back is to be looked for from the end again. */
  placeFor(endMs: number, fileNumber: number): FilePlace | null {
    const found = this.marks.find(({ atMs }) => atMs <= endMs);
    return found === undefined ? null : [fileNumber, found.end, found.behindMs];
  }
}

export interface ReadFileMarks {
  path: string;
  /** Its inode: another file of that name begins at its end. */
  fileNumber: number;
  bytes: number;
  marks: FileMarks;
}

/** For all files of a question; of those that were not read now, as they were before. */
export function placesOf(files: readonly ReadFileMarks[], before: LogPlaces): (endMs: number) => LogPlaces {
  return (endMs) => {
    const found = files.flatMap(({ path, fileNumber, bytes, marks }) => {
      const place = marks.placeFor(endMs, fileNumber);
      return place === null ? [] : [{ key: placeKey(path), place, saved: bytes - place[1] }];
    });
    const most = found.toSorted((a, b) => b.saved - a.saved).slice(0, MAX_PLACES);
    const all = { ...before, ...Object.fromEntries(most.map(({ key, place }) => [key, place])) };
    return Object.fromEntries(Object.entries(all).slice(-MAX_PLACES));
  };
}
