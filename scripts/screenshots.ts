/**
 * `npx tsx scripts/screenshots.ts [phone] [desk] [tablet]`: takes the pictures of docs/screenshots from a real server
 * with the demo estate. Run `npm run build` first.
 */
import type { Browser } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { launch, LOOKS, openCamera, type Camera, type Look } from './screenshot-kit.ts';

const ALL = '/health?hidePassing=false';
/** Long enough for history, flapping and latencies to look like an ordinary minute. */
const WARM_UP_MS = 75_000;

/** What there is besides a board that works. */
async function otherStates(url: string, { context, page, shoot }: Camera): Promise<void> {
  await page.goto(`${url}${ALL}&query=nothing-is-called-so`);
  await shoot('empty');
  await page.goto(`${url}${ALL}`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await context.setOffline(true);
  await page.reload();
  await shoot('offline');
  await context.setOffline(false);
  await page.goto(`${url}/error?error_code=BAD_SESSION`);
  await shoot('error');
  await page.goto(`${url}/settings/storage`);
  await shoot('storage');
}

async function tour(browser: Browser, url: string, look: Look): Promise<void> {
  const camera = await openCamera(browser, { url, path: '/health' }, look);
  const { context, page, shoot } = camera;
  await page.goto(`${url}${ALL}`);
  await page.locator('[data-row-kind]').first().waitFor({ timeout: 60_000 });
  await shoot('health');
  await page.goto(`${url}${ALL}&groupBy=none&query=checkout`);
  await page.locator('[data-row-kind="check"]').first().click();
  await page.getByRole('dialog').locator('[data-status]').first().waitFor();
  await shoot('drawer');
  if (look.size === 'desk' && look.colorScheme === 'light') await otherStates(url, camera);
  await context.close();
}

const server = await prepareServer({ args: ['--demo'] });
const browser = await launch();
try {
  await server.start();
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  for (const look of LOOKS) await tour(browser, server.url, look);
} finally {
  await browser.close();
  await server.dispose();
}
