import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { checkRow, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import type { TargetService } from './support/target-service.ts';
import { prepareTarget } from './support/target-service.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(360_000);

/** How soon a change shows is the bench's to say. */
const SOON = { timeout: 60_000 };

let server: HoldfastServer;
let target: TargetService;
let canaries: string;

const canaryFile = (name: string, url: string) => `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata:
  name: ${name}
  namespace: shop
  labels: { team: checkout }
spec:
  schedule: "@every 2s"
  http:
    - name: ${name}-check
      url: ${url}
`;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  target = await prepareTarget();
  await target.up();
  canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(canaries, 'shop.yaml'), canaryFile('shop', target.url));
  server = await prepareServer({ env: { CANARIES_DIR: canaries } });
  await server.start();
});

test.afterAll(async () => {
  await server.dispose();
  await target.down();
  rmSync(canaries, { recursive: true, force: true });
});

/** The runs of the row are counted in words, have their times under the pointer, and are there without a network. */
async function seesRecentRuns(page: Page): Promise<void> {
  const runs = checkRow(page, 'shop-check').getByRole('img', {
    name: /of \d+ runs healthy, last failure \d+\w ago/,
  });
  await expect(runs).toBeVisible();
  const box = await runs.boundingBox();
  if (box === null) throw new Error('the runs have no place');
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await expect(page.getByRole('tooltip')).toContainText(/^Healthy · .+ ago$/);
  await page.mouse.move(0, 0);
  await waitUntilOfflineReady(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(runs).toBeVisible(SOON);
  await page.context().setOffline(false);
}

test('a service that stops turns its check red on the open page, and green when it is back, without a reload', async ({
  page,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  const row = checkRow(page, 'shop-check');
  await expect(row).toHaveAttribute('data-health', 'healthy', SOON);
  await page.evaluate(() => ((window as { wasLoaded?: boolean }).wasLoaded = true));

  await target.down();
  await expect(row).toHaveAttribute('data-health', 'unhealthy', SOON);
  await target.up();
  await expect(row).toHaveAttribute('data-health', 'healthy', SOON);
  expect(await page.evaluate(() => (window as { wasLoaded?: boolean }).wasLoaded)).toBe(true);
  await seesRecentRuns(page);
});

const FOUR = `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: quartet, namespace: shop }
spec:
  schedule: "@every 2s"
  http:
    - { name: quartet-a, url: "URL" }
    - { name: quartet-b, url: "URL" }
    - { name: quartet-c, url: "URL" }
    - { name: quartet-down, url: "http://127.0.0.1:1/" }
`;

test('the default board of a group with 3 of 4 passing says so, and hides only what passes', async ({
  page,
}) => {
  const file = join(canaries, 'four.yaml');
  writeFileSync(file, FOUR.replaceAll('URL', target.url));
  await signIn(page, server.url, '/health');
  const groups = page.locator('[data-row-kind="group"]');
  const group = groups.filter({ hasText: 'quartet' });
  const checks = page.locator('[data-row-kind="check"]');
  await expect(group).toContainText('3 / 4', SOON);
  await expect(group).toHaveAttribute('data-health', 'warning', SOON);
  await expect(group.getByRole('img', { name: '3 healthy' })).toBeVisible(SOON);
  await expect(group.getByRole('img', { name: '1 unhealthy' })).toBeVisible();
  // A group in which everything passes is hidden whole.
  await expect(groups.filter({ hasText: 'shop' }).filter({ hasNotText: 'quartet' })).toHaveCount(0, SOON);
  await expect(page.getByTestId('totals')).toContainText('passing hidden');
  await group.click();
  await expect(checks).toHaveCount(1);
  await expect(checkRow(page, 'quartet-down')).toHaveAttribute('data-health', 'unhealthy');

  await page.getByText('Hide passing').first().click();
  await expect(checks).toHaveCount(4, SOON);
  await expect(group).toContainText('3 / 4');
  await expect(group).toHaveAttribute('data-health', 'warning');
  // What needs a look stands at the top.
  await expect(groups.first()).toContainText('quartet');
  unlinkSync(file);
  await expect(group).toHaveCount(0, SOON);
});

interface Shift {
  /** The part of the page that it took times how far it went, as browsers count shifts. */
  value: number;
  /** What moved. */
  node: string;
}

/** Less than a row that moves by its height; a figure that gets a digit more while results come in moves itself. */
const ROW_MOVED = 0.001;

test('nothing moves on the board while it starts, with a cached first window and without', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const isBare = sessionStorage.getItem('bare') === 'true';
    for (const key of isBare ? Object.keys(localStorage) : [])
      if (key.startsWith('holdfast.window')) localStorage.removeItem(key);
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    interface Source {
      node: Node | null;
      previousRect: DOMRectReadOnly;
      currentRect: DOMRectReadOnly;
    }
    const watch = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) {
        const { hadRecentInput, sources } = entry as PerformanceEntry & {
          hadRecentInput: boolean;
          sources: Source[];
        };
        // One entry has all that moved in a frame: each is counted by itself.
        for (const { node, previousRect: from, currentRect: to } of hadRecentInput ? [] : sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // The chip in the top bar is as wide as its word.
          if (element?.closest('[data-testid="connectivity"]')) continue;
          const area = from.width * from.height + to.width * to.height;
          const far = Math.max(Math.abs(to.left - from.left), Math.abs(to.top - from.top));
          const value = (area / (innerWidth * innerHeight)) * (far / Math.max(innerWidth, innerHeight));
          shifts.push({ value, node: element?.outerHTML.slice(0, 160) ?? 'removed' });
        }
      }
    };
    new PerformanceObserver(watch).observe({ type: 'layout-shift', buffered: true });
  });
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await expect(checkRow(page, 'shop-check')).toBeVisible(SOON);
  for (const size of [
    { width: 1440, height: 900 },
    { width: 820, height: 1180 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const isBare of [true, false]) {
      const cached = () =>
        page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('holdfast.window:')));
      if (!isBare) await expect.poll(cached, SOON).toBe(true);
      await page.evaluate((bare) => sessionStorage.setItem('bare', String(bare)), isBare);
      await page.reload();
      await expect(checkRow(page, 'shop-check')).toBeVisible(SOON);
      await expect(page.getByTestId('connectivity')).toContainText('Live', SOON);
      const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      const start = `${size.width} px, ${isBare ? 'without' : 'with'} a cached window`;
      expect(sum, `${start}: ${JSON.stringify(shifts)}`).toBeLessThan(ROW_MOVED);
    }
  }
});

