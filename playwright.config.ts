import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** Each test file starts servers of its own, on free ports and fresh folders; nothing is shared between them. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: '.tmp/playwright',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // A browser with its workers and a server keep more than one core busy, but also wait for each other.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  retries: 0,
  forbidOnly: true,
  use: {
    actionTimeout: 60_000,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording takes as long as the tests themselves: `npm test` records when it looks at a failure again, and
    // `--trace on` does here.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
