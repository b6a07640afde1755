/** Notifications from the screens: a rule, what it tells, the send history, silences with their preview; also offline. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startLocalServer, type LocalServer } from '../server/catalog/scrapers/testing/local-server.ts';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { checkRow, logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';
import type { TargetService } from './support/target-service.ts';
import { prepareTarget } from './support/target-service.ts';

test.setTimeout(480_000);

const SOON = { timeout: 90_000 };
let server: HoldfastServer;
let target: TargetService;
let hook: LocalServer;
let canaries: string;
let hookStatus = 200;

const CANARY = `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: shop, namespace: shop, labels: { team: checkout } }
spec:
  schedule: "@every 2s"
  http:
    - { name: shop-check, url: "URL" }
`;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  target = await prepareTarget();
  await target.up();
  hook = await startLocalServer(() => ({ status: hookStatus, body: 'as you like' }));
  canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(canaries, 'shop.yaml'), CANARY.replace('URL', target.url));
  server = await prepareServer({ env: { CANARIES_DIR: canaries, EGRESS_ALLOW: 'loopback' } });
  await startWithRoles(server, ['viewer']);
});

test.afterAll(async () => {
  await server.dispose();
  await target.down();
  await hook.close();
  rmSync(canaries, { recursive: true, force: true });
});

const told = () => hook.asked.map(({ body }) => (JSON.parse(body) as { title: string }).title);
const notification = (page: Page, status: string) =>
  page.locator('[data-row-kind="notification"]').filter({ has: page.locator(`[data-status="${status}"]`) });

async function makeRule(page: Page): Promise<void> {
  await page.goto(`${server.url}/notifications/rules`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add rule' });
  // What the server would refuse is refused here, each at its field.
  await form.getByLabel('Filter', { exact: true }).fill('check.name ==');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/Name at least one event/)).toBeVisible();
  await expect(form.getByText('Choose who is told')).toBeVisible();
  await expect(form.getByText(/Can not be read/)).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await form.getByLabel('Checks failed').check();
  await form.getByRole('radio', { name: 'Others' }).click();
  await form.getByLabel('Address', { exact: true }).fill(hook.url);
  await form.getByLabel('Filter', { exact: true }).fill('check.name == "shop-check"');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('table', { name: 'Rules of notifications' })).toContainText('check.failed');

  // Somebody else saves it while it is edited: what is typed stays, and the form says that it would be written over.
  const found = await page.request.get(`${server.url}/api/db/notifications?select=id&deleted_at=is.null`);
  const [rule] = (await found.json()) as { id: string }[];
  await page.goto(`${server.url}/notifications/rules?id=${rule?.id}`);
  const edit = page.getByRole('dialog', { name: 'Rule' });
  await edit.getByLabel('Title', { exact: true }).fill('typed');
  const meanwhile = await page.request.patch(`${server.url}/api/db/notifications?id=eq.${rule?.id}`, {
    headers: { origin: server.url },
    data: { group_by: ['type'] },
  });
  expect(meanwhile.ok()).toBe(true);
  await expect(edit.getByText(/was changed meanwhile/)).toBeVisible(SOON);
  await expect(edit.getByLabel('Title', { exact: true })).toHaveValue('typed');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await expect(edit).toBeHidden();
}

test('a rule is made, a check dies, the message arrives once, and the history says how; what fails is sent again', async ({
  page,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await expect(checkRow(page, 'shop-check')).toHaveAttribute('data-health', 'healthy', SOON);
  await makeRule(page);
  await target.down();
  await expect.poll(told, SOON).toEqual(['Check shop-check has failed']);

  await page.getByRole('link', { name: 'Send history' }).click();
  const row = notification(page, 'sent');
  await expect(row).toContainText('shop-check', SOON);
  await expect(row).toContainText('check.failed');
  await row.getByRole('button', { name: 'shop-check' }).click();
  const sheet = page.getByRole('dialog', { name: 'Notification' });
  await expect(sheet.getByRole('link', { name: 'shop-check' })).toHaveAttribute('href', /checkId=/);
  await expect(sheet.getByRole('table')).toContainText('sent');
  await expect(sheet.locator('pre')).toContainText('Canary: shop');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');

  // The service refuses for good; once it takes messages again, one press sends it.
  hookStatus = 400;
  await target.up();
  await walkTo(page, '/health?hidePassing=false&groupBy=none');
  await expect(checkRow(page, 'shop-check')).toHaveAttribute('data-health', 'healthy', SOON);
  await target.down();
  await walkTo(page, '/notifications?status=error:1');
  await expect(notification(page, 'error')).toHaveCount(1, SOON);
  await notification(page, 'error').getByRole('button', { name: 'shop-check' }).click();
  await expect(sheet.getByRole('table')).toContainText('400');
  hookStatus = 200;
  await sheet.getByRole('button', { name: 'Send again' }).click();
  await expect(sheet.locator('[data-status="sent"]')).toBeVisible(SOON);
  // What it told of is still so: who sees it says that he knows, and takes it back.
  await sheet.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('menuitem', { name: /^1 hour, until/ }).click();
  await expect(sheet.getByText(/^Snoozed by .* until/)).toBeVisible(SOON);
  await sheet.getByRole('button', { name: 'Tell again' }).click();
  await expect(sheet.getByRole('button', { name: 'Acknowledge' })).toBeVisible(SOON);
  expect(told()).toHaveLength(3);
  expect(new Set(told())).toEqual(new Set(['Check shop-check has failed']));
});

test('a silence says beforehand what it would have hidden, marks what it covers, silences, and is changed and deleted', async ({
  page,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await checkRow(page, 'shop-check').click();
  await page.getByRole('link', { name: 'Silence', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'New silence' })).toBeVisible();
  const preview = page.getByRole('region', { name: 'What this would do' });
  await expect(preview).toContainText('Would have hidden 2 notifications in 7 days, of 2', SOON);
  await expect(preview).toContainText('Covers 1 check');
  await page.getByLabel('Expression', { exact: true }).fill('check.name == "another"');
  await expect(preview).toContainText('Would have hidden 0 notifications', SOON);
  await page.getByLabel('Expression', { exact: true }).fill('check.labels.team == "checkout"');
  await expect(preview).toContainText('Would have hidden 2 notifications', SOON);
  await page.getByLabel('Reason', { exact: true }).fill('deploy');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();

  const table = page.getByRole('table', { name: 'Silences' });
  await expect(table).toContainText('shop-check', SOON);
  await expect(table).toContainText('Silent now');
  await walkTo(page, '/health?hidePassing=false&groupBy=none');
  await expect(checkRow(page, 'shop-check').getByText(/^Silenced until/)).toBeAttached(SOON);

  const before = told().length;
  await target.up();
  await expect(checkRow(page, 'shop-check')).toHaveAttribute('data-health', 'healthy', SOON);
  await target.down();
  await walkTo(page, '/notifications');
  await notification(page, 'silenced').getByRole('button', { name: 'shop-check' }).click(SOON);
  expect(told()).toHaveLength(before);

  // From the reason to the silence itself: hours that do not hold now, shown as they will be.
  await page.getByRole('link', { name: 'Silenced by this silence' }).click();
  const form = page.getByRole('dialog', { name: 'Silence' });
  await form.getByRole('button', { name: 'Add hours' }).click();
  await form.getByLabel('Start', { exact: true }).fill('03:00');
  await form.getByLabel('End', { exact: true }).fill('03:01');
  await form.getByLabel('For', { exact: true }).selectOption({ label: '7 days' });
  await expect(form.getByText('Next times')).toBeVisible();
  await expect(form.getByRole('listitem')).toHaveCount(3);
  // Somebody else saves it meanwhile: what is typed stays, and the form says that it would be written over.
  const meanwhile = await page.request.patch(
    `${server.url}/api/db/notification_silences?deleted_at=is.null`,
    {
      headers: { origin: server.url },
      data: { description: 'longer deploy' },
    },
  );
  expect(meanwhile.ok()).toBe(true);
  await expect(form.getByText(/was changed meanwhile/)).toBeVisible(SOON);
  await expect(form.getByLabel('Start', { exact: true })).toHaveValue('03:00');
  await form.getByRole('button', { name: 'Update' }).click();
  await expect(form).toBeHidden();
  await expect(table).toContainText('Outside its hours', SOON);
  await table.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing is silenced.')).toBeVisible(SOON);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network history and silences are there, and a silence waits; a viewer is offered nothing', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url, '/notifications');
    await expect(notification(page, 'sent').first()).toBeVisible(SOON);
    await waitUntilOfflineReady(page);
    await page.goto(`${server.url}/notifications/silences/add?check_id=none`);
    await expect(page.getByRole('heading', { name: 'New silence' })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('radio', { name: 'By labels or expression' }).click();
    await page.getByLabel('Labels', { exact: true }).fill('team=checkout');
    const preview = page.getByRole('region', { name: 'What this would do' });
    await expect(preview).toContainText('Would have hidden 2 notifications', SOON);
    await page.getByLabel('Keep it until it can be sent').check(SOON);
    await page.getByRole('button', { name: 'Save' }).click();
    const table = page.getByRole('table', { name: 'Silences' });
    await expect(table).toContainText('Labels team=checkout');
    await expect(table.locator('[data-pending]')).toBeVisible();
    // Of a rule there is what its list has; its services are on the server.
    await page.getByRole('link', { name: 'Rules' }).click();
    const rules = page.getByRole('table', { name: 'Rules of notifications' });
    await rules.locator('[data-row-link]').first().click();
    const facts = page.getByRole('dialog', { name: 'Rule' });
    await expect(facts).toContainText('check.name == "shop-check"');
    await expect(facts).toContainText('read from the server');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Send history' }).click();
    await expect(notification(page, 'sent').first()).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Silences' }).click();
    await expect(table.locator('[data-pending]')).toHaveCount(0, SOON);

    await context.clearCookies();
    await logIn(page, server.url, accountOf('viewer'));
    await page.goto(`${server.url}/notifications/silences`);
    await expect(table).toContainText('Labels team=checkout', SOON);
    await expect(page.getByRole('link', { name: 'Add silence' })).toHaveCount(0);
    await expect(table.getByRole('button', { name: 'Delete' })).toHaveCount(0);
    await page.goto(`${server.url}/notifications/rules`);
    await expect(page.getByRole('table', { name: 'Rules of notifications' })).toContainText(
      'check.failed',
      SOON,
    );
    await expect(page.getByRole('button', { name: 'Add rule' })).toHaveCount(0);
    await page.goto(`${server.url}/notifications?status=error:1`);
    await page.goto(`${server.url}/health?hidePassing=false&groupBy=none`);
    await checkRow(page, 'shop-check').click();
    await expect(page.getByRole('heading', { name: 'shop-check' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Silence', exact: true })).toHaveCount(0);
  });
});
