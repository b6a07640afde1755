/** Incidents of a stock server, which has neither commands nor a change log: read, discussed, moved on, refused. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startStockBackend, type StockBackend } from './support/stock-backend.ts';

test.setTimeout(300_000);

let engine: HoldfastServer;
let backend: StockBackend;
let front: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  engine = await prepareServer();
  await engine.start();
  backend = await startStockBackend(engine.url);
  front = await prepareServer({ env: { BACKEND_URL: backend.url } });
  await front.start();
});

test.afterEach(() => {
  backend.refusal = null;
});

test.afterAll(async () => {
  await front.dispose();
  await backend.stop();
  await engine.dispose();
});

const comments = (page: Page) => page.locator('[data-comment]');
const field = (page: Page) => page.getByLabel('Comment', { exact: true });
const statusOf = (page: Page) => page.getByRole('combobox', { name: 'Status', exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
/** A message at the edge of the screen: what it is about may say the same for a moment. */
const toast = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

const ask = async (page: Page, path: string): Promise<unknown> =>
  (await page.request.get(`${front.url}/api/db/${path}`)).json();

/** What was written has arrived, and the list of the server has shown it. */
const settled = (page: Page) => expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });

test('a list, a page, a comment, a hypothesis and a status, all by the plain contract', async ({ page }) => {
  await logIn(page, front.url);
  await createIncident(page, front.url, 'Stock server is slow');
  await numbered(page);
  const id = idOf(page);
  await comment(page, 'Seen from the office');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await page.getByRole('button', { name: 'Add a hypothesis below' }).click();
  await page.getByLabel('New hypothesis').fill('Disk full');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('row', { name: 'Disk full' })).toBeVisible();
  await statusOf(page).selectOption({ label: 'Investigating' });
  // A choice is sent a moment later: until then nothing says that something waits.
  await expect
    .poll(() => ask(page, `incidents?id=eq.${id}&select=title,status,comments(comment),hypotheses(title)`), {
      timeout: 60_000,
    })
    .toMatchObject([
      {
        title: 'Stock server is slow',
        status: 'investigating',
        comments: [{ comment: 'Seen from the office' }],
        hypotheses: expect.arrayContaining([{ title: 'Disk full' }]),
      },
    ]);
  await settled(page);
  expect(backend.unknown).toContain('/capabilities');

  await page.goto(`${front.url}/incidents?status=investigating`);
  const row = page.locator('[data-incident]');
  await expect(row).toContainText('Stock server is slow', { timeout: 60_000 });
  await row.getByRole('link').first().click();
  await expect(comments(page)).toContainText('Seen from the office', { timeout: 60_000 });
});

test('a comment that the server refuses comes back into its field with the server’s words', async ({
  page,
}) => {
  await logIn(page, front.url);
  await createIncident(page, front.url, 'No comment');
  await numbered(page);
  backend.refusal = {
    what: /^POST \/db\/comments/,
    status: 403,
    message: 'Comments are closed during the freeze',
  };
  await field(page).fill('Am I heard?');
  await send(page).click();
  await expect(toast(page, 'Comments are closed during the freeze')).toBeVisible({ timeout: 60_000 });
  await expect(field(page)).toHaveValue('Am I heard?');
  await expect(comments(page)).toHaveCount(0);
  // It is in the field alone.
  await expect(page.getByText('One change here was refused')).toHaveCount(0);

  backend.refusal = null;
  await send(page).click();
  await expect(comments(page)).toContainText('Am I heard?');
  await settled(page);
  await expect
    .poll(() => ask(page, `comments?incident_id=eq.${idOf(page)}&select=comment`), { timeout: 60_000 })
    .toEqual([{ comment: 'Am I heard?' }]);
});

