/** The catalog over a data set of another project: every tab, what is older than the device keeps, unlink, offline. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { prepareServer } from './support/holdfast-server.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

const DATA_SET = '../shared/fixtures/dataset';
const CLUSTER = '3d662386-667d-5079-99d2-c3ab7e409b5e';
const DEPLOYMENT = 'd046fff0-bbc5-5660-9f9d-b27f7cdfc087';
const ALL_TIME = 'rangeType=relative&range=now-2y&display=2+years';

test.setTimeout(240_000);

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await prepareServer();
  execFileSync('npm', ['run', '--silent', 'import', '--', DATA_SET, '--skip-unknown'], {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: server.dataDir },
  });
  await server.start();
});
test.afterAll(() => server.dispose());

const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Parts of the item' }).getByRole('link', { name });

test('items of a foreign data set are found, and every tab of one answers, also without a network', async ({
  page,
  context,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/catalog`);
  await waitUntilOfflineReady(page);
  await expect(page.getByText('18 items')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('searchbox', { name: 'Search for configs' }).fill('logistics-api');
  const rows = page.locator('[data-row-kind="item"]');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('logistics-api');

  await page.goto(`${server.url}/catalog/${DEPLOYMENT}`);
  await expect(page.getByRole('heading', { name: 'logistics-api', exact: true })).toBeVisible();
  await expect(page.getByText('missioncontrol').first()).toBeVisible();
  await tab(page, /Relationships/).click();
  await expect(page.getByText('logistics-api-7df4c7f6b7-x9k2m').first()).toBeVisible({ timeout: 30_000 });
  await tab(page, /Insights/).click();
  await expect(page).toHaveURL(/insights/);
  await tab(page, /Playbooks/).click();
  await expect(page).toHaveURL(/playbooks/);
  await tab(page, /Checks/).click();
  await expect(page).toHaveURL(/checks/);

  await context.setOffline(true);
  await page.goto(`${server.url}/catalog/${DEPLOYMENT}/relationships`);
  await expect(page.getByText('logistics-api-7df4c7f6b7-x9k2m').first()).toBeVisible({ timeout: 30_000 });
  await page.goto(`${server.url}/catalog/insights`);
  await expect(page.getByRole('rowgroup').getByText('rds-port-exposed')).toBeVisible();
  await expect(page.getByText('An item that is not on this device')).toBeHidden();
  await context.setOffline(false);
});

test('changes older than the device keeps come from the server, say so, and stay', async ({
  page,
  context,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/catalog/${CLUSTER}/changes?${ALL_TIME}`);
  await waitUntilOfflineReady(page);
  await expect(page.getByText('EKS cluster configuration updated')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/From the server, as of/)).toBeVisible();
  await page.goto(`${server.url}/catalog/changes?${ALL_TIME}&severity=high`);
  await expect(page.getByText('EKS cluster deleted')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('EKS cluster configuration updated')).toBeHidden();

  await context.setOffline(true);
  await page.goto(`${server.url}/catalog/${CLUSTER}/changes?${ALL_TIME}`);
  await expect(page.getByText('EKS cluster configuration updated')).toBeVisible({ timeout: 30_000 });
  await context.setOffline(false);
});

test('an item is linked to a component by hand and unlinked after a question', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/catalog/${DEPLOYMENT}`);
  await page.getByRole('button', { name: 'Link to component' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill('logistics-ui');
  await dialog.getByRole('radio', { name: 'logistics-ui Application' }).check();
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(page.getByText('config link successful')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Unlink logistics-ui' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('Deleted config link successfully')).toBeVisible({ timeout: 60_000 });
});
