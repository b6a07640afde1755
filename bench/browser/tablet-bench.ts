/** A tablet that two shifts share, with 10,000 checks: from the PIN to the rows of the board (docs/tablet.md). */
import type { Page } from 'playwright-core';
import { ADMIN } from '../../e2e/support/holdfast-server.ts';
import type { Bench } from '../core/bench.ts';
import { sessionCookie } from '../signed-in-proxy.ts';
import { withApp, withBrowser } from './app.ts';

const RUNS = 6;
const LABEL = 'Seat A';
const PIN = '482913';
const LONGEST = { timeout: 120_000 };
/** What a first visit leaves to do is done by then. */
const FIRST = 20_000;

const isShared = (page: Page) =>
  page.getByRole('heading', { name: 'Who is on?' }).waitFor({ state: 'visible', ...LONGEST });
const rows = (page: Page) =>
  page
    .locator('[data-row-kind]')
    .first()
    .waitFor({ state: 'visible', ...LONGEST });

/** An administrator shares the device and begins the first shift. */
async function share(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings/tablets`);
  await page.getByRole('button', { name: 'Share this device' }).click(LONGEST);
  await page.getByRole('dialog').getByLabel('Name').fill('Control room');
  await page.getByRole('button', { name: 'Share it' }).click();
  await isShared(page);
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email, LONGEST);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a PIN' });
  await dialog.getByLabel('Shown on the locked screen as').fill(LABEL, LONGEST);
  await dialog.getByLabel('PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('PIN once more').fill(PIN);
  await dialog.getByRole('button', { name: 'Start shift' }).click();
  await dialog.waitFor({ state: 'hidden', ...LONGEST });
  await page.goto(`${url}/health?hidePassing=false`);
  await rows(page);
  await page.waitForTimeout(FIRST);
}

async function handOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Shared tablet' }).click();
  await page.getByRole('menuitem', { name: 'Hand over' }).click();
  await isShared(page);
  await page.getByText('Locking').waitFor({ state: 'hidden', ...LONGEST });
}

/** Measures it. */
export async function measureTablet(bench: Bench): Promise<void> {
  await withApp({ seed: { checks: 10_000 } }, ({ server }) =>
    withBrowser(async (page, context) => {
      const [name = '', value = ''] = (await sessionCookie(server.url)).split('=');
      await context.addCookies([{ name, value, url: server.url }]);
      await share(page, server.url);
      await bench.measure(['tablet open'], RUNS, async () => {
        await handOver(page);
        await page.getByRole('button', { name: LABEL }).first().click();
        await page.getByLabel(`PIN of ${LABEL}`).fill(PIN);
        const begunAt = performance.now();
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await rows(page);
        return { 'tablet open': performance.now() - begunAt };
      });
    }),
  );
}
