import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'workers/**/*.test.ts', 'server/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: 'tests/databases-setup.ts',
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 240_000,
    // What is waited for comes soon, but two busy cores are no reason to fail.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
