/** The sync engine in simulated worlds: two dozen of them for a commit, each with other troubles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../effort.ts';
import { ensureKeyRange } from './key-range.ts';
import { Simulator } from './simulation.ts';

const SEEDS = Array.from({ length: runs(24) }, (_, at) => at + 1);
const RUN_LIMIT_MS = 60_000;

let simulator: Simulator;

beforeAll(async () => {
  ensureKeyRange();
  simulator = await Simulator.start();
}, 120_000);
afterAll(() => simulator.stop(), 60_000);

describe('in a simulated world', () => {
  test.each(SEEDS)(
    'nothing is missed, lost or doubled (seed %i)',
    async (seed) => {
      const { violations } = await simulator.run(seed);
      expect(violations).toEqual([]);
    },
    RUN_LIMIT_MS,
  );
});
