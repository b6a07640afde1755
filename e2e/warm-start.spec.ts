/** A start paints what was cached of the page's first window, of whoever is signed in here and of nobody else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { fillLogin, logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(240_000);

let server: HoldfastServer;
const canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
const BROKEN = 53;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  for (let at = 0; at < BROKEN; at += 1)
    writeFileSync(join(canaries, `broken-${at}.yaml`), `kind: Canary\nmetadata:\n  name: broken-${at}\n`);
  server = await prepareServer({ args: ['--demo'], env: { CANARIES_DIR: canaries } });
  await startWithRoles(server, ['viewer']);
});

test.afterAll(async () => {
  await server.dispose();
  rmSync(canaries, { recursive: true, force: true });
});

const PATH = '/health?hidePassing=false&groupBy=canary_name&sortBy=name';

/** Runs in each page before the app: while it is told to, the compute worker never answers. */
function holdCompute(): void {
  const { SharedWorker: Real } = globalThis;
  globalThis.SharedWorker = class extends Real {
    constructor(...asked: ConstructorParameters<typeof Real>) {
      super(...asked);
      const name = typeof asked[1] === 'object' ? asked[1].name : '';
      if (name !== 'holdfast-compute' || sessionStorage.getItem('hold-compute') === null) return;
      Object.defineProperty(this, 'port', { value: new MessageChannel().port1 });
    }
  };
}

/** Runs in each page before the app: notes whether a row was ever there. */
function watchRows(): void {
  new MutationObserver(() => {
    if (document.querySelector('[data-row-kind]') !== null)
      document.documentElement.dataset['hadRows'] = 'yes';
  }).observe(document, { childList: true, subtree: true });
}

/** Runs in each page before the app: notes whether the first that is drawn has rows in it. */
function watchFirstRender(): void {
  const observer = new MutationObserver(() => {
    if ((document.querySelector('#root')?.childElementCount ?? 0) === 0) return;
    observer.disconnect();
    const hasRows = document.querySelector('[data-row-kind]') !== null;
    document.documentElement.dataset['firstRender'] = hasRows ? 'rows' : 'no rows';
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Who answered for the page and its scripts; nothing for the service worker, which is asked where no route says more. */
const sourcesOf = (page: Page) =>
  page.evaluate(() => {
    const answeredBy = (entries: PerformanceEntryList) =>
      new Set(entries.map((entry) => String(Reflect.get(entry, 'workerFinalSourceType'))));
    const scripts = performance
      .getEntriesByType('resource')
      .filter(({ name }) => /assets\/.*\.js$/.test(name));
    return {
      page: [...answeredBy(performance.getEntriesByType('navigation'))],
      scripts: [...answeredBy(scripts)],
    };
  });

const setHold = (page: Page, isHeld: boolean) =>
  page.evaluate((held) => {
    if (held) sessionStorage.setItem('hold-compute', 'yes');
    else sessionStorage.removeItem('hold-compute');
  }, isHeld);

const cachedWindows = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('holdfast.window:')).length);

/** Of the board of checks that is cached; 0 without one. */
const cachedChecks = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.includes(':live-health:'));
    const text = key === undefined ? '' : (localStorage.getItem(key) ?? '');
    return Number(/"checkCount":(\d+)/.exec(text)?.[1] ?? 0);
  });

/** What is cached is up to 15 s old, and the server may have begun with checks only then. */
async function waitUntilBoardIsCached(page: Page): Promise<void> {
  const shown = page.getByRole('listitem').filter({ hasText: /^\d+ checks$/ });
  await expect(async () => {
    const count = Number.parseInt((await shown.first().textContent()) ?? '', 10);
    expect(count).toBeGreaterThan(5);
    expect(await cachedChecks(page)).toBe(count);
  }).toPass({ timeout: 60_000 });
}

const rowsOf = (page: Page) => page.locator('[data-row-kind]');
/** Of the rows that fit on any screen: a strip that says how old it all is takes room from the last ones. */
const names = (page: Page) =>
  rowsOf(page).evaluateAll((rows) =>
    rows.slice(0, 10).map((row) => row.querySelector('[role=gridcell]')?.textContent ?? ''),
  );

