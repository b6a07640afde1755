import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { ADMIN } from './support/holdfast-server.ts';
import { signInByForm } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

/** The first load and the first runs of the checks take their time on a busy machine. */
test.setTimeout(240_000);

const server = fileServer({ isFirstStart: true });

test(
  'a first start without any configuration leads from sign-in to live rows of the server watching itself',
  {
    tag: '@smoke',
  },
  async ({ page }) => {
    await signInByForm(page, server.url);
    await expect(page.locator('[data-row-kind]').first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
    await page.goto(`${server.url}/health?hidePassing=false&groupBy=none`);
    await expect(page.locator('[data-row-kind="check"][data-health="healthy"]').first()).toBeVisible({
      timeout: 90_000,
    });
  },
);

test('a wrong password is refused in plain words and keeps what was typed', async ({ page }) => {
  await page.goto(`${server.url}/login`);
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText(/credentials are invalid/)).toBeVisible();
  await expect(page.getByLabel(/e-?mail/i)).toHaveValue(ADMIN.email);
});

test('a path that was asked for before sign-in is shown after it', async ({ page }) => {
  await signInByForm(page, server.url, '/health?hidePassing=false&groupBy=type');
  await expect(page).toHaveURL(/groupBy=type/);
});

test('signing out leaves nothing of the user on the device', async ({ page }) => {
  await signInByForm(page, server.url);
  await expect(page.locator('[data-row-kind]').first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /profile/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await expect
    .poll(
      () =>
        page.evaluate(async () =>
          (await indexedDB.databases())
            .map((database) => database.name)
            .filter((name) => /checks|statuses|canaries/.test(name ?? '')),
        ),
      { timeout: 60_000 },
    )
    .toEqual([]);
  const whoami = async () => (await page.request.get(`${server.url}/api/auth/whoami`)).status();
  await expect.poll(whoami, { timeout: 60_000 }).toBe(401);
});

test('a second start on the same data keeps the session and the history', async ({ page }) => {
  await signInByForm(page, server.url);
  await expect(page.locator('[data-row-kind]').first()).toBeVisible({ timeout: 60_000 });
  const first = async () => {
    const path = '/api/db/check_statuses?select=check_id,time&order=time&limit=1';
    return (await page.request.get(`${server.url}${path}`)).json();
  };
  await expect.poll(first, { timeout: 90_000 }).toHaveLength(1);
  const before = await first();
  expect(await server.stop()).toBe(0);
  await server.start();
  // What was missing while the server was away loads the page again by itself, maybe at this moment.
  await expect(() => page.reload()).toPass({ timeout: 60_000 });
  await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  expect(await first()).toEqual(before);
});
