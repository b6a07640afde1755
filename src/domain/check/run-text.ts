/** The text in which a check carries its newest runs (`recent_runs`), read without making anything for each run. */

export const RECENT_RUNS = 30;

/** The newest runs of one check, the newest first; only the first `count` of each list are of it. */
export interface RunScan {
  count: number;
  /** When each began, seconds since 1970. */
  seconds: Uint32Array;
  /** 1 for a run that failed. */
  failed: Uint8Array;
}

const ZERO = 48;
const NINE = 57;
const PASSED = 112;
const FAILED = 102;

/** Room for one check's runs, to be used again for the next one's. */
export function newScan(): RunScan {
  return { count: 0, seconds: new Uint32Array(RECENT_RUNS), failed: new Uint8Array(RECENT_RUNS) };
}

/**
 * Reads a text into `scan`. It has when the newest run began (seconds since 1970), then from the newest to the oldest `p`
 * or `f` and how many seconds the run after it came later. What is no such text has no runs.
 */
export function scanRuns(text: string | null | undefined, scan: RunScan): void {
  scan.count = 0;
  if (text === null || text === undefined) return;
  let [second, gap, digits, runs, failed] = [0, 0, 0, -1, 0];
  // One place beyond the end, which closes the last number.
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : PASSED;
    if (code >= ZERO && code <= NINE) {
      gap = gap * 10 + code - ZERO;
      digits += 1;
      continue;
    }
    if (digits === 0 || (code !== PASSED && code !== FAILED)) return;
    second = runs === -1 ? gap : second - gap;
    if (runs >= 0 && runs < RECENT_RUNS) {
      scan.seconds[runs] = second;
      scan.failed[runs] = failed;
    }
    runs += 1;
    failed = code === FAILED ? 1 : 0;
    gap = 0;
    digits = 0;
  }
  scan.count = Math.min(runs, RECENT_RUNS);
}
