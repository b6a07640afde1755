import { expect, test } from '@playwright/test';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { checkRow, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.setTimeout(240_000);

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  server = await prepareServer({ args: ['--demo'] });
  await server.start();
});

test.afterAll(() => server.dispose());

/** Runs in the page: moves one cached file from one cache to another. */
async function moveFile([from = '', to = '']: string[]): Promise<void> {
  const names = await caches.keys();
  const nameOf = (part: string) => names.find((name) => name.includes(part)) ?? part;
  const [source, target] = await Promise.all([caches.open(nameOf(from)), caches.open(nameOf(to))]);
  const file = (await source.keys()).at(-1);
  const answer = file === undefined ? undefined : await source.match(file);
  if (file === undefined || answer === undefined) throw new Error('no file is cached');
  await target.put(file, answer);
  await source.delete(file);
}

test('without a network one can navigate, filter, group, open the drawer and reload; back online it catches up', async ({
  page,
  context,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false');
  await waitUntilOfflineReady(page);
  const groups = page.locator('[data-row-kind="group"]');
  await expect.poll(() => groups.count(), { timeout: 60_000 }).toBeGreaterThan(5);
  const chip = page.getByTestId('connectivity');
  await expect(chip).toContainText('Live', { timeout: 60_000 });
  await chip.click();
  const details = page.getByRole('dialog').filter({ hasText: 'Works offline' });
  await expect(details.getByText('Yes', { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('Escape');
  // Yes only with every file: the browser may take some away.
  await page.evaluate(moveFile, ['workbox', 'aside']);
  await chip.click();
  await expect(details.getByText(/^\d+ %$/)).toBeVisible({ timeout: 60_000 });
  await page.evaluate(moveFile, ['aside', 'workbox']);
  await expect(details.getByText('Yes', { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('Escape');

  await context.setOffline(true);
  await expect(chip).toContainText(/Offline since \d\d:\d\d/, { timeout: 60_000 });
  await expect(chip).toContainText(/data as of \d\d:\d\d/);

  await page.goto(`${server.url}/health?hidePassing=false&groupBy=type`);
  await expect(groups.filter({ hasText: 'http' }).first()).toBeVisible({ timeout: 30_000 });
  await expect(chip).toContainText(/Offline since/);

  await page.goto(`${server.url}/health?hidePassing=false&groupBy=none`);
  await page.getByPlaceholder('Search by name, description, or endpoint').fill('http');
  // What is typed goes into the link a moment later, beside what is pressed by then.
  await expect(page).toHaveURL(/=http/);
  await expect(page.locator('[data-row-kind="check"]').first()).toBeVisible();
  await page.locator('[data-row-kind="check"]').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toBeVisible();
  await expect(drawer.getByText('Uptime').first()).toBeVisible();

  await page.reload();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(chip).toContainText(/Offline since \d\d:\d\d/);

  await page.goto(`${server.url}/notifications`);
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();

  await context.setOffline(false);
  await expect(chip).toContainText('Live', { timeout: 60_000 });
});

test('Run now is refused offline with the reason, never queued', async ({ page, context }) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await checkRow(page, '').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeEnabled({ timeout: 60_000 });
  await context.setOffline(true);
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeDisabled({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeEnabled({ timeout: 60_000 });
});
