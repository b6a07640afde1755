import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** A browser with its workers and a server keep more than one core busy, but also wait for each other. */
const BUSY_WORKERS = Math.max(2, Math.floor(availableParallelism() / 2));

/**
 * Chromium without its own windows. The full browser without a screen draws a toolbar for every page, which takes a
 * quarter of the processor time of all browser tests.
 */
const BROWSER = '/usr/bin/chromium-headless-shell';

/** The browser without windows shows no notifications; these tests look at them. */
const WITH_WINDOWS = '/usr/bin/chromium';
const NOTIFIED = /\/(mentions|acknowledge)\.spec\.ts$/;

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Mostly waiting: for slow lines, silent ones, full disks, and what is tried again later. */
const WAITING = /\/(sync-faults|offline|incidents-cold|responder-delivery|live-health|wall)\.spec\.ts$/;

/** Each test file starts servers of its own, on free ports and fresh folders; nothing is shared between them. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: '.tmp/playwright',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Tests that wait have a worker of their own: in those of the busy ones they would keep a core idle.
  workers: BUSY_WORKERS + 1,
  projects: [
    { name: 'busy', testIgnore: [WAITING, NOTIFIED], workers: BUSY_WORKERS },
    {
      name: 'notified',
      testMatch: NOTIFIED,
      workers: 1,
      use: { launchOptions: { executablePath: process.env.CHROMIUM ?? WITH_WINDOWS, args: ARGS } },
    },
    { name: 'waiting', testMatch: WAITING, workers: 1 },
  ],
  retries: 0,
  forbidOnly: true,
  use: {
    actionTimeout: 60_000,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Each page would install the app for itself, which is a quarter of the processor time of all browser tests. Those
    // that are about a device without a network, messages or a second visit say `allow`.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Recording takes as long as the tests themselves: `npm test` records when it looks at a failure again, and
    // `--trace on` does here.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? BROWSER,
      args: ARGS,
    },
  },
});
