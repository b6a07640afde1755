/**
 * Incidents where there is no network: a whole one made and worked on with a phone, and what becomes of it when
 * somebody else changed, closed or deleted it meanwhile. The user is told in plain words, and loses nothing.
 */
import { expect, test } from '@playwright/test';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.setTimeout(360_000);

const server = fileServer({ roles: ['responder', 'commander'] });

async function openAs(browser: Browser, role: string, path: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, server.url, path, accountOf(role));
  return page;
}

async function goOffline(context: BrowserContext, page: Page): Promise<void> {
  await waitUntilOfflineReady(page);
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
}

const idOf = (address: string) => new URL(address).pathname.split('/').at(-1) ?? '';

/** Waits until the server has the incident of that page like this. */
async function hasIncident(page: Page, address: string, row: Record<string, string>): Promise<void> {
  const path = `/api/db/incidents?id=eq.${idOf(address)}&select=${Object.keys(row).join()}`;
  const ask = () => page.evaluate(async (asked) => (await fetch(asked)).json(), path);
  await expect.poll(ask, { timeout: 60_000 }).toEqual([row]);
}

async function setStatus(page: Page, to: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption({ label: to });
}

/** Drops what waits in the outbox, after its question. */
async function dropOnly(page: Page): Promise<void> {
  await page.locator('[data-heap="refused"] li').getByRole('button', { name: 'Drop', exact: true }).click();
  const asked = page.getByRole('group', { name: 'Drop what you wrote?' });
  await asked.getByRole('button', { name: 'Drop', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
}

const refusedNote = (page: Page, text: string | RegExp) => page.getByText(text);

test.describe('with a phone', () => {
  test.use(PHONE);

  test('a whole incident without a network: made, explained, proven, discussed, staffed and moved on', async ({
    page,
    context,
    browser,
  }) => {
    await logIn(page, server.url);
    await page.goto(`${server.url}/incidents`);
    await goOffline(context, page);
    await createIncident(page, server.url, 'Made on a train');
    const address = page.url();
    const section = (name: string) => page.getByRole('tab', { name }).click();
    const bar = page.getByRole('toolbar');

    await comment(page, 'The tunnel is long');
    await section('Action Plan');
    await page.getByRole('button', { name: 'Add a hypothesis below' }).click();
    await page.getByLabel('New hypothesis').fill('Fibre cut');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('row', { name: 'Fibre cut' })).toBeVisible();
    await bar.getByRole('button', { name: 'Evidence' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Comment/ }).click();
    await dialog.getByLabel('What was seen').fill('No light on port 3');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    // The dialog's field has the same words.
    await expect(dialog).toBeHidden();
    await expect(page.getByText('No light on port 3')).toBeVisible();
    await bar.getByRole('button', { name: 'Responder' }).click();
    await dialog.getByLabel('Search people and teams').fill('commander');
    await dialog.getByRole('button', { name: /commander/i }).click();
    await dialog.getByRole('button', { name: 'Add directly' }).click();
    await expect(page.getByText('Responder saved on this device')).toBeVisible();
    await section('Details');
    await page.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'Critical' });
    await bar.getByRole('button', { name: 'Status' }).click();
    await dialog.getByRole('button', { name: 'Investigating' }).click();
    // Each of the seven is kept, also those that wait a moment before they are told.
    await expect(page.getByRole('link', { name: /^Outbox: 7 saved on this device/ })).toBeVisible();

    // A phone that was put away: everything is there again, from the link alone.
    await page.goto('about:blank');
    await page.goto(`${address}?tab=plan`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Made on a train');
    await expect(page.getByText('No light on port 3')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('Investigating').first()).toBeVisible();

    await context.setOffline(false);
    await numbered(page);
    // What isn't on this tab is in the outbox.
    await expect(page.getByRole('link', { name: /^Outbox:/ })).toHaveCount(0, { timeout: 90_000 });
    await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
    const asWritten = { title: 'Made on a train', severity: 'critical', status: 'investigating' };
    await hasIncident(page, address, asWritten);
    const other = await openAs(browser, 'commander', new URL(address).pathname);
    await expect(other.getByText('The tunnel is long')).toBeVisible({ timeout: 60_000 });
    await other.getByRole('tab', { name: 'Action Plan' }).click();
    await expect(other.getByText('No light on port 3')).toBeVisible();
    await expect(other.getByRole('row', { name: 'Fibre cut' })).toBeVisible();
    await other.context().close();
  });
});

