/** The topology on a real server with 2,000 components: cards, a component's page, graph and tree; also with no network. */
import { execFileSync } from 'node:child_process';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { findings } from './support/findings.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';
import { CHANGES, IDS, writeTopology } from './support/topology-estate.ts';

// Seeding and the first load take their time on a busy machine.
test.describe.configure({ timeout: 240_000 });

let server: HoldfastServer;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(400_000);
  server = await prepareServer();
  execFileSync(
    'npm',
    ['run', '--silent', 'seed', '--', '--checks', '10', '--configs', '60', '--components', '2000'],
    { stdio: 'inherit', env: { ...process.env, DATA_DIR: server.dataDir } },
  );
  await server.start();
  const page = await browser.newPage();
  await logIn(page, server.url);
  await page.goto(`${server.url}/help`);
  await writeTopology(page);
  await page.close();
});
test.afterAll(() => server.dispose());

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const cards = (page: Page) => page.getByRole('article');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search components' });
const PAYMENTS = `/topology/${IDS.payments}`;

async function open(page: Page, path: string): Promise<void> {
  await logIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

/** A panel's heading, which opens it. */
const panel = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}( [\\d,]+)?$`) });

async function section(page: Page, name: string): Promise<Locator> {
  await panel(page, name).click();
  await expect(panel(page, name)).toHaveAttribute('aria-expanded', 'true');
  return page.getByRole('list', { name });
}

test('/ leads to the cards; the worst come first, and those further down are there when they are reached', async ({
  page,
}) => {
  await open(page, '/');
  await expect(page).toHaveURL(`${server.url}/topology`, { timeout: 60_000 });
  await expect(cards(page).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('main').getByRole('status').first()).toContainText(/\d+ of 2,007 components/);
  await expect(cards(page).first()).toHaveAttribute('data-health', 'unhealthy');
  // Only what is on screen is in the page.
  expect(await cards(page).count()).toBeLessThan(40);
  const list = page.locator('[data-virtuoso-scroller]');
  for (let turn = 0; turn < 12; turn += 1) {
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await page.waitForTimeout(150);
  }
  await expect(cards(page).last()).toHaveAttribute('data-health', 'healthy');
});

test('filters, a search and an order narrow and arrange the cards and stand in the link', async ({
  page,
}) => {
  await open(page, '/topology?type=System,Cluster');
  await expect(cards(page)).toHaveCount(2, { timeout: 60_000 });
  await expect(card(page, 'payments')).toHaveAttribute('data-health', 'unhealthy');
  await page.goto(`${server.url}/topology?labels=team=platform`);
  await expect(cards(page)).toHaveCount(1, { timeout: 60_000 });
  await expect(card(page, 'cluster-eu')).toBeVisible();
  await page.goto(`${server.url}/topology?team=payments-team`);
  await expect(card(page, 'payments')).toBeVisible({ timeout: 60_000 });
  await expect(cards(page)).toHaveCount(1);
  await page.goto(`${server.url}/topology?status=unhealthy&search=checkout-worker`);
  await expect(cards(page)).toHaveCount(1, { timeout: 60_000 });
  await search(page).fill('no such thing');
  await expect(page.getByText('There are no components matching this criteria')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page).toHaveURL(`${server.url}/topology`);

  await search(page).fill('status-page');
  await expect(card(page, 'status-page').getByRole('img', { name: 'Hidden' })).toBeVisible();
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('switch', { name: 'Show hidden components' }).click();
  await expect(page).toHaveURL(/showHiddenComponents=no/);
  await expect(card(page, 'status-page')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Show hidden components' }).click();
  await expect(card(page, 'status-page')).toBeVisible();

  await page.goto(`${server.url}/topology?type=System,Cluster`);
  await expect(cards(page)).toHaveCount(2, { timeout: 60_000 });
  await expect(cards(page).first()).toHaveAccessibleName('payments');
  await page.getByLabel('Sort by').selectOption('name');
  await expect(page).toHaveURL(/sortBy=name&sortOrder=asc/);
  await expect(cards(page).first()).toHaveAccessibleName('cluster-eu');
  // This device remembers it, and a link need not say it.
  await page.goto(`${server.url}/topology?type=System,Cluster`);
  await expect(cards(page).first()).toHaveAccessibleName('cluster-eu', { timeout: 60_000 });
  await page.getByLabel('Sort by').selectOption('status');
  await expect(page).not.toHaveURL(/sortBy/);
  await expect(cards(page).first()).toHaveAccessibleName('payments');
});

test('a card says its properties by their rules, its findings with links, and its parts', async ({
  page,
}) => {
  await open(page, '/topology?type=System');
  const payments = card(page, 'payments');
  await expect(payments).toContainText('Two of six workers restart', { timeout: 60_000 });
  for (const text of ['3.20 of 4.00', '1.8k', '80% of 100 GB', '0.42%', 'eu-west-1']) {
    await expect(payments).toContainText(text);
  }
  await expect(payments).not.toContainText('nobody sees this');
  await expect(payments.locator('[data-high="true"]').first()).toHaveText('3.20 of 4.00');
  // What else is said of one is there for a finger and for the keyboard, too.
  await payments.getByRole('button', { name: 'Region' }).press('Enter');
  await expect(page.getByText('Where most buyers are')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Where most buyers are')).toBeHidden();
  await expect(payments.getByRole('link', { name: 'Grafana' })).toHaveAttribute(
    'href',
    'https://grafana.example.com/d/1',
  );
  await expect(payments.getByRole('link', { name: '1 critical security insight' })).toHaveAttribute(
    'href',
    `/catalog/insights?component=${IDS.payments}&type=security&severity=critical`,
  );
  await expect(payments.getByRole('link', { name: '3 medium, low cost insights' })).toHaveAttribute(
    'href',
    `/catalog/insights?component=${IDS.payments}&type=cost&severity=medium%2Clow`,
  );
  await expect(payments).toContainText('3 parts');
  await payments.getByRole('link', { name: 'ledger Healthy' }).click();
  await expect(page).toHaveURL(`${server.url}/topology/${IDS.ledger}?type=System`);

  await page.goto(`${server.url}/topology?type=System`);
  await expect(payments).toHaveAttribute('data-size', 'extra_large', { timeout: 60_000 });
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('radio', { name: 'Small' }).click();
  await expect(payments).toHaveAttribute('data-size', 'small');
  await expect(payments.getByRole('link', { name: /^\+\d+ more propert(y|ies)$/ })).toHaveAttribute(
    'href',
    new RegExp(`^/topology/${IDS.payments}`),
  );
  const slider = page.getByRole('slider', { name: 'Card width' });
  await expect(slider).toHaveAttribute('min', '250');
  await expect(slider).toHaveAttribute('max', '768');
  await slider.fill('400');
  expect(await page.evaluate(() => localStorage.getItem('topology_card_width'))).toContain('400');
  await page.reload();
  await expect(payments).toHaveAttribute('data-size', 'large', { timeout: 60_000 });
});

test('every panel of a component has what belongs to it, one is open at a time', async ({ page }) => {
  await open(page, PAYMENTS);
  await expect(page.getByRole('heading', { name: 'payments', level: 1 })).toBeVisible({ timeout: 60_000 });
  await expect(card(page, 'checkout-worker')).toHaveAttribute('data-health', 'unhealthy');
  const details = page.getByRole('complementary', { name: 'About this component' });
  // Five facts and six properties, until more are asked for.
  await expect(details.getByText('vpc-0a12')).toHaveCount(0);
  await expect(details.getByRole('button', { name: /^Show \d+ more$/ })).toHaveCount(2);
  await details
    .getByRole('button', { name: /^Show \d+ more$/ })
    .last()
    .click();
  await expect(details.getByText('vpc-0a12')).toBeVisible();

  await expect(await section(page, 'Catalog')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Catalog' }).getByRole('listitem')).toHaveCount(2);
  await expect(details.getByText('Show fewer')).toHaveCount(0);
  // Pages of 50 (spec 2 §9), the next one as the end comes near.
  const changes = await section(page, 'Changes');
  await expect(changes.getByRole('listitem')).toHaveCount(50);
  await expect(changes).toContainText('replicas 3 to 5');
  await expect(details.getByRole('button', { name: `Show ${CHANGES - 50} more` })).toBeVisible();
  await changes.getByRole('listitem').last().scrollIntoViewIfNeeded();
  await expect(changes.getByRole('listitem')).toHaveCount(CHANGES);
  await expect((await section(page, 'Checks')).getByRole('listitem')).toHaveCount(3);
  await expect(await section(page, 'Teams')).toContainText('payments-team');
  await expect(await section(page, 'Insights')).toContainText('Image is old');
  await panel(page, 'Playbook runs').click();
  await expect(page.getByText('No playbook was run on it in the last 7 days.')).toBeVisible();
  await panel(page, 'Incidents').click();
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('open');
  await expect(details.locator('[aria-expanded="true"]')).toHaveCount(1);
  await expect(page).toHaveURL(/panel=incidents/);
});

test('a catalog item is linked from a card and unlinked, a snapshot is saved as a file', async ({ page }) => {
  await open(page, '/topology?type=Cluster');
  await card(page, 'cluster-eu')
    .getByRole('button', { name: 'Actions of cluster-eu' })
    .click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'Link to catalog' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link to catalog item: cluster-eu' });
  await expect(dialog.getByRole('radio')).toHaveCount(50, { timeout: 60_000 });
  await expect(dialog.getByText('Showing 50 of 60')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Link' })).toBeDisabled();
  await dialog.getByRole('radio').first().check();
  await dialog.getByRole('button', { name: 'Link' }).click();
  await expect(page.getByText('config link successful')).toBeVisible();
  await page.goto(`${server.url}/topology/${IDS.cluster}?panel=catalog`);
  const list = page.getByRole('list', { name: 'Catalog' });
  await expect(list.getByRole('listitem')).toHaveCount(1, { timeout: 60_000 });
  await list.getByRole('button', { name: /^Unlink/ }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('Deleted config link successfully')).toBeVisible();
  await expect(page.getByText('No catalog item is linked to this component.')).toBeVisible({
    timeout: 60_000,
  });

  await page.getByRole('button', { name: 'Actions of this component' }).click();
  await page.getByRole('menuitem', { name: 'Download snapshot' }).click();
  await expect(page.getByLabel('Time range')).toHaveValue('15m');
  await page.getByRole('switch', { name: 'Include related components' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await saved).suggestedFilename()).toBe('cluster-eu-snapshot.zip');
});

test('graph and tree show the same by keyboard, and a part says through which component one came', async ({
  page,
}) => {
  await open(page, `/topology/${IDS.cluster}`);
  await card(page, 'ledger').getByRole('link', { name: 'ledger', exact: true }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(new RegExp(`refererId=${IDS.cluster}`));
  await expect(page.getByRole('navigation', { name: 'Path' })).toHaveText(/Topology.*cluster-eu.*ledger/);

  await page.goto(`${server.url}${PAYMENTS}?view=graph`);
  const root = page.locator(`[data-card="${IDS.payments}"]`);
  await expect(root).toBeVisible({ timeout: 60_000 });
  await root.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).not.toHaveAttribute('data-card', IDS.payments);

  await page.getByRole('radio', { name: 'Outline' }).click();
  const tree = page.getByRole('tree');
  const lines = tree.getByRole('treeitem');
  await expect(lines).toHaveCount(4);
  await lines.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^checkout-worker Unhealthy/);
  await page.keyboard.press('End');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^ledger Healthy/);
  await page.keyboard.press('ArrowRight');
  await expect(lines).toHaveCount(5);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^ledger-replica/);
  await expect(page.locator(':focus')).toHaveAttribute('aria-level', '3');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(lines).toHaveCount(4);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'ledger', level: 1 })).toBeVisible();
});

test('a change of a part reaches everything above it on the open page; a card that moves under the finger opens no other', async ({
  page,
}) => {
  await open(page, '/topology?type=System,Cluster');
  await expect(card(page, 'cluster-eu')).toHaveAttribute('data-health', 'healthy', { timeout: 60_000 });
  const change = (health: string) =>
    page.request.patch(`${server.url}/api/db/components?id=eq.${IDS.ledger}`, {
      data: { health, status: health },
      headers: { origin: server.url },
    });
  await expect(cards(page).first()).toHaveAccessibleName('payments');
  await card(page, 'payments').getByRole('link', { name: 'payments', exact: true }).hover();
  await page.mouse.down();
  await change('unhealthy');
  await expect(card(page, 'cluster-eu')).toHaveAttribute('data-health', 'unhealthy', { timeout: 60_000 });
  await expect(cards(page).first()).toHaveAccessibleName('cluster-eu');
  await page.mouse.up();
  await expect(page).toHaveURL(`${server.url}/topology?type=System,Cluster`);
  await change('healthy');
  await expect(card(page, 'cluster-eu')).toHaveAttribute('data-health', 'healthy', { timeout: 60_000 });
});

test('a component alone on a page, and what is no component', async ({ page }) => {
  await open(page, `/view/topology/${IDS.payments}`);
  await expect(card(page, 'payments')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await card(page, 'checkout-api').getByRole('link', { name: 'checkout-api' }).click();
  await expect(page).toHaveURL(/\/view\/topology\//);
  await page.goto(`${server.url}/view/topology/${IDS.incident}`);
  await expect(page.getByText('Component not found')).toBeVisible({ timeout: 60_000 });
  await page.goto(`${server.url}/topology/${IDS.incident}`);
  await expect(page.getByRole('heading', { name: 'Component not found' })).toBeVisible({ timeout: 60_000 });
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network the topology is what it was, and what needs the server says so', async ({
    page,
    context,
  }) => {
    await open(page, PAYMENTS);
    await expect(card(page, 'checkout-worker')).toBeVisible({ timeout: 60_000 });
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.reload();
    await expect(card(page, 'checkout-worker')).toBeVisible({ timeout: 60_000 });
    await expect((await section(page, 'Catalog')).getByRole('listitem')).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Link to catalog' })).toBeDisabled();
    await page.goto(`${server.url}/topology?type=System`);
    await expect(cards(page)).toHaveCount(1, { timeout: 60_000 });
    await page.goto(`${server.url}${PAYMENTS}?view=outline`);
    await expect(page.getByRole('treeitem').first()).toBeVisible({ timeout: 60_000 });
  });
});

for (const [width, height] of [
  [1440, 900],
  [820, 1180],
  [390, 844],
] as const) {
  test(`at ${width} pixels nothing is cut, and nobody is shut out`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await logIn(page, server.url);
    for (const path of [
      '/topology',
      '/topology?view=outline',
      PAYMENTS,
      `${PAYMENTS}?view=graph`,
      `${PAYMENTS}?view=outline&panel=catalog`,
    ]) {
      await (path === '/topology' ? page.goto(`${server.url}${path}`) : walkTo(page, path));
      await expect(page.locator('article, [role="treeitem"], [data-card]').first()).toBeVisible({
        timeout: 60_000,
      });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(overflow, path).toBeLessThanOrEqual(0);
      expect(await findings(page), path).toEqual([]);
    }
  });
}
