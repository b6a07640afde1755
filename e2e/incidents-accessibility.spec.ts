/** Every state of the incident screens, looked through by axe: nothing serious or critical. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { findingsInColors } from './support/findings.ts';
import { ADMIN, prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { signIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

const SIZES = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const NOBODY = '0192d5a4-0000-7000-8000-00000000dead';

test.setTimeout(600_000);

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(400_000);
  server = await prepareServer();
  const env = { ...process.env, DATA_DIR: server.dataDir };
  const args = ['--checks', '20', '--components', '20', '--incidents', '60'];
  execFileSync('npm', ['run', '--silent', 'seed', '--', ...args], { env });
  await startWithRoles(server, ['viewer']);
});

test.afterAll(() => server.dispose());

/** Serious and critical findings of the page as it is now, light and dark, and whether it is wider than its window. */
async function lookThrough(page: Page, state: string): Promise<void> {
  expect.soft(await findingsInColors(page), state).toEqual([]);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.soft.poll(overflow, `${state}: wider than its window`).toBeLessThanOrEqual(0);
}

async function open(browser: Browser, size: keyof typeof SIZES, account = ADMIN) {
  const context = await browser.newContext(SIZES[size]);
  const page = await context.newPage();
  await signIn(page, server.url, '/incidents', account);
  await expect(page.locator('[data-incident]').first()).toBeVisible({ timeout: 60_000 });
  return { context, page };
}

async function firstIncident(page: Page): Promise<string> {
  return `/incidents/${await page.locator('[data-incident]').first().getAttribute('data-incident')}`;
}

test('list and page on a desk have no serious findings, light or dark', async ({ browser }) => {
  const { context, page } = await open(browser, 'desk');
  const address = await firstIncident(page);
  await lookThrough(page, 'list');
  await page.getByRole('button', { name: 'Commander: All' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search people' })).toBeVisible();
  await lookThrough(page, 'owner');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Open: change/ })
    .first()
    .click();
  await expect(page.getByRole('menuitemradio', { name: 'Investigating' })).toBeVisible();
  await lookThrough(page, 'status menu');
  await walkTo(page, '/incidents?search=nothing-is-called-so');
  await expect(page.getByText('There are no incidents matching this criteria')).toBeVisible({
    timeout: 60_000,
  });
  await lookThrough(page, 'empty');
  await walkTo(page, '/incidents?create=true');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await lookThrough(page, 'create, refused');
  for (const [tab, panel] of [
    ['comments', 'details'],
    ['plan', 'done'],
    ['plan', 'changelog'],
  ]) {
    await walkTo(page, `${address}?tab=${tab}&panel=${panel}`);
    await expect(page.getByRole('tabpanel')).toBeVisible({ timeout: 60_000 });
    await lookThrough(page, `${tab} with ${panel}`);
  }
  await walkTo(page, `/incidents/${NOBODY}`);
  await expect(page.getByRole('heading', { name: 'Incident not found' })).toBeVisible({ timeout: 60_000 });
  await lookThrough(page, 'not found');
  await context.close();
});

test('list and page on a phone have no serious findings, light or dark', async ({ browser }) => {
  const { context, page } = await open(browser, 'phone');
  const address = await firstIncident(page);
  await lookThrough(page, 'cards');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByRole('dialog', { name: 'Filter' })).toBeVisible();
  await lookThrough(page, 'filter sheet');
  await walkTo(page, '/incidents?create=true');
  await expect(page.getByRole('dialog', { name: 'Create New Incident' })).toBeVisible();
  await lookThrough(page, 'create');
  for (const tab of ['comments', 'plan', 'details', 'done', 'changelog']) {
    await walkTo(page, `${address}?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible({ timeout: 60_000 });
    await lookThrough(page, tab);
  }
  await page.getByRole('button', { name: 'Status' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the status' })).toBeVisible();
  await lookThrough(page, 'status sheet');
  await context.close();
});

test('a viewer is offered nothing that would be refused', async ({ browser }) => {
  const { context, page } = await open(browser, 'phone', accountOf('viewer'));
  const address = await firstIncident(page);
  await expect(page.getByRole('button', { name: 'New incident' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /change the status/ })).toHaveCount(0);
  await lookThrough(page, 'cards of a viewer');
  await walkTo(page, `${address}?tab=details`);
  await expect(page.getByRole('tabpanel')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('toolbar').getByRole('button')).toHaveText(['Share']);
  await lookThrough(page, 'page of a viewer');
  await context.close();
});
