/**
 * Long work in slices: after a few milliseconds everything else that waits (questions above all) gets its turn. It goes
 * by the clock, because the same number of rows takes five times as long on a small device.
 */
import type { ComputePlatform } from './platform.ts';

/** Half a frame: a question that comes meanwhile is answered in time for the next one. */
const SLICE_MS = 8;

export interface Slices {
  /** Between two small steps: goes on at once while the slice lasts. */
  pause: () => Promise<void>;
  /** Lets everything else go first, however short the slice was. */
  rest: () => Promise<void>;
}

/** One for each piece of work. */
export function createSlices(platform: Pick<ComputePlatform, 'now' | 'later' | 'nextTurn'>): Slices {
  let startMs = platform.now();
  const rest = async () => {
    await (platform.nextTurn?.() ??
      new Promise<void>((resolve) => {
        platform.later(0, resolve);
      }));
    startMs = platform.now();
  };
  return {
    pause: async () => {
      if (platform.now() - startMs >= SLICE_MS) await rest();
    },
    rest,
  };
}
