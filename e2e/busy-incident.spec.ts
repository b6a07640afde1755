/** An incident that much was said about: opens at the newest, pages back, and writing in it waits for nobody. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { logIn, signIn } from './support/sign-in.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.setTimeout(240_000);

const MANY = 300;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const server = fileServer({ roles: ['commander'] });
let address: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const page = await browser.newPage();
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Everybody talks');
  await numbered(page);
  address = page.url();
  await fill(page, new URL(address).pathname.split('/').at(-1) ?? '');
  await page.close();
});

/** A minute apart, the last of them a minute ago. */
async function fill(page: Page, incidentId: string): Promise<void> {
  const ask = async (path: string) =>
    (await (await page.request.get(`${server.url}/api/db/${path}`)).json()) as Record<string, string>[];
  const [root] = await ask(`hypotheses?incident_id=eq.${incidentId}&select=id,created_by`);
  const of = { incident_id: incidentId, created_by: root?.['created_by'] };
  const at = (place: number) => new Date(Date.now() - (MANY - place + 1) * 60_000).toISOString();
  const headers = { origin: server.url };
  const data = Array.from({ length: MANY }, (_, place) => ({
    ...of,
    created_at: at(place),
    hypothesis_id: root?.['id'],
    comment: `Word number ${place + 1}.`,
  }));
  // No statement may take long, on a busy machine either.
  for (let start = 0; start < MANY; start += 50) {
    const part = data.slice(start, start + 50);
    const said = await page.request.post(`${server.url}/api/db/comments`, { headers, data: part });
    expect(said.status(), await said.text()).toBe(201);
  }
  // Histories are the database's own: each change makes one.
  for (let place = 0; place < MANY; place += 1) {
    const changed = await page.request.patch(`${server.url}/api/db/incidents?id=eq.${incidentId}`, {
      headers,
      data: { status: ['investigating', 'mitigated', 'open'][place % 3] },
    });
    expect(changed.ok(), await changed.text()).toBe(true);
  }
}

const comments = (page: Page) => page.locator('[data-comment]');
const field = (page: Page) => page.getByLabel('Comment', { exact: true });

test('comments and the changelog begin with the newest, the older ones are a press away', async ({
  page,
}) => {
  await logIn(page, server.url);
  await page.goto(address);
  await expect(comments(page).first()).toContainText(`Word number ${MANY}.`, { timeout: 60_000 });
  await expect(comments(page)).toHaveCount(100, { timeout: 60_000 });
  await expect(page.getByText(`1–100 of ${MANY}`)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(comments(page).first()).toContainText(`Word number ${MANY - 100}.`);
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(comments(page).last()).toContainText('Word number 1.');
  await expect(page.getByRole('button', { name: 'Older' })).toBeDisabled();

  await page.goto(`${address}?panel=changelog`);
  const events = page.locator('[data-event]');
  await expect(events).toHaveCount(100, { timeout: 60_000 });
  const log = page.getByRole('complementary', { name: 'About the incident' });
  for (const next of ['101–200', '201–300', '301–']) {
    await log.getByRole('button', { name: 'Older' }).click();
    // Pressed again before the page has turned, it would lead to the same page.
    await expect(log.getByText(next)).toBeVisible();
  }
  await expect(log.getByRole('button', { name: 'Older' })).toBeDisabled();
  await expect(events.first()).toBeVisible();
});

test('a link to an old comment opens the page that it is on', async ({ page }) => {
  await signIn(page, server.url);
  const answer = await page.request.get(
    `${server.url}/api/db/comments?comment=eq.Word%20number%2042.&select=id`,
  );
  const [{ id }] = (await answer.json()) as [{ id: string }];
  await page.goto(`${address}?comment=${id}`);
  const focused = page.locator(`[data-comment="${id}"]`);
  await expect(focused).toBeInViewport({ timeout: 60_000 });
  await expect(focused).toHaveAttribute('aria-current', 'true');
});

test('what is written stands there before the server knows, mentions are offered, what others say is on top', async ({
  page,
  browser,
}) => {
  const proxy = await startWeatherProxy(server.url);
  const context = await browser.newContext(PHONE);
  const phone = await context.newPage();
  await signIn(phone, server.url, new URL(address).pathname, accountOf('commander'));
  await expect(comments(phone).first()).toContainText(`Word number ${MANY}.`, { timeout: 60_000 });
  await logIn(page, proxy.url);
  await page.goto(proxy.url + new URL(address).pathname);
  await expect(comments(page)).toHaveCount(100, { timeout: 60_000 });

  await field(page).pressSequentially('Ask @comm');
  const list = page.getByRole('listbox', { name: 'People to mention' });
  await expect(list.getByRole('option')).toHaveCount(1, { timeout: 60_000 });
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue(/^Ask @\S.* $/);
  await field(page).pressSequentially('whether it is over');
  // No answer reaches the page: what shows now shows by itself.
  proxy.weather.hold = /^\/api/;
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(comments(page).first()).toContainText('whether it is over');
  await expect(comments(page).first().locator('[data-pending]')).toBeVisible();
  proxy.weather.hold = null;
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  await expect(comments(phone).first()).toContainText('whether it is over', { timeout: 60_000 });
  await field(phone).fill('It is');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(comments(phone).first()).toContainText('It is');
  await expect(comments(page).first()).toContainText('It is', { timeout: 60_000 });
  await context.close();
  await page.close();
  await proxy.stop();
});

test('read on one device is read on the other: the mark in the list and the count in the shell', async ({
  browser,
}) => {
  const devices = await Promise.all(
    [1, 2].map(async () => {
      const page = await (await browser.newContext()).newPage();
      await signIn(page, server.url, '/incidents', accountOf('commander'));
      await expect(page.locator('[data-incident]')).toHaveCount(1, { timeout: 60_000 });
      return page;
    }),
  );
  const [one, two] = devices;
  if (one === undefined || two === undefined) throw new Error('no devices');
  // It concerns who took part.
  await one.goto(address);
  await comment(one, 'I am on it');
  await expect(one.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  await one.goto(`${server.url}/incidents`);
  const author = await (await browser.newContext()).newPage();
  await logIn(author, server.url);
  await author.goto(address);
  await expect(comments(author).first()).toBeVisible({ timeout: 60_000 });
  await field(author).fill('One more thing');
  await author.getByRole('button', { name: 'Send', exact: true }).click();
  for (const device of devices) {
    await expect(device.locator('[data-unread]')).toBeVisible({ timeout: 60_000 });
    await expect(device.getByTestId('inbox-count')).toBeVisible({ timeout: 60_000 });
  }
  await one.locator('[data-incident]').getByRole('link').first().click();
  await expect(comments(one).first()).toContainText('One more thing', { timeout: 60_000 });
  await expect(one.getByTestId('inbox-count')).toBeHidden({ timeout: 60_000 });
  await expect(two.locator('[data-unread]')).toHaveCount(0, { timeout: 60_000 });
  await expect(two.getByTestId('inbox-count')).toBeHidden({ timeout: 60_000 });
  for (const device of [...devices, author]) await device.context().close();
});
