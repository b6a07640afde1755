/** Every property of a test file gets the runs that TEST_EFFORT asks for; without it nothing is touched. */
import type { IRawProperty, Parameters } from 'fast-check';
import { vi } from 'vitest';
import { EFFORT, runs } from './effort.ts';

/** fast-check's own. */
const USUAL_RUNS = 100;

type FastCheck = typeof import('fast-check');

if (EFFORT !== 1)
  vi.doMock('fast-check', async (importOriginal) => {
    const real = await importOriginal<FastCheck>();
    const sized = (property: IRawProperty<unknown>, asked: Parameters<unknown> = {}) =>
      real.assert(property, { ...asked, numRuns: runs(asked.numRuns ?? USUAL_RUNS) });
    // It answers each kind of property as the function that it stands in for.
    const assert = sized as FastCheck['assert'];
    return { ...real, assert, default: { ...real.default, assert } };
  });
