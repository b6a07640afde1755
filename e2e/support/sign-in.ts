import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { ADMIN } from './holdfast-server.ts';

/** Fills the login page that is open. */
export async function fillLogin(page: Page, account = ADMIN): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in through the login page and waits for the dashboard. */
export async function signIn(page: Page, url: string, path = '/health?hidePassing=false'): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page);
  await expect(page).toHaveURL(/\/health/);
}

/** A check's row by its name, whatever its state. */
export const checkRow = (page: Page, name: string) =>
  page.locator('[data-row-kind="check"]').filter({ hasText: name });

/** Opens the service worker's control and waits until the device has all it needs to start without a network. */
export async function waitUntilOfflineReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect
    .poll(() =>
      page.evaluate(
        () => navigator.serviceWorker.controller !== null || caches.keys().then((keys) => keys.length > 0),
      ),
    )
    .toBeTruthy();
}
