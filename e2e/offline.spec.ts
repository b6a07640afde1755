import { expect, test, type Page } from '@playwright/test';
import { sessionCookie } from '../bench/signed-in-proxy.ts';
import {
  checkRow,
  offlineProgress,
  signIn,
  waitUntilLoaded,
  waitUntilOfflineReady,
} from './support/sign-in.ts';
import { fileServer } from './support/file-server.ts';
import { startWeatherProxy, type WeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(240_000);

const server = fileServer({ args: ['--demo'] });

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
  await expect(details.getByText(/^\d+ %/)).toBeVisible({ timeout: 60_000 });
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

/** Answers for files that neither the shell nor a page of the menus needs: the service worker caches them last. */
async function laterFiles(): Promise<RegExp> {
  const worker = await (await fetch(`${server.url}/sw.js`)).text();
  const names = [...worker.matchAll(/\{"isLater":true,[^}]*"url":"([^"]+)"/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(10);
  return new RegExp(`^/(?:${names.join('|').replaceAll('.', String.raw`\.`)})$`);
}

/** A first visit of somebody who is signed in. */
async function enterByCookie(page: Page, proxy: WeatherProxy): Promise<void> {
  const [name = '', ...value] = (await sessionCookie(server.url)).split('=');
  await page.context().addCookies([{ name, value: value.join('='), url: proxy.url }]);
  await page.goto(`${proxy.url}/health?hidePassing=false`);
  await waitUntilLoaded(page);
}

/** The same, on which nothing but the shell and the pages of the menus can be loaded. */
async function enterWithoutRest(page: Page, proxy: WeatherProxy): Promise<void> {
  proxy.weather.hold = await laterFiles();
  await enterByCookie(page, proxy);
  await expect.poll(async () => (await offlineProgress(page))?.hasMenuPages, { timeout: 120_000 }).toBe(true);
}

const worksOffline = (page: Page) => page.getByRole('dialog').filter({ hasText: 'Works offline' });

test('the network goes as soon as the pages of the menus are cached: each of them opens, the others say what is missing and open later', async ({
  page,
  context,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await enterWithoutRest(page, proxy);
    await page.getByTestId('connectivity').click();
    await expect(worksOffline(page).getByText(/^\d+ %: the pages of the menu open/)).toBeVisible();
    await page.keyboard.press('Escape');
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('button', { name: 'Settings' }).click();
    const links = menu.getByRole('link');
    await expect(links.filter({ hasText: 'Storage' })).toBeVisible();
    const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(15);

    await context.setOffline(true);
    for (const path of paths) {
      await page.goto(`${proxy.url}${path}`);
      const title = page.getByRole('main').getByRole('heading', { level: 1 }).first();
      await expect(title, path).toHaveText(/./);
      await expect(title, path).not.toHaveText(/not stored on this device|there was an error/);
    }

    await page.goto(`${proxy.url}/profile-settings`);
    const missing = page.getByRole('heading', { name: 'This page is not stored on this device yet' });
    await expect(missing).toBeVisible();
    await expect(menu).toBeVisible();
    proxy.weather.hold = null;
    await context.setOffline(false);
    const profile = page.getByRole('heading', { name: 'Profile settings', exact: true });
    await expect(profile).toBeVisible({ timeout: 60_000 });
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.reload();
    await expect(profile).toBeVisible();
  } finally {
    await proxy.stop();
  }
});

test('a first visit that loses a file says that the app is not stored, and tries again when the network is back', async ({
  page,
  context,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    proxy.weather.swallow = /\/assets\/HelpPage-/;
    await enterByCookie(page, proxy);
    await page.getByTestId('connectivity').click();
    const details = worksOffline(page);
    await expect(details.getByText('No: the app could not be stored here. It is tried again')).toBeVisible({
      timeout: 60_000,
    });
    proxy.weather.swallow = null;
    await context.setOffline(true);
    await context.setOffline(false);
    await expect(details.getByText('Yes', { exact: true })).toBeVisible({ timeout: 120_000 });
  } finally {
    await proxy.stop();
  }
});

test('no room for the rest of the app: the panel says so, and it is cached once there is room', async ({
  page,
  context,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await enterWithoutRest(page, proxy);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 1 });
    proxy.weather.hold = null;
    await expect
      .poll(async () => (await offlineProgress(page))?.isStorageFull, { timeout: 120_000 })
      .toBe(true);
    await page.getByTestId('connectivity').click();
    await expect(worksOffline(page).getByText(/^\d+ %: there is no room for the rest/)).toBeVisible();
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: proxy.url });
    await expect(worksOffline(page).getByText('Yes', { exact: true })).toBeVisible({ timeout: 180_000 });
  } finally {
    await proxy.stop();
  }
});

test('Run now is refused offline with the reason, never queued', async ({ page, context }) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await checkRow(page, '').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeEnabled({ timeout: 60_000 });
  await waitUntilOfflineReady(page);
  await context.setOffline(true);
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeDisabled({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(drawer.getByRole('button', { name: /Run Now/i })).toBeEnabled({ timeout: 60_000 });
});
