/**
 * `npx tsx scripts/screenshots.ts`: takes the pictures of docs/screenshots from a real server with the demo estate.
 * Run `npm run build` first.
 */
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { ADMIN, prepareServer } from '../e2e/support/holdfast-server.ts';
import { comment, createIncident } from '../e2e/support/incident-page.ts';

const OUT = 'docs/screenshots';
const SIZES = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
};
const ALL = '/health?hidePassing=false';
const SETTLE_MS = 1500;
/** Long enough for history, flapping and latencies to look like an ordinary minute. */
const WARM_UP_MS = 75_000;

async function signedIn(
  browser: Browser,
  url: string,
  look: { size: keyof typeof SIZES; colorScheme: 'light' | 'dark' },
): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: SIZES[look.size], colorScheme: look.colorScheme })
  ).newPage();
  await page.goto(`${url}/login?return_to=/health`);
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-row-kind]').first().waitFor();
  return page;
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: `${OUT}/${name}.png` });
}

async function tour(
  browser: Browser,
  url: string,
  look: { size: keyof typeof SIZES; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const page = await signedIn(browser, url, look);
  const suffix = `${look.size}-${look.colorScheme}`;
  await page.goto(`${url}${ALL}`);
  await shoot(page, `health-${suffix}`);
  await page.goto(`${url}${ALL}&groupBy=none&query=checkout`);
  await page.locator('[data-row-kind="check"]').first().click();
  await page.getByRole('dialog').locator('tr[data-status]').first().waitFor();
  await shoot(page, `drawer-${suffix}`);
  if (suffix === 'desk-light') {
    await page.goto(`${url}${ALL}&query=nothing-is-called-so`);
    await shoot(page, `empty-${suffix}`);
    await page.goto(`${url}${ALL}`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.context().setOffline(true);
    await page.reload();
    await shoot(page, `offline-${suffix}`);
    await page.context().setOffline(false);
    await page.goto(`${url}/error?error_code=BAD_SESSION`);
    await shoot(page, `error-${suffix}`);
  }
  await page.context().close();
}

/** An incident that is worked on without a network, and what waits then. */
async function incidentTour(browser: Browser, url: string, size: keyof typeof SIZES): Promise<void> {
  const page = await signedIn(browser, url, { size, colorScheme: 'light' });
  const suffix = `${size}-light`;
  await createIncident(page, url, `Checkout answers slowly (${size})`);
  await comment(page, 'Began after the 10:40 release, rolling it back.');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.waitForTimeout(SETTLE_MS);
  await page.context().setOffline(true);
  await comment(page, 'On the train. Queues are draining, p95 is back under 300 ms.');
  await shoot(page, `incident-offline-${suffix}`);
  await page.goto(`${url}/outbox`);
  await shoot(page, `outbox-${suffix}`);
  await page.context().setOffline(false);
  await page.goto(`${url}/incidents?status=all`);
  await shoot(page, `incidents-${suffix}`);
  if (size === 'desk') {
    await page.goto(`${url}/settings/storage`);
    await shoot(page, `storage-${suffix}`);
  }
  await page.context().close();
}

/** Who may come in, and what they may set. */
async function settingsTour(browser: Browser, url: string, size: keyof typeof SIZES): Promise<void> {
  const page = await signedIn(browser, url, { size, colorScheme: size === 'tablet' ? 'dark' : 'light' });
  const screens = ['settings/users', 'settings/connections', 'settings/jobs', 'profile-settings', 'topology'];
  for (const path of screens) {
    await page.goto(`${url}/${path}`);
    await shoot(page, `${path.replace('settings/', '')}-${size}`);
  }
  await page.context().close();
  const visitor = await (await browser.newContext({ viewport: SIZES[size] })).newPage();
  await visitor.goto(`${url}/login`);
  await shoot(visitor, `login-${size}`);
  await visitor.context().close();
}

mkdirSync(OUT, { recursive: true });
const server = await prepareServer({ args: ['--demo'] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await server.start();
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  for (const size of ['desk', 'tablet', 'phone'] as const) {
    for (const colorScheme of ['light', 'dark'] as const)
      await tour(browser, server.url, { size, colorScheme });
    await incidentTour(browser, server.url, size);
    await settingsTour(browser, server.url, size);
  }
} finally {
  await browser.close();
  await server.dispose();
}