test('a status that the server refuses shows again what is true, and says that it failed', async ({
  page,
}) => {
  await logIn(page, front.url);
  await createIncident(page, front.url, 'Stays as it is');
  await numbered(page);
  backend.refusal = { what: /^PATCH \/db\/incidents/, status: 400, message: 'A review is needed first' };
  await statusOf(page).selectOption({ label: 'Investigating' });
  await expect(toast(page, /Incident status updated failed/)).toBeVisible({ timeout: 60_000 });
  await expect(statusOf(page)).toHaveValue('open');
  await page.getByRole('link', { name: 'See it in the outbox' }).click();
  const entry = page.locator('[data-heap="refused"] li');
  await expect(entry).toContainText('A review is needed first');
  backend.refusal = null;
  await entry.getByRole('button', { name: 'Redo' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
  await page.goBack();
  await expect(statusOf(page)).toHaveValue('investigating', { timeout: 60_000 });
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was changed meanwhile is seen before it would be overwritten', async ({ page, context }) => {
    await logIn(page, front.url);
    await createIncident(page, front.url, 'As it was');
    await numbered(page);
    await settled(page);
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Mine');
    await title.press('Enter');
    await expect(page.locator('[data-pending="kept"]').first()).toBeVisible();
    const theirs = await page.request.patch(`${engine.url}/api/db/incidents?id=eq.${idOf(page)}`, {
      headers: { origin: engine.url },
      data: { title: 'Theirs' },
    });
    expect(theirs.ok(), await theirs.text()).toBe(true);
    await context.setOffline(false);
    await expect(page.getByText('One change here was refused')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('link', { name: 'See it in the outbox' }).click();
    await expect(
      page.locator('[data-heap="refused"] li').getByRole('row', { name: 'Title Mine Theirs' }),
    ).toBeVisible({ timeout: 60_000 });
  });
});

test('what the server refuses of evidence is there again, each with the words of what failed', async ({
  page,
}) => {
  await logIn(page, front.url);
  await createIncident(page, front.url, 'Proof');
  await numbered(page);
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await page.getByRole('button', { name: 'Add evidence' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Comment/ }).click();
  await dialog.getByLabel('What was seen').fill('Smoke');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const evidence = page.locator('[data-evidence]');
  await expect(evidence).toContainText('Smoke');
  await settled(page);
  const choose = async (name: string) => {
    await evidence.getByRole('button', { name: 'Actions of this evidence' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  backend.refusal = { what: /^(PATCH|DELETE) \/db\/evidences/, status: 403, message: 'Not in this state' };
  await choose('Add to definition of done');
  await expect(toast(page, 'Marking evidence as part of definition of done failed')).toBeVisible({
    timeout: 60_000,
  });
  await expect(evidence.getByText('Definition of done', { exact: true })).toHaveCount(0);
  await choose('Remove');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(toast(page, 'Evidence delete failed')).toBeVisible({ timeout: 60_000 });
  await expect(evidence).toContainText('Smoke');
  await expect(page.getByText('2 changes here were refused')).toBeVisible();

  backend.refusal = null;
  await choose('Add to definition of done');
  await expect(evidence.getByText('Definition of done', { exact: true })).toBeVisible();
  await settled(page);
  backend.refusal = { what: /^PATCH \/db\/evidences/, status: 403, message: 'Not in this state' };
  await choose('Remove from definition of done');
  await expect(toast(page, 'Removing evidence from definition of done failed')).toBeVisible({
    timeout: 60_000,
  });
  await expect(evidence.getByText('Definition of done', { exact: true })).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('with clusters behind the server, the kubeconfig dialog gives the file, the command and, without a network, the reason', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, front.url);
    await page.getByRole('button', { name: /^Profile of/ }).click();
    await page.getByRole('menuitem', { name: 'Download kubeconfig' }).click({ timeout: 60_000 });
    const modal = page.getByRole('dialog', { name: 'Download kubeconfig' });
    const link = modal.getByRole('link', { name: 'Make a kubeconfig file' });
    await expect(link).toHaveAttribute('href', '/api/kubeconfig');
    await modal.getByRole('button', { name: 'Copy' }).click();
    await expect(modal.getByRole('status').filter({ hasText: 'Copied to clipboard' })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('localhost-kubeconfig.yaml');
    await context.setOffline(true);
    await expect(modal.getByRole('button', { name: 'Make a kubeconfig file' })).toBeDisabled({
      timeout: 60_000,
    });
    await expect(modal.getByText(/There is no connection to the server/)).toBeVisible();
    await context.setOffline(false);
  });
});

test('a server that refuses every form is not asked for ever: its reason is said, and Retry works once it is well', async ({
  page,
}) => {
  const error = { id: 'security_csrf_violation', message: 'Forms are not made at night' };
  const what = /self-service\/login\/browser/;
  backend.refusal = { what, status: 403, message: error.message, body: { error } };
  await page.goto(`${front.url}/login`);
  await expect(page.getByText('Forms are not made at night')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Loading the form')).toBeHidden();
  backend.refusal = {
    what,
    status: 500,
    message: '',
    body: { error: { message: 'The forms are out of ink' } },
  };
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('The forms are out of ink')).toBeVisible({ timeout: 60_000 });
  backend.refusal = null;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible({ timeout: 60_000 });
});