test('a canary file that is added, changed, broken and removed shows on the open page', async ({ page }) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await expect(checkRow(page, 'shop-check')).toBeVisible(SOON);
  const file = join(canaries, 'extra.yaml');

  writeFileSync(file, canaryFile('extra', target.url));
  await expect(checkRow(page, 'extra-check')).toBeVisible(SOON);

  writeFileSync(file, canaryFile('extra', target.url).replace('extra-check', 'renamed-check'));
  await expect(checkRow(page, 'renamed-check')).toBeVisible(SOON);
  await expect(checkRow(page, 'extra-check')).toHaveCount(0, SOON);

  writeFileSync(file, canaryFile('extra', target.url).replace('url:', 'ulr:'));
  await expect(page.getByText(/extra\.yaml:\d+/).first()).toBeVisible(SOON);
  await expect(checkRow(page, 'renamed-check')).toBeVisible();
  await expect(checkRow(page, 'shop-check')).toHaveAttribute('data-health', 'healthy', SOON);

  unlinkSync(file);
  await expect(checkRow(page, 'renamed-check')).toHaveCount(0, SOON);
  await expect(page.getByText(/extra\.yaml:\d+/)).toHaveCount(0, SOON);
});

test('the server is killed and started again under the open page, which recovers by itself', async ({
  page,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  const row = checkRow(page, 'shop-check');
  const chip = page.getByTestId('connectivity');
  await expect(chip).toContainText('Live', SOON);
  await expect(row).toBeVisible(SOON);

  await server.kill();
  await expect(chip).toContainText(/unreachable|Offline/, SOON);
  await expect(row).toBeVisible();

  await server.start();
  await expect(chip).toContainText('Live', { timeout: 120_000 });
  await target.down();
  await expect(row).toHaveAttribute('data-health', 'unhealthy', SOON);
  await target.up();
});

test('a part of the page whose file cannot be loaded takes nothing else with it', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.route(/\/assets\/(CheckDrawer|StartCard)-.*\.js/, (route) => route.abort('failed'));
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  const row = checkRow(page, 'shop-check');
  const words = page.getByRole('dialog', { name: 'This page is not stored on this device yet' });
  // The page reloads once for another part that it lacks, and a click just before that is lost with it.
  await expect(async () => {
    if (!(await words.isVisible())) await row.click({ timeout: 1000 });
    await expect(words).toBeVisible({ timeout: 2000 });
  }).toPass(SOON);
  // The page looks once, by itself, whether a reload brings the file.
  await expect(async () => {
    if (await words.isVisible()) await page.keyboard.press('Escape');
    await expect(words).toBeHidden({ timeout: 1000 });
    await expect(row).toBeVisible({ timeout: 1000 });
  }).toPass(SOON);
  await context.close();
});

/** Three signs of life that are missing, and a worker that is asked and given time to answer. */
const SILENCE = { timeout: 120_000 };

test('a page whose workers are gone does not go on calling itself live, and is back with others by itself', async ({
  page,
  context,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  const chip = page.getByTestId('connectivity');
  await expect(chip).toContainText('Live', SOON);
  const devtools = await context.newCDPSession(page);
  const { targetInfos } = await devtools.send('Target.getTargets');
  const workers = targetInfos.filter(({ type }) => type === 'shared_worker');
  expect(workers).toHaveLength(2);
  for (const { targetId } of workers) await devtools.send('Target.closeTarget', { targetId });
  await expect(chip).toContainText('Stale', SILENCE);
  await expect(page.getByTestId('not-current')).toContainText('Not current');
  await expect(chip).toContainText('Live', SILENCE);
  await expect(page.getByTestId('not-current')).toBeHidden();
  await expect(checkRow(page, 'shop-check')).toBeVisible();
});
