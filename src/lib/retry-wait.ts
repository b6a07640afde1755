const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** How long a page waits before it tries again after so many failures: twice as long each time. */
export function retryWaitMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
}
