/** Runs a callback at once when the last run is long enough ago, else once after the rest of the gap. */
import type { ComputePlatform } from './platform.ts';

/** Answers what to call; `gapMs` lies at least between two runs. */
export function createThrottle(
  platform: Pick<ComputePlatform, 'now' | 'later'>,
  gapMs: number,
  run: () => void,
): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const fire = () => {
    isWaiting = false;
    lastMs = platform.now();
    run();
  };
  return () => {
    if (isWaiting) return;
    const waitMs = lastMs + gapMs - platform.now();
    if (waitMs <= 0) {
      fire();
      return;
    }
    isWaiting = true;
    platform.later(waitMs, fire);
  };
}
