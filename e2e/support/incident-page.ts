import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

const INCIDENT = /\/incidents\/[0-9a-f-]{36}/;

/** Creates an incident through its form and waits until its page shows. */
export async function createIncident(page: Page, url: string, title: string): Promise<void> {
  await page.goto(`${url}/incidents`);
  await page.getByRole('button', { name: 'New incident' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(INCIDENT, { timeout: 60_000 });
}

/** Writes a comment on the incident that is open. */
export async function comment(page: Page, text: string): Promise<void> {
  await page.getByLabel('Comment', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  // In the list: the field has the same text until it is sent, a refused one stands above it.
  await expect(page.locator('[data-comment]').filter({ hasText: text }).first()).toBeVisible({
    timeout: 60_000,
  });
}

/** The server has given the incident that is open its number: it knows it. */
export async function numbered(page: Page): Promise<void> {
  const crumbs = page.getByRole('navigation', { name: 'Incidents' });
  await expect(crumbs.getByText(/^INC-\d+$/)).toBeVisible({ timeout: 60_000 });
}
