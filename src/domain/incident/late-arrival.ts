/** What was written without a network reaches the server later: when both were, where that matters to a reader. */

/** Less than this is the way of any message, or a clock that is a little off. */
const LATE_FROM_MS = 60_000;

export interface LateArrival {
  writtenMs: number;
  arrivedMs: number;
}

/** Null where it arrived as it was written, or where nobody said when that was. */
export function lateArrival(row: {
  created_at: string;
  written_at?: string | null | undefined;
}): LateArrival | null {
  const writtenMs = Date.parse(row.written_at ?? '');
  const arrivedMs = Date.parse(row.created_at);
  return arrivedMs - writtenMs > LATE_FROM_MS ? { writtenMs, arrivedMs } : null;
}