test('both were offline: comments of both are there, the same field is asked about, other fields merge', async ({
  page,
  context,
  browser,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Two in the dark');
  await numbered(page);
  const other = await openAs(browser, 'commander', new URL(page.url()).pathname);
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Two in the dark', {
    timeout: 60_000,
  });
  await goOffline(context, page);
  await goOffline(other.context(), other);

  const retitle = async (on: Page, title: string) => {
    await on.getByRole('textbox', { name: 'Title' }).fill(title);
    await on.getByRole('textbox', { name: 'Title' }).press('Enter');
    await expect(on.locator('[data-pending="kept"]').first()).toBeVisible();
  };
  await retitle(page, 'Mine');
  await comment(page, 'From the one');
  await page.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'High' });
  await retitle(other, 'Theirs');
  await comment(other, 'From the other');

  await other.context().setOffline(false);
  await expect(other.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  await context.setOffline(false);
  await expect(refusedNote(page, 'One change here was refused')).toBeVisible({ timeout: 60_000 });
  for (const on of [page, other]) {
    await expect(on.getByText('From the one')).toBeVisible({ timeout: 60_000 });
    await expect(on.getByText('From the other')).toBeVisible({ timeout: 60_000 });
    await expect(on.getByRole('textbox', { name: 'Title' })).toHaveValue('Theirs', { timeout: 60_000 });
    await expect(on.getByRole('combobox', { name: 'Severity' })).toHaveValue('high', { timeout: 60_000 });
  }
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entry = page.locator('[data-heap="refused"] li');
  await expect(entry).toHaveCount(1);
  await expect(entry.getByRole('row', { name: 'Title Mine Theirs' })).toBeVisible({ timeout: 60_000 });
  await expect(entry.getByText(/Changed meanwhile by .+: title/)).toBeVisible();
  await dropOnly(page);
  await other.context().close();
});

test('a status that was chosen offline and no longer fits says who set which, and can be done again from there', async ({
  page,
  context,
  browser,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Closed meanwhile');
  await numbered(page);
  const address = page.url();
  await goOffline(context, page);
  await setStatus(page, 'Investigating');
  await comment(page, 'Still looking');
  await expect(page.getByRole('link', { name: /^Outbox: 2 saved on this device/ })).toBeVisible();
  const other = await openAs(browser, 'commander', new URL(address).pathname);
  const close = other.getByRole('button', { name: 'Close', exact: true });
  await expect(close).toBeVisible({ timeout: 60_000 });
  await close.click();
  // It comes first, so that the other one no longer fits.
  await hasIncident(other, address, { status: 'closed' });

  await context.setOffline(false);
  await expect(refusedNote(page, 'One change here was refused')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('combobox', { name: 'Status', exact: true })).toHaveValue('closed', {
    timeout: 60_000,
  });
  await expect(other.getByText('Still looking')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entry = page.locator('[data-heap="refused"] li');
  await expect(entry.getByText(/The status is closed by now, set by .+/)).toBeVisible();
  // From closed the only way leads to open: done again, it is refused with that reason.
  await entry.getByRole('button', { name: 'Redo' }).click();
  await expect(entry.getByText('An incident that is closed cannot become investigating')).toBeVisible({
    timeout: 60_000,
  });
  await dropOnly(page);
  await other.context().close();
});

test('an incident that was deleted meanwhile: what was written is kept, and can be copied out', async ({
  page,
  context,
  browser,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Gone meanwhile');
  await numbered(page);
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  const id = idOf(page.url());
  await goOffline(context, page);
  await comment(page, 'Nobody will read this there');
  const elsewhere = await browser.newContext();
  const admin = await elsewhere.newPage();
  await signIn(admin, server.url);
  const remove = (path: string) =>
    admin.evaluate(async (asked) => (await fetch(`/api/db/${asked}`, { method: 'DELETE' })).status, path);
  for (const table of ['incident_histories', 'hypotheses'])
    expect(await remove(`${table}?incident_id=eq.${id}`)).toBe(204);
  expect(await remove(`incidents?id=eq.${id}`)).toBe(204);

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Incident not found' })).toBeVisible({ timeout: 60_000 });
  await expect(refusedNote(page, 'One change here was refused')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entry = page.locator('[data-heap="refused"] li');
  await expect(entry.getByText('What this was about no longer exists.')).toBeVisible();
  await expect(entry.getByRole('link', { name: /Gone meanwhile/ })).toBeVisible();
  await expect(entry.getByText('Nobody will read this there')).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Copy what I wrote' })).toBeVisible();
  await elsewhere.close();
});
