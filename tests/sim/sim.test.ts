/** The sync engine in simulated worlds: sixteen of them for a commit, each with other troubles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMigratedDatabase, type DatabaseKind } from '../../server/platform/db/test-databases.ts';
import { runs } from '../effort.ts';
import { ensureKeyRange } from './key-range.ts';
import { Simulator } from './simulation.ts';

const SEEDS = Array.from({ length: runs(16) }, (_, at) => at + 1);
const RUN_LIMIT_MS = 60_000;

/** A world takes the same steps on both databases, and on PGlite half as long again: every eighth runs there. */
const isOnPglite = (seed: number) => seed % 8 === 0;
const WORLDS: readonly [DatabaseKind, number[]][] = [
  ['postgres', SEEDS.filter((seed) => !isOnPglite(seed))],
  ['pglite', SEEDS.filter(isOnPglite)],
];

beforeAll(ensureKeyRange);

describe.each(WORLDS)('in a simulated world on %s', (kind, seeds) => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await Simulator.start(() => openMigratedDatabase(kind));
  }, 120_000);
  afterAll(() => simulator.stop(), 60_000);

  test.each(seeds)(
    'nothing is missed, lost or doubled (seed %i)',
    async (seed) => {
      const { violations } = await simulator.run(seed);
      expect(violations).toEqual([]);
    },
    RUN_LIMIT_MS,
  );
});
