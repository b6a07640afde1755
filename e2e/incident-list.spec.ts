/** The incident list: filters that are links, swipes that can be taken back, and many incidents at once. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { logIn, waitUntilLoaded } from './support/sign-in.ts';

const MANY = 10_000;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.setTimeout(300_000);

async function startWith(incidents: number): Promise<HoldfastServer> {
  const server = await prepareServer();
  const env = { ...process.env, DATA_DIR: server.dataDir };
  const args = ['--checks', '20', '--components', '20', '--incidents', String(incidents)];
  execFileSync('npm', ['run', '--silent', 'seed', '--', ...args], { env });
  await server.start();
  return server;
}

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(400_000);
  server = await startWith(200);
});

test.afterAll(() => server.dispose());

const rows = (page: Page) => page.locator('[data-incident]');
const total = (page: Page) => page.locator('main header').getByRole('status');

/** The list with all that the server has: nothing comes in between what stands there. */
async function openList(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await expect(rows(page).first()).toBeVisible({ timeout: 60_000 });
  await waitUntilLoaded(page);
}

/** The first incident of the list, by its id: another one may be the first later. */
async function firstRow(page: Page): Promise<{ id: string; row: Locator }> {
  const id = (await rows(page).first().getAttribute('data-incident')) ?? '';
  return { id, row: page.locator(`[data-incident="${id}"]`) };
}

/** A finger that goes across a card, which follows as far as `shown`. */
async function swipe(
  context: BrowserContext,
  card: Locator,
  distance: number,
  shown = distance,
): Promise<void> {
  const page = card.page();
  // Where it stands is asked when it stands still.
  await card.click({ trial: true });
  const box = await card.boundingBox();
  if (box === null) throw new Error('no card to swipe');
  const touch = await context.newCDPSession(page);
  const y = box.y + box.height / 3;
  const from = distance > 0 ? 100 : 300;
  const at = (x: number) => ({ touchPoints: [{ x, y }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  const steps = 12;
  for (let step = 1; step <= steps; step += 1)
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      ...at(from + (distance * step) / steps),
    });
  await expect(card.locator('article')).toHaveAttribute('style', new RegExp(`translateX\\(${shown}px\\)`));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const serverStatus = (page: Page, id: string) =>
  page.evaluate(
    async (asked) => (await (await fetch(`/api/db/incidents?id=eq.${asked}&select=status`)).json())[0].status,
    id,
  );

test('every filter is in the link', async ({ page }) => {
  await logIn(page, server.url);
  await openList(page, '/incidents');
  const open = await total(page).innerText();
  await page.getByRole('combobox', { name: 'Severity' }).selectOption('critical');
  await expect(page).toHaveURL(/severity=critical/);
  await expect(total(page)).not.toHaveText(open);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('all');
  await expect(page).toHaveURL(/status=all/);
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('oldest');
  await expect(page).toHaveURL(/sort=oldest/);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Severity' })).toHaveValue('critical');
  await expect(rows(page).first()).toContainText('Critical');
});

test('the owner and the component are found by typing, and narrow the list', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/incidents?status=all`);
  await expect(total(page)).toHaveText('200 incidents', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Commander: All' }).click();
  await page.getByRole('searchbox', { name: 'Search people' }).fill('tom');
  await page.getByRole('dialog', { name: 'Commander' }).getByRole('button', { name: 'Tom Okafor' }).click();
  await expect(page).toHaveURL(/owner=[0-9a-f-]{36}/);
  await expect(total(page)).not.toHaveText('200 incidents', { timeout: 30_000 });
  await expect(rows(page).first()).toBeVisible();

  const incidentId = await rows(page).first().getAttribute('data-incident');
  const component = await page.evaluate(async (id) => {
    const ask = async (path: string) => (await (await fetch(`/api/db/${path}`)).json())[0];
    const found = await ask('components?limit=1&select=id,name,parent_id&parent_id=not.is.null');
    const hypothesis = await ask(`hypotheses?limit=1&select=id&incident_id=eq.${id}`);
    const body = {
      hypothesis_id: hypothesis.id,
      component_id: found.id,
      type: 'topology',
      description: 'here',
    };
    const answer = await fetch('/api/db/evidences', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return found as { id: string; name: string; parent_id: string };
  }, incidentId);
  // Of what it is a part of, too: the numbers on a card are those of the component with its parts.
  await page.goto(`${server.url}/incidents?status=all&component=${component.parent_id}`);
  await expect(total(page)).toHaveText('1 incident', { timeout: 60_000 });
  await page.goto(`${server.url}/incidents?status=all&component=${component.id}`);
  await expect(total(page)).toHaveText('1 incident', { timeout: 60_000 });
  await rows(page).first().getByRole('link').first().click();
  await expect(page.getByRole('list', { name: 'Components' }).getByRole('link')).toContainText(
    component.name,
  );
});

test('links of older pages open the same list', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/incidents?type=Cost&severity=Medium&status=OPEN`);
  await expect(page.getByRole('combobox', { name: 'Severity' })).toHaveValue('medium', { timeout: 60_000 });
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('cost');
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('open');
});

