/** The first rows of a device that has nothing yet: the server's, until the workers have loaded their own. */
import { expect, test, type Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { fillLogin, signIn, waitUntilLoaded } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(240_000);

const server = fileServer({ args: ['--demo'], roles: ['viewer'] });

const PATH = '/health?hidePassing=false&groupBy=canary_name&sortBy=name';

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  // Another device: before the demo's checks are there, the server has no rows to show.
  const other = await browser.newPage();
  await signIn(other, server.url, PATH, accountOf('viewer'));
  await expect(other.locator('[data-row-kind]').nth(3)).toBeVisible({ timeout: 120_000 });
  await other.context().close();
});

const VISIT = '**/api/first-visit**';

/** Runs in each page before the app: what is said to a worker of that name waits until `releaseWorkers` is called. */
function holdWorkers(names: string[]): void {
  const { SharedWorker: Real } = globalThis;
  const releases: (() => void)[] = [];
  Object.assign(globalThis, { releaseWorkers: () => releases.forEach((release) => release()) });
  globalThis.SharedWorker = class extends Real {
    constructor(...asked: ConstructorParameters<typeof Real>) {
      super(...asked);
      const name = typeof asked[1] === 'object' ? (asked[1].name ?? '') : '';
      if (!names.includes(name)) return;
      const real = this.port;
      const { port1, port2 } = new MessageChannel();
      Object.defineProperty(this, 'port', { value: port1 });
      releases.push(() => {
        port2.addEventListener('message', ({ data, ports }) => real.postMessage(data, [...ports]));
        real.addEventListener('message', ({ data, ports }) => port2.postMessage(data, [...ports]));
        port2.start();
        real.start();
      });
    }
  };
}

const BOTH = ['holdfast-sync', 'holdfast-compute'];
const release = (page: Page) => page.evaluate('releaseWorkers()');
const rowsOf = (page: Page) => page.locator('[data-row-kind]');
/** Of the rows that fit on any screen. */
const names = (page: Page) =>
  rowsOf(page).evaluateAll((rows) =>
    rows.slice(0, 8).map((row) => row.querySelector('[role=gridcell]')?.textContent ?? ''),
  );
const totals = (page: Page) => page.getByRole('heading', { name: 'Health' }).locator('..').innerText();

test('the first rows are right before a worker has said anything, say that it is loading, and stay in place', async ({
  page,
}) => {
  await page.addInitScript(holdWorkers, BOTH);
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const moved = list
        .getEntries()
        .reduce((sum, entry) => sum + (Reflect.get(entry, 'value') as number), 0);
      Object.assign(globalThis, { moved: ((Reflect.get(globalThis, 'moved') as number) ?? 0) + moved });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await signIn(page, server.url, PATH, accountOf('viewer'));
  await expect(rowsOf(page).first()).toBeVisible();
  await expect(page.getByTestId('connectivity')).toContainText('Connecting');
  const before = await names(page);
  expect(before.length).toBeGreaterThan(3);
  const shownTotals = await totals(page);
  await rowsOf(page)
    .first()
    .evaluate((row) => row.setAttribute('data-test-mark', 'first'));
  await page.evaluate(() => Object.assign(globalThis, { moved: 0 }));

  await release(page);
  await waitUntilLoaded(page);
  await expect(page.locator('[data-test-mark="first"]')).toBeVisible();
  expect(await names(page)).toEqual(before);
  expect((await totals(page)).split('\n')[0]).toBe(shownTotals.split('\n')[0]);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'moved') as number)).toBeLessThan(0.05);
});

/** Which incidents are listed, as many as fit on a screen. */
const incidents = (page: Page) =>
  page
    .locator('[data-incident]')
    .evaluateAll((found) => found.slice(0, 8).map((one) => one.getAttribute('data-incident')));

const LISTS = [
  { path: PATH, seen: names },
  { path: '/incidents', seen: incidents },
];
for (const { path, seen } of LISTS) {
  const name = path.split('?')[0];
  test(`${name}: who signs in on a device that has nothing sees rows before the compute worker has answered`, async ({
    page,
  }) => {
    await page.addInitScript(holdWorkers, ['holdfast-compute']);
    await page.goto(`${server.url}${path}`);
    await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
    await fillLogin(page, accountOf('viewer'));
    await expect.poll(() => seen(page), { timeout: 60_000 }).not.toEqual([]);
    const before = await seen(page);
    await release(page);
    await waitUntilLoaded(page);
    expect(await seen(page)).toEqual(before);
  });
}

test('/incidents: a link and a search are answered before a worker has said anything, and stay in place', async ({
  page,
}) => {
  await page.addInitScript(holdWorkers, BOTH);
  await signIn(page, server.url, '/incidents?status=all&sort=newest', accountOf('viewer'));
  await expect.poll(() => incidents(page)).not.toEqual([]);
  await expect(page.getByTestId('connectivity')).toContainText('Connecting');
  const before = await incidents(page);

  const search = page.getByRole('searchbox', { name: 'Search incidents' });
  await search.pressSequentially('nothing is called so');
  await expect.poll(() => incidents(page)).toEqual([]);
  await search.fill('');
  await expect.poll(() => incidents(page)).toEqual(before);

  await release(page);
  await waitUntilLoaded(page);
  expect(await incidents(page)).toEqual(before);
});

test('a server that fails there changes nothing else, and nobody is asked about after signing out', async ({
  page,
}) => {
  let asked = 0;
  await page.route(VISIT, (route) => {
    asked += 1;
    return route.fulfill({ status: 500, json: { error: 'broken' } });
  });
  await signIn(page, server.url, PATH, accountOf('viewer'));
  await expect(rowsOf(page).first()).toBeVisible({ timeout: 60_000 });
  await waitUntilLoaded(page);
  expect(asked).toBeGreaterThan(0);

  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  asked = 0;
  await page.goto(`${server.url}${PATH}`);
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  expect(asked).toBe(0);
});