test('rows are there before the compute worker has answered, online and offline, and stay in place when it has', async ({
  page,
  context,
}) => {
  await page.addInitScript(holdCompute);
  await page.addInitScript(watchFirstRender);
  await signIn(page, server.url, PATH);
  await waitUntilOfflineReady(page);
  // Until the first load is done, what is cached is of a store that isn't whole.
  await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  await expect.poll(() => rowsOf(page).count(), { timeout: 60_000 }).toBeGreaterThan(5);
  await waitUntilBoardIsCached(page);
  const before = await names(page);

  await setHold(page, true);
  await page.reload();
  await expect(rowsOf(page).first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-first-render', 'rows');
  expect(await sourcesOf(page)).toEqual({ page: [''], scripts: ['cache'] });
  expect(await names(page)).toEqual(before);
  // What isn't cached is said to be on its way, not to be nothing.
  await page.getByPlaceholder('Search by name, description, or endpoint').fill('nothing is called so');
  await expect(rowsOf(page).first()).toBeVisible();

  await context.setOffline(true);
  await page.goto(`${server.url}${PATH}`);
  await expect(rowsOf(page).first()).toBeVisible();
  expect(await names(page)).toEqual(before);

  // As the app's icon opens it.
  await page.goto(`${server.url}/health`);
  await expect(page.getByRole('heading', { name: 'Health' })).toBeVisible();
  expect(await sourcesOf(page)).toEqual({ page: ['cache'], scripts: ['cache'] });

  await page.goto(`${server.url}${PATH}`);
  await setHold(page, false);
  await page.reload();
  await expect(rowsOf(page).first()).toBeVisible();
  await rowsOf(page)
    .first()
    .evaluate((row) => row.setAttribute('data-test-mark', 'first'));
  await context.setOffline(false);
  await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  await expect(page.locator('[data-test-mark="first"]')).toBeVisible();
});

test('what is typed on a first visit is answered by the server, until the device has rows of its own', async ({
  page,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await logIn(page, proxy.url);
    proxy.weather.hold = /^\/api\/sync/;
    await expect(async () => {
      await page.goto(`${proxy.url}/health?hidePassing=false&groupBy=none&sortBy=name`);
      await expect(rowsOf(page).nth(2)).toBeVisible({ timeout: 5000 });
    }).toPass({ timeout: 60_000 });
    const all = await names(page);
    const name = await rowsOf(page).nth(1).getByRole('link').first().textContent();
    const search = page.getByPlaceholder('Search by name, description, or endpoint');
    await search.fill(name ?? '');
    await expect.poll(() => names(page)).not.toEqual(all);
    const found = await names(page);
    expect(found[0]).toContain(name);
    await search.fill('');
    await expect.poll(() => names(page)).toEqual(all);

    await search.fill(name ?? '');
    await expect.poll(() => names(page)).toEqual(found);
    proxy.weather.hold = null;
    await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
    expect(await names(page)).toEqual(found);
  } finally {
    await proxy.stop();
  }
});

test('who signs in after another never sees a row of them, and nothing of them is left in any tab', async ({
  page,
  context,
}) => {
  await page.addInitScript(holdCompute);
  await signIn(page, server.url, PATH);
  await expect.poll(() => cachedWindows(page), { timeout: 60_000 }).toBeGreaterThan(0);
  const other = await context.newPage();
  await other.goto(`${server.url}${PATH}`);
  await expect(rowsOf(other).first()).toBeVisible({ timeout: 60_000 });

  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await expect(other).toHaveURL(/\/login|auth-state/, { timeout: 60_000 });
  await expect.poll(() => cachedWindows(other)).toBe(0);
  await other.close();

  await page.addInitScript(watchRows);
  // The server's own first window is the viewer's: e2e/first-visit.spec.ts.
  await page.route('**/api/first-visit**', (route) => route.abort());
  await setHold(page, true);
  await page.goto(`${server.url}${PATH}`);
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await fillLogin(page, accountOf('viewer'));
  await expect(page.getByRole('heading', { name: 'Health' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('connectivity')).toContainText(/Live|Polling/, { timeout: 60_000 });
  await expect(page.locator('html')).not.toHaveAttribute('data-had-rows', 'yes');
  expect(await cachedWindows(page)).toBe(0);
});

test('canaries that could not be loaded are told of from the first frame on, until somebody leaves', async ({
  page,
}) => {
  await page.addInitScript(holdCompute);
  await signIn(page, server.url, PATH);
  const line = page.locator('summary', { hasText: `${BROKEN} canaries could not be loaded` });
  await line.click({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: /^broken-/ })).toHaveCount(50);
  await expect(page.getByRole('link', { name: 'Show all canaries (3 more)' })).toBeVisible();
  await line.press('Enter');
  await expect(page.getByRole('link', { name: /^broken-/ })).toHaveCount(0);

  await expect.poll(() => cachedWindows(page), { timeout: 60_000 }).toBeGreaterThan(0);
  await page.reload();
  await expect(rowsOf(page).first()).toBeVisible();
  // The worker looks for them seconds later.
  expect(await line.isVisible()).toBe(true);

  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).not.toContain('broken-');
});

const LISTS = [
  { path: '/incidents', rows: '[data-incident]' },
  { path: '/catalog', rows: '[data-row-kind]' },
  { path: '/topology', rows: '#content a[href^="/topology/"]' },
];
for (const { path, rows } of LISTS) {
  test(`${path} shows what it showed last before the compute worker has answered`, async ({ page }) => {
    await page.addInitScript(holdCompute);
    await signIn(page, server.url, path);
    const found = page.locator(rows);
    await expect(found.first()).toBeVisible({ timeout: 120_000 });
    await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
    await expect.poll(() => cachedWindows(page), { timeout: 60_000 }).toBeGreaterThan(0);
    const count = await found.count();
    await setHold(page, true);
    await page.reload();
    await expect(found.first()).toBeVisible();
    await expect(found).toHaveCount(count);
  });
}