test('a swipe moves an incident on, and Undo takes it back before anything left the device', async ({
  browser,
}) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await logIn(page, server.url);
  // The offer ends after eight seconds: the page that is looked at meanwhile is on the device by then.
  await page.goto(`${server.url}/outbox`);
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
  await openList(page, '/incidents');
  const { id, row } = await firstRow(page);
  await swipe(context, row, 140);
  await expect(row).toHaveCount(0);
  // Goes on being offered elsewhere in the app.
  await page.getByRole('link', { name: /^Outbox/ }).click();
  await expect(page.locator('[data-heap="kept"] li')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible();
  expect(await serverStatus(page, id)).toBe('open');
  await page.goBack();
  await expect(row).toHaveCount(1);

  // Nobody takes it back: it arrives by itself.
  await swipe(context, row, 140);
  await expect(row).toHaveCount(0);
  await expect.poll(() => serverStatus(page, id), { timeout: 60_000 }).toBe('investigating');

  // Not far enough is nothing; what the transition table forbids says so.
  await openList(page, '/incidents?status=closed');
  const closed = await firstRow(page);
  await swipe(context, closed.row, 140, 44);
  await expect(page.getByText('An incident that is closed can only be reopened')).toBeVisible();
  await expect(closed.row).toHaveCount(1);
  await context.close();
});

test('a swipe to the left asks for the definition of done where there are evidences, and Skip resolves', async ({
  browser,
}) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await logIn(page, server.url);
  await openList(page, '/incidents?sort=oldest');
  const { id, row } = await firstRow(page);
  await swipe(context, row, -140);
  const dialog = page.getByRole('dialog', { name: 'Add contributing factors to definition of done' });
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(dialog.or(undo)).toBeVisible();
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(undo).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect.poll(() => serverStatus(page, id), { timeout: 60_000 }).toBe('resolved');
  await context.close();
});

test('the status menu and the keys do what a swipe does', async ({ page }) => {
  await logIn(page, server.url);
  await openList(page, '/incidents');
  await page.locator('main').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(rows(page).nth(1).locator('[data-row-link]')).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows(page).first().locator('[data-row-link]')).toBeFocused();
  const { row } = await firstRow(page);
  await row.getByRole('button', { name: /^Open: change the status of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Investigating' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Create New Incident' })).toBeVisible();
});

test('a form that was put away by a slip is still there, and a link brings its own text', async ({
  page,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/incidents?create=true`);
  await page.getByLabel('Title').fill('Half a thought');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'New incident' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Half a thought');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await page.goto(`${server.url}/incidents?create=true&title=Disk%20full&description=on%20db-1`);
  await expect(page.getByLabel('Title')).toHaveValue('Disk full');
  await expect(page.getByLabel('Description')).toHaveValue('on db-1');
});

test.describe('with ten thousand incidents', () => {
  let large: HoldfastServer;
  test.beforeAll(async () => {
    test.setTimeout(600_000);
    large = await startWith(MANY);
  });
  test.afterAll(() => large.dispose());

  test('the list narrows with what is typed', async ({ page }) => {
    await logIn(page, large.url);
    await page.goto(`${large.url}/incidents?status=all`);
    await expect(total(page)).toHaveText(`${MANY.toLocaleString()} incidents`, { timeout: 180_000 });
    const search = page.getByRole('searchbox', { name: 'Search incidents' });
    // How long a key takes is the bench's to say (npm run bench -- --only=incidents).
    await search.pressSequentially('backup');
    await expect(total(page)).not.toHaveText(`${MANY.toLocaleString()} incidents`, { timeout: 60_000 });
    await expect(rows(page).first()).toBeVisible();
    await expect(page).toHaveURL(/search=backup/);
  });
});
