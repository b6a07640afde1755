import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { isBuilt } from './scripts/source-stamp.mjs';
import { EFFORT } from './tests/effort.ts';
import { startOrder, testFiles } from './tests/test-files.ts';

/** Vitest's own order, after the files that take longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ({ moduleId }: TestSpecification) => startOrder(relative(import.meta.dirname, moduleId));
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b));
  }
}

const files = testFiles();

/** `npm test` builds before it tests. Not where sources may change meanwhile. */
const hasBundle = process.argv.includes('run') && isBuilt();

export default defineConfig({
  test: {
    environment: 'node',
    env: hasBundle ? { HOLDFAST_BUNDLED_THREADS: join(import.meta.dirname, 'dist/server') } : {},
    testTimeout: 60_000 * Math.max(1, EFFORT),
    hookTimeout: 240_000,
    // What is waited for comes soon, but two busy cores are no reason to fail.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // What one project has transformed the others need not, and neither does the next run.
    experimental: { fsModuleCache: true },
    // Many of them wait, for a program that starts or a lease that ends: one more than there are cores keeps these busy.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    setupFiles: ['tests/effort-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'database',
          include: files.database,
          globalSetup: 'tests/databases-setup.ts',
          // Loading our modules takes 3 s of processor time, in each of nearly two hundred files.
          isolate: false,
          setupFiles: ['tests/file-setup.ts', 'tests/database-file-setup.ts'],
          execArgv: ['--expose-gc'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: files.alone,
          globalSetup: 'tests/databases-setup.ts',
          setupFiles: ['tests/database-file-setup.ts'],
        },
      },
      { extends: true, test: { name: 'store', include: files.store } },
      {
        extends: true,
        test: { name: 'unit', include: files.unit, isolate: false, setupFiles: ['tests/file-setup.ts'] },
      },
    ],
  },
});
