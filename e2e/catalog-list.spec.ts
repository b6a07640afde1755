/** The catalog's front on a real server: summary, list, search, filters, insights, scrapers; also with no network. */
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { prepareServer } from './support/holdfast-server.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

// Seeding and the first load take their time on a busy machine.
test.describe.configure({ timeout: 240_000 });

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await prepareServer();
  execFileSync(
    'npm',
    ['run', '--silent', 'seed', '--', '--checks', '5', '--configs', '600', '--changes', '300'],
    { stdio: 'inherit', env: { ...process.env, DATA_DIR: server.dataDir } },
  );
  await server.start();
});
test.afterAll(() => server.dispose());

const rows = (page: Page, kind: 'group' | 'item') => page.locator(`[data-row-kind="${kind}"]`);
const lead = (page: Page) => page.getByRole('status').filter({ hasText: /items?$/ });

async function enter(page: Page, path: string): Promise<void> {
  await logIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

/** Writes through the data API as whoever is signed in on the page. */
async function post(page: Page, table: string, body: unknown): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/db/${table}`, {
    data: body,
    headers: { origin: server.url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function someConfig(page: Page): Promise<{ id: string; name: string }> {
  const answer = await page.request.get(`${server.url}/api/db/configs?select=id,name&order=name&limit=1`);
  const [first] = (await answer.json()) as { id: string; name: string }[];
  if (first === undefined) throw new Error('the seed has no items');
  return first;
}

/** Names of the columns that end beyond the edge of the page. */
function beyond(page: Page): Promise<string[]> {
  return page
    .getByRole('columnheader')
    .evaluateAll((heads) =>
      heads
        .filter((head) => head.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((head) => head.textContent),
    );
}

/** Which row has the focus, counted with the head of the grid; the whole of it is on screen. */
const focusedRow = (page: Page) =>
  page.evaluate(() => {
    const row = document.activeElement?.closest('[aria-rowindex]') ?? null;
    const list = row?.closest('[role=rowgroup]')?.getBoundingClientRect();
    const place = row?.getBoundingClientRect();
    if (row === null || list === undefined || place === undefined) return null;
    const isSeen = place.top >= list.top - 1 && place.bottom <= list.bottom + 1;
    return isSeen ? Number(row.getAttribute('aria-rowindex')) : null;
  });

test('the keys lead from any row to the first and the last one, also where those have to be read first', async ({
  page,
}) => {
  await enter(page, '/catalog?groupBy=none');
  await expect(rows(page, 'item').first()).toBeVisible({ timeout: 60_000 });
  const last = Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'));
  expect(last).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Jump to the list' }).press('Enter');
  for (const [key, row] of [
    ['ArrowDown', 3],
    ['PageDown', 18],
    ['End', last],
    ['ArrowUp', last - 1],
    ['Home', 2],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focusedRow(page), { message: key, timeout: 30_000 }).toBe(row);
  }
});

test('the summary leads to a type, a search narrows it, a filter is in the link, and back finds the way', async ({
  page,
}) => {
  await enter(page, '/catalog');
  await expect(rows(page, 'group').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/30-day changes from the server/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Pod/ }).click();
  await expect(page).toHaveURL(/configType=Kubernetes%3A%3APod/);
  await expect(rows(page, 'item').first()).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search for configs' }).fill('api');
  await expect(rows(page, 'item').first()).toContainText('api');
  await expect(page).toHaveURL(/search=api/);
  await page.getByRole('button', { name: 'Health', exact: true }).click();
  await page.getByRole('button', { name: /^Unhealthy/ }).click();
  await expect(page).toHaveURL(/health=unhealthy%3A1/);
  await page.reload();
  await expect(rows(page, 'item').first()).toContainText('api', { timeout: 60_000 });

  await page.goto(`${server.url}/catalog`);
  await expect(rows(page, 'group').first()).toBeVisible({ timeout: 60_000 });
});

test('a link of a former version with labels in its old form lists what it is about', async ({ page }) => {
  await enter(page, '/catalog?search=catalog&labels=cluster__:__eu-west');
  await expect(rows(page, 'item').first()).toContainText('eu-west', { timeout: 60_000 });
  await expect(lead(page)).toContainText(' of ');
});

test('a pinned type stays first', async ({ page }) => {
  await enter(page, '/catalog?groupBy=type');
  await expect(rows(page, 'group').first()).not.toContainText('Kubernetes::Service', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Pin Kubernetes::Service to the top' }).click();
  await expect(rows(page, 'group').first()).toContainText('Kubernetes::Service');
  await page.reload();
  await expect(rows(page, 'group').first()).toContainText('Kubernetes::Service', { timeout: 60_000 });
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network the catalog is searched and summed up as before, and says whose changes it counts', async ({
    page,
    context,
  }) => {
    await enter(page, '/catalog?groupBy=name');
    await expect(lead(page)).toContainText('600 items', { timeout: 60_000 });
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.goto(`${server.url}/catalog?groupBy=analysis`);
    await expect(rows(page, 'group').first()).toBeVisible({ timeout: 60_000 });
    await page.getByRole('searchbox', { name: 'Search for configs' }).fill('api');
    await expect(rows(page, 'item').first()).toContainText('api');
    await page.goto(`${server.url}/catalog?groupBy=cluster__tag,type`);
    await expect(page.getByText('Changes of the last 7 days, from this device.')).toBeVisible({
      timeout: 60_000,
    });
  });
});

test('an insight shows up on the open page, opens by its link, and leads to its item', async ({ page }) => {
  await enter(page, '/catalog/insights');
  await expect(page.getByText('No open insights')).toBeVisible({ timeout: 60_000 });
  const config = await someConfig(page);
  await post(page, 'config_analysis', {
    config_id: config.id,
    analyzer: 'port-scan',
    analysis_type: 'security',
    severity: 'critical',
    status: 'open',
    summary: 'A port is open',
    message: 'Port 5432 is open to everybody',
    analysis: { port: 5432 },
  });
  const found = page.getByRole('button', { name: config.name });
  await expect(found).toBeVisible({ timeout: 60_000 });
  await found.click();
  const detail = page.getByRole('dialog');
  await expect(detail.getByText('Port 5432 is open to everybody')).toBeVisible();
  await expect(detail.getByText('5432', { exact: true })).toBeVisible();
  await page.reload();
  await expect(detail.getByText('Port 5432 is open to everybody')).toBeVisible({ timeout: 60_000 });
  await expect(detail.getByRole('link', { name: config.name })).toHaveAttribute(
    'href',
    `/catalog/${config.id}`,
  );
  await page.keyboard.press('Escape');
  await expect(detail).toHaveCount(0);
  await page.getByLabel('Severity').selectOption('low');
  await expect(page.getByText('Nothing matches')).toBeVisible();
});

test('on a tablet no column of a list lies beyond its table, and on a phone the filters are in a sheet', async ({
  page,
}) => {
  await page.setViewportSize({ width: 820, height: 1180 });
  await enter(page, '/catalog?groupBy=name');
  const config = await someConfig(page);
  await post(page, 'config_analysis', {
    config_id: config.id,
    analyzer: 'disk-usage',
    analysis_type: 'performance',
    severity: 'low',
    status: 'open',
    summary: 'A disk fills up',
    message: 'Full in a week',
  });
  await post(page, 'config_changes', {
    config_id: config.id,
    change_type: 'diff',
    source: 'kubernetes',
    summary: 'Released registry.example/a-service-with-a-long-name:2.412.0 to every cluster of the estate',
  });
  for (const path of [
    '/catalog',
    '/catalog?groupBy=name',
    '/catalog/insights',
    '/catalog/changes?rangeType=relative&range=now-7d',
  ]) {
    await walkTo(page, path);
    const heads = page.getByRole('columnheader');
    await expect(heads.nth(2)).toBeVisible({ timeout: 60_000 });
    await expect.poll(() => beyond(page), { timeout: 30_000, message: path }).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await walkTo(page, '/catalog/insights');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByLabel('Severity').selectOption('low');
  await sheet.getByRole('button', { name: 'Show the list' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
  await expect(page).toHaveURL(/severity=low/);
});

test('scrapers are listed within the catalog, with their spec and their jobs', async ({ page }) => {
  await enter(page, '/catalog/scrapers');
  await post(page, 'config_scrapers', {
    name: 'local files',
    source: 'UI',
    spec: { schedule: '@every 24h', file: [{ type: 'File', id: '$.id', paths: ['none.json'] }] },
  });
  await page.reload();
  const scraper = page.getByRole('link', { name: 'local files' });
  await expect(scraper).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('cell', { name: '@every 24h' })).toBeVisible();
  await scraper.click();
  await expect(page).toHaveURL(/\/catalog\/scrapers\/[0-9a-f-]+/);
  await expect(page.getByRole('button', { name: 'Run now' })).toBeEnabled({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Job History' }).click();
  await expect(page).toHaveURL(/tab=jobHistory/);
  await walkTo(page, '/catalog/scrapers/30000000-0000-4000-8000-00000000000f');
  await expect(page.getByText('No resources found')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Run now' })).toHaveCount(0);
  await walkTo(page, '/settings/integrations/other/1');
  await expect(page.getByRole('heading', { name: 'Unknown type' })).toBeVisible({ timeout: 60_000 });
});
