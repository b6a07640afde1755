/** Boards of walls on the page of an administrator whose server answers some of what is asked. */
import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { logIn } from './support/sign-in.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

const server = fileServer();

test('a new board is drawn where the others cannot be had, and nothing is said of how many there are', async ({
  page,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await logIn(page, proxy.url);
    proxy.weather.swallow = /^\/api\/walls\/boards$/;
    await page.goto(`${proxy.url}/settings/walls`);
    await page.getByRole('button', { name: 'New board' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Drawn alone', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Boards' })).toBeVisible();
    await expect(page.getByText('None yet')).toHaveCount(0);
    await page.goBack();
    await page.getByLabel('Name', { exact: true }).fill('Drawn alone', { timeout: 60_000 });
    proxy.weather.swallow = null;
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: 'Show Drawn alone on this screen' })).toBeVisible({
      timeout: 60_000,
    });
  } finally {
    await proxy.stop();
  }
});

test('what is drawn before the boards are known stays, and says so where it would replace one', async ({
  page,
}) => {
  const id = '018f0000-0000-7000-8000-00000000c001';
  const store = (name: string) =>
    page.request.post(`${server.url}/api/walls/boards/${id}`, {
      data: { name, tiles: [] },
      headers: { origin: server.url },
    });
  const proxy = await startWeatherProxy(server.url);
  try {
    await logIn(page, server.url);
    expect((await store('Somebody’s')).ok()).toBe(true);
    proxy.weather.swallow = /^\/api\/walls\/boards$/;
    await page.goto(`${proxy.url}/settings/walls/boards/${id}?isNew=true`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mine', { timeout: 60_000 });
    proxy.weather.swallow = null;
    // A change by which open pages read the boards again.
    expect((await store('Somebody’s, changed')).ok()).toBe(true);
    await expect(page.getByText('This board was saved before.')).toBeVisible({ timeout: 60_000 });
    await expect(name).toHaveValue('Mine');
  } finally {
    await proxy.stop();
  }
});
