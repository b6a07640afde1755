/** Incidents where little is there: an empty list, filters without a match, a dead server, a slow line. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(480_000);

const NOBODY = '0192d5a4-0000-7000-8000-00000000dead';
/** What networks are called slow 3G for. */
const SLOW = { latencyMs: 200, kbps: 400 };

const server = fileServer();

const row = (page: Page) => page.locator('[data-incident]');
const EMPTY = 'There are no incidents matching this criteria';

test('an empty list says so and what to do; filters that match nothing are cleared by a press', async ({
  page,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/incidents`);
  await expect(page.getByText(EMPTY)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('That works without a network, too.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
  await createIncident(page, server.url, 'The only one');
  await page.goto(`${server.url}/incidents?severity=critical&type=cost`);
  await expect(page.getByText(EMPTY)).toBeVisible({ timeout: 60_000 });
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(row(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search incidents' }).fill('nothing is called so');
  await expect(page.getByText(EMPTY)).toBeVisible();
  await expect(page).toHaveURL(/search=nothing/);
});

test('with a dead server, links open cold: the page, the list, and what is not on this device says why', async ({
  page,
  context,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Before the lights went out');
  await numbered(page);
  await comment(page, 'Written in the light');
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  // The server writes it: it must have come here before the server is gone.
  await page.getByRole('button', { name: 'Changelog' }).click();
  await expect(page.locator('[data-event="incident.created"]')).toBeVisible({ timeout: 60_000 });
  await waitUntilOfflineReady(page);
  const address = page.url().replace(/\?.*/, '');
  await page.close();
  await server.kill();

  const cold = await context.newPage();
  await cold.goto(`${address}?panel=changelog`);
  await expect(cold.getByRole('heading', { level: 1 })).toContainText('Before the lights went out', {
    timeout: 60_000,
  });
  await expect(cold.getByText('Written in the light')).toBeVisible();
  await expect(cold.locator('[data-event="incident.created"]')).toBeVisible();
  await expect(cold.getByTestId('not-current')).toBeVisible({ timeout: 60_000 });
  await comment(cold, 'Written in the dark');
  await expect(cold.locator('[data-comment] [data-pending]')).toBeVisible();
  expect(await findings(cold)).toEqual([]);
  await cold.goto(`${server.url}/incidents?search=lights`);
  await expect(row(cold)).toContainText('Before the lights went out', { timeout: 60_000 });
  await cold.goto(`${server.url}/incidents/${NOBODY}`);
  await expect(cold.getByRole('heading', { name: 'Not on this device' })).toBeVisible({ timeout: 60_000 });
  await expect(cold.getByText('the server can’t be asked now')).toBeVisible();

  await server.start();
  await cold.goto(address);
  await expect(cold.locator('[data-comment]').first()).toContainText('Written in the dark', {
    timeout: 60_000,
  });
  await expect(cold.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
});

test('on a slow line the first visit says that it loads, and the next one shows at once what is here', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Far from any city');
  await numbered(page);
  await comment(page, 'Still reachable');
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  const path = new URL(page.url()).pathname;
  await page.goto('about:blank');
  const proxy = await startWeatherProxy(server.url);
  try {
    Object.assign(proxy.weather, SLOW);
    // A device that has never been here: everything comes over the line.
    await page.goto(`${proxy.url}/incidents`, { waitUntil: 'commit' });
    await expect(row(page).filter({ hasText: 'Far from any city' })).toBeVisible({ timeout: 120_000 });
    await row(page).filter({ hasText: 'Far from any city' }).getByRole('link').first().click();
    await expect(page.getByText('Still reachable')).toBeVisible({ timeout: 60_000 });
    await waitUntilOfflineReady(page);
    await comment(page, 'Written over it');
    await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });

    Object.assign(proxy.weather, { hold: /^\/api/ });
    await page.goto(`${proxy.url}${path}`);
    await expect(page.getByText('Still reachable')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('Written over it')).toBeVisible();
    await page.goto(`${proxy.url}/incidents`);
    await expect(row(page).filter({ hasText: 'Far from any city' })).toBeVisible({ timeout: 60_000 });
  } finally {
    await proxy.stop();
  }
});
