/** Worlds in which a promise was broken once. Each is a seed and what it showed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { ensureKeyRange } from './key-range.ts';
import { Simulator } from './simulation.ts';

const ONCE_BROKEN: readonly [seed: number, promise: string][] = [
  [12, 'a second tab writes nothing of a user who signed out in the first'],
  [26, 'a damaged collection is noticed though nothing new comes for it'],
  [731_000_047, 'a device receives again after its clock was set back while its tab was hidden'],
  [731_000_050, 'a device sends again after its clock was set back while its tab was hidden'],
  [408_077_220, 'two lives of an outbox are two orders'],
  [731_000_066, 'a session that ended while the judge looks is no error of the simulator'],
  [772_952_170, 'signing out leaves nothing with two tabs'],
  [941_000_132, 'a store that is being built anew is not opened again after its user signed out'],
  [880_000_021, 'checks whose store was removed and made anew by another reader are loaded again'],
  [880_000_033, 'checks whose store was removed while the device was busy are loaded again'],
  [930_000_024, 'a tab that ends later than its person would open it again is opened again'],
  [930_000_015, 'a clock that was set ahead takes no closed incident away'],
  [943_000_187, 'a store that a suspended tab began to build anew is built by another'],
  [943_000_203, 'a store that another tab builds anew is no difference to the server'],
  [42, 'a collection whose database was removed is loaded again though nothing new comes for it'],
];

let simulator: Simulator;

beforeAll(async () => {
  ensureKeyRange();
  simulator = await Simulator.start(() => openMigratedDatabase('postgres'));
}, 120_000);
afterAll(() => simulator.stop(), 60_000);

test.each(ONCE_BROKEN)(
  'seed %i: %s',
  async (seed) => {
    expect((await simulator.run(seed)).violations).toEqual([]);
  },
  180_000,
);
