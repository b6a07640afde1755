/**
 * Writes that the server refuses, as the one who wrote sees them: after a role was taken away, which asks to sign in
 * again, and after what a comment was about was deleted. Nothing that was written is lost.
 */
import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { accountOf, setRole, startWithRoles } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { comment, createIncidentHere, numbered } from './support/incident-page.ts';
import { fillLogin, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(360_000);

let server: HoldfastServer;
/** The administrator, who gives and takes roles. */
let admin: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  server = await prepareServer();
  await startWithRoles(server, ['responder', 'commander']);
  admin = await (await browser.newContext()).newPage();
  await signIn(admin, server.url);
});

test.afterAll(async () => {
  await admin.context().close();
  await server.dispose();
});

const field = (page: Page) => page.getByLabel('Comment', { exact: true });
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' });
const priority = (page: Page) => page.getByRole('combobox', { name: 'Severity' });
const refusedComment = (page: Page) => page.locator('[data-refused]');

/** Another role ends the sessions of its account: who is back online signs in again, and is where they were. */
async function changeRole(page: Page, from: string, to: string): Promise<void> {
  const account = accountOf(from);
  await setRole(admin, account.email, to);
  await page.context().setOffline(false);
  await expect(page).toHaveURL(/\/login/, { timeout: 90_000 });
  await fillLogin(page, account);
  await expect(page).not.toHaveURL(/\/login/, { timeout: 60_000 });
}

/** The incident that the administrator looks at, on a device of that role that is then offline. */
async function openOffline(browser: Browser, role: string, name: string): Promise<Page> {
  await numbered(admin);
  await expect(admin.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  const page = await (await browser.newContext()).newPage();
  await signIn(page, server.url, new URL(admin.url()).pathname, accountOf(role));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name, { timeout: 60_000 });
  await waitUntilOfflineReady(page);
  await page.context().setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  return page;
}

test('a comment of somebody who lost the role while offline is shown with the reason, and sent once they may again', async ({
  browser,
}) => {
  await createIncidentHere(admin, 'Role taken away');
  const page = await openOffline(browser, 'responder', 'Role taken away');
  await comment(page, 'Written in good faith');
  await changeRole(page, 'responder', 'viewer');

  await expect(refusedComment(page)).toContainText('This comment was not accepted', { timeout: 60_000 });
  await expect(refusedComment(page)).toContainText('You do not have permission to do this.');
  await expect(refusedComment(page)).toContainText('Written in good faith');
  await expect(page.getByText('One change here was refused')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('[data-comment]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit and send again' })).toHaveCount(0);
  expect(await findings(page)).toEqual([]);

  await changeRole(page, 'responder', 'responder');
  const again = refusedComment(page).getByRole('button', { name: 'Edit and send again' });
  await expect(again).toBeVisible({ timeout: 60_000 });
  await again.click();
  await expect(field(page)).toHaveValue('Written in good faith');
  await expect(refusedComment(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.locator('[data-comment]')).toContainText('Written in good faith');
  await expect(admin.locator('[data-comment]')).toContainText('Written in good faith', { timeout: 60_000 });
  await page.context().close();
});

test('a comment about a hypothesis that was deleted meanwhile is sent again about another one', async ({
  browser,
}) => {
  await createIncidentHere(admin, 'Wrong track');
  await admin.getByRole('tab', { name: 'Action Plan' }).click();
  await admin.getByRole('button', { name: 'Add a hypothesis below' }).click();
  await admin.getByLabel('New hypothesis').fill('Fibre cut');
  await admin.getByRole('button', { name: 'Add', exact: true }).click();
  // The mark that it waits shows with its row.
  await expect(admin.getByRole('row', { name: 'Fibre cut' })).toBeVisible();
  const page = await openOffline(browser, 'commander', 'Wrong track');
  await page.getByRole('combobox', { name: 'About' }).selectOption({ label: 'Fibre cut' });
  await comment(page, 'No light on port 3');
  await admin
    .getByRole('row', { name: 'Fibre cut' })
    .getByRole('button', { name: 'What can be done with Fibre cut' })
    .click();
  await admin.getByRole('menuitem', { name: 'Delete hypothesis' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(admin.getByRole('row', { name: 'Fibre cut' })).toHaveCount(0);
  // A row that is gone has no mark that it waits.
  const onServer = async () =>
    (await admin.request.get(`${server.url}/api/db/hypotheses?title=eq.Fibre%20cut&select=id`)).json();
  await expect.poll(onServer, { timeout: 60_000 }).toEqual([]);

  await field(page).fill('Something else by now');
  await page.context().setOffline(false);
  await expect(refusedComment(page)).toContainText('This hypothesis no longer exists', {
    timeout: 60_000,
  });
  await expect(refusedComment(page)).toContainText('No light on port 3');
  await expect(field(page)).toHaveValue('Something else by now');
  await field(page).fill('');
  await refusedComment(page).getByRole('button', { name: 'Edit and send again' }).click();
  await expect(field(page)).toHaveValue('No light on port 3');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.locator('[data-comment]')).toContainText('No light on port 3');
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  await expect(refusedComment(page)).toHaveCount(0);
  await page.context().close();
});

test('title and severity that were refused show again what is true, and the outbox has what was wanted', async ({
  browser,
}) => {
  await createIncidentHere(admin, 'As it was');
  const page = await openOffline(browser, 'commander', 'As it was');
  await title(page).fill('As I wanted it');
  await title(page).press('Enter');
  await priority(page).selectOption({ label: 'Critical' });
  await expect(page.getByRole('link', { name: /^Outbox: 2 saved/ })).toBeVisible();
  await changeRole(page, 'commander', 'viewer');

  await expect(page.getByText('2 changes here were refused')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('As it was');
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entries = page.locator('[data-heap="refused"] li');
  await expect(entries).toHaveCount(2);
  await expect(entries.getByText('You are not allowed to do this (any more).')).toHaveCount(2);
  await expect(entries.filter({ hasText: 'As I wanted it' })).toHaveCount(1);
  await expect(entries.filter({ hasText: /critical/i })).toHaveCount(1);
  expect(await findings(page)).toEqual([]);

  // With the role back, the same is done by a press each.
  await changeRole(page, 'commander', 'commander');
  // Until the incident was read again, both are about the title that it had when they were written.
  await expect(entries.getByText('As it was')).toHaveCount(2, { timeout: 60_000 });
  await entries.filter({ hasText: 'As I wanted it' }).getByRole('button', { name: 'Redo' }).click();
  await expect(title(admin)).toHaveValue('As I wanted it', { timeout: 60_000 });
  await entries
    .filter({ hasText: /critical/i })
    .getByRole('button', { name: 'Redo' })
    .click();
  await expect(priority(admin)).toHaveValue('critical', { timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
  await page.context().close();
});
