/** The built app with a seeded server, and browsers that visit it as somebody who has signed in. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { prepareServer } from '../../e2e/support/holdfast-server.ts';
import type { HoldfastServer } from '../../e2e/support/holdfast-server.ts';
import { IN_PAGE } from './page-clock.ts';
import { sessionCookie, startSignedInProxy } from '../signed-in-proxy.ts';
import type { SignedInProxy } from '../signed-in-proxy.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The first two are pages of the address bar: after each launch the browser takes 1.7 s of processor time for them,
  // beside the first visit. The flag replaces Playwright's own; its third is taken over.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding',
];

/** What will not end is left to the end of the part, which takes its whole process group along. */
const END_MS = 15_000;
const soon = (ending: Promise<unknown>) =>
  Promise.race([ending.catch(() => {}), new Promise((resolve) => setTimeout(resolve, END_MS).unref())]);

export interface App {
  /** Through a proxy that brings the session along. */
  url: string;
  server: HoldfastServer;
  takeAnswers: SignedInProxy['takeAnswers'];
}

export interface AppOptions {
  /** As of `npm run seed`: `{ checks: 1000 }`. */
  seed?: Record<string, number>;
  /** Fills the data folder of the stopped server. */
  fill?: (dataDir: string) => void;
  env?: Record<string, string>;
}

/** Runs the work on a server of its own and takes everything away again. */
export async function withApp(options: AppOptions, work: (app: App) => Promise<void>): Promise<void> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn', ...options.env } });
  try {
    const sizes = Object.entries(options.seed ?? {}).flatMap(([name, count]) => [`--${name}`, String(count)]);
    if (sizes.length > 0)
      execFileSync('npm', ['run', '--silent', 'seed', '--', ...sizes], {
        stdio: 'inherit',
        env: { ...process.env, ...options.env, DATA_DIR: server.dataDir },
      });
    options.fill?.(server.dataDir);
    await server.start();
    const proxy = await startSignedInProxy(server.url, await sessionCookie(server.url));
    try {
      await work({ url: proxy.url, server, takeAnswers: proxy.takeAnswers });
    } finally {
      await soon(proxy.stop());
    }
  } finally {
    await soon(server.dispose());
  }
}

/** Runs the work in a browser with an empty profile on the disk. */
export async function withBrowser<T>(work: (page: Page, context: BrowserContext) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const context = await chromium.launchPersistentContext(dir, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ARGS,
    viewport: { width: 1440, height: 900 },
  });
  try {
    await context.addInitScript(IN_PAGE);
    return await work(context.pages()[0] ?? (await context.newPage()), context);
  } finally {
    await soon(context.close());
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
