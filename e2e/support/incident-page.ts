import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { walkTo } from './walk-to.ts';

const INCIDENT = /\/incidents\/[0-9a-f-]{36}/;

async function fillNewIncident(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New incident' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(INCIDENT, { timeout: 60_000 });
}

/** Starts the app at the list of incidents, creates one through its form and waits until its page shows. */
export async function createIncident(page: Page, url: string, title: string): Promise<void> {
  await page.goto(`${url}/incidents`);
  await fillNewIncident(page, title);
}

/** The same where the app is open: a second start of it would take two seconds of processor time. */
export async function createIncidentHere(page: Page, title: string): Promise<void> {
  await walkTo(page, '/incidents');
  await fillNewIncident(page, title);
}

/** Writes a comment on the incident that is open. */
export async function comment(page: Page, text: string): Promise<void> {
  const panel = page.getByRole('tabpanel');
  // Comments and hypotheses are read together: without the latter there is nothing to comment on.
  await expect(
    panel.locator('[data-comment]').or(panel.getByText('Nobody has commented yet')).first(),
  ).toBeVisible({
    timeout: 60_000,
  });
  await page.getByLabel('Comment', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  // The field holds its text, too, until it is kept; one that is refused at once stands in its note.
  const written = page.locator('[data-comment], [data-refused]').filter({ hasText: text });
  await expect(written.first()).toBeVisible({ timeout: 60_000 });
}

/** The server has given the incident that is open its number: it knows it. */
export async function numbered(page: Page): Promise<void> {
  const crumbs = page.getByRole('navigation', { name: 'Incidents' });
  await expect(crumbs.getByText(/^INC-\d+$/)).toBeVisible({ timeout: 60_000 });
}
