import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { fillLogin, logIn, signIn, signInByForm, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(300_000);

const server = fileServer({ roles: ['editor'] });

async function rename(page: Page, title: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Title' });
  await field.fill(title);
  await field.press('Enter');
}

test('an incident made without a network, with its comment and hypothesis, arrives once there is one', async ({
  page,
  context,
}) => {
  await signIn(page, server.url);
  await waitUntilOfflineReady(page);
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  await createIncident(page, server.url, 'Made in a tunnel');
  await comment(page, 'No signal here');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await page.getByRole('button', { name: 'Add a hypothesis below' }).click();
  await page.getByLabel('New hypothesis').fill('Fibre cut');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Hypothesis', exact: true }).nth(1)).toHaveValue(
    'Fibre cut',
  );
  await expect(page.locator('[data-pending="kept"]').first()).toBeVisible();
  await expect(page.getByTestId('not-current')).toBeVisible();

  await page.getByRole('link', { name: /^Outbox: 3 saved on this device/ }).click();
  await expect(page.locator('[data-heap="kept"] li')).toHaveCount(3);
  await expect(page.getByText('nothing is sent until there is a network again')).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 90_000 });
  await page.goto(`${server.url}/incidents`);
  await expect(page.locator('[data-incident]')).toHaveCount(1, { timeout: 60_000 });
  await expect(page.locator('[data-incident]')).toContainText('INC-1');
});

test('a change that somebody else made first waits with both values, and is redone with one tap', async ({
  page,
  context,
  browser,
}) => {
  await signIn(page, server.url);
  await waitUntilOfflineReady(page);
  await createIncident(page, server.url, 'Queue grows');
  await numbered(page);
  const address = page.url();
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  await rename(page, 'Mine');
  await expect(page.locator('[data-pending="kept"]').first()).toBeVisible();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await logIn(other, server.url);
  await other.goto(address);
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Queue grows', { timeout: 60_000 });
  await rename(other, 'Theirs');
  // The server has it, so that the other one comes second.
  const isThere = () =>
    other.evaluate(async () => (await (await fetch('/api/db/incidents?title=eq.Theirs')).json()).length);
  await expect.poll(isThere, { timeout: 60_000 }).toBe(1);

  await context.setOffline(false);
  await expect(page.getByText('One change here was refused')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entry = page.locator('[data-heap="refused"] li');
  await expect(entry.getByRole('row', { name: 'Title Mine Theirs' })).toBeVisible({ timeout: 60_000 });
  await entry.getByRole('button', { name: 'Redo' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 90_000 });
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Mine', { timeout: 60_000 });
  await elsewhere.close();
});

test('signing out asks what shall become of what was not sent, and gives it back to the same user', async ({
  page,
  context,
}) => {
  await signIn(page, server.url);
  await waitUntilOfflineReady(page);
  await createIncident(page, server.url, 'Sealed');
  const address = page.url();
  await numbered(page);
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  await comment(page, 'Kept under seal');
  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Send now, then sign out' })).toBeDisabled();
  await page.getByRole('button', { name: 'Keep it sealed on this device' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await context.setOffline(false);
  await signInByForm(page, server.url);
  await page.goto(address);
  await expect(page.getByText('Kept under seal')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
});

test('who signs in next finds nothing of what the one before began to write, and its author finds it after a reload', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Begun');
  await numbered(page);
  const address = page.url();
  const field = page.getByLabel('Comment', { exact: true });
  await field.fill('half a comment');
  await page.goto(`${server.url}/incidents`);
  await page.getByRole('button', { name: 'New incident' }).click();
  await page.getByLabel('Title').fill('half an incident');
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('half an incident', { timeout: 60_000 });
  await page.goto(address);
  await expect(field).toHaveValue('half a comment', { timeout: 60_000 });

  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByText(/^2 texts that you began are not sent/)).toBeVisible();
  await page.getByRole('button', { name: 'Delete and sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await fillLogin(page, accountOf('editor'));
  await expect(page).toHaveURL(/\/health/, { timeout: 60_000 });
  await page.goto(address);
  await expect(field).toHaveValue('', { timeout: 60_000 });
  await page.goto(`${server.url}/incidents`);
  await page.getByRole('button', { name: 'New incident' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('');
  const left = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    return {
      drafts: names.filter((name) => name.includes('draft')).length,
      texts: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    };
  });
  // The one that is there is the editor's own.
  expect(left.drafts).toBe(1);
  expect(left.texts).not.toContain('half');
});
