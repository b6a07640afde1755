/** A start paints the page as it looked last before any script of the app has run, and the app puts its own in that place. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(240_000);

const MARKUP = 'shop <img src=x onerror="window.pwned=1"> & co';
/** `text` is in a frame once the page has its rows. */
const LISTS = [
  { path: '/health', rows: '[data-row-kind]', text: 'data-row-kind' },
  { path: '/incidents', rows: '[data-incident]', text: 'data-incident' },
  { path: '/catalog', rows: '[data-row-kind]', text: 'data-row-kind' },
  { path: '/topology', rows: '#content a[href^="/topology/"]', text: 'shop <img' },
];

const server = fileServer({ args: ['--demo'] });
/** Runs in each page before the app: while it is told to, the document never gets to the app's own script. */
function holdApp(): void {
  if (sessionStorage.getItem('hold-app') === null) return;
  const { setTimeout: later } = globalThis;
  const held: (() => void)[] = [];
  Object.assign(globalThis, {
    requestAnimationFrame: (run: () => void) => held.push(run),
    setTimeout: (run: () => void) => held.push(run),
    goOn: () => {
      for (const run of held.splice(0)) later(run);
    },
  });
}

/** Runs in each page before the app: adds up how far things were shifted below the top bar. */
function watchShifts(): void {
  document.documentElement.dataset['shift'] = '0';
  const isShift = (
    entry: PerformanceEntry,
  ): entry is PerformanceEntry & { value: number; sources: { node: Node | null }[] } =>
    entry.entryType === 'layout-shift';
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!isShift(entry)) continue;
      const isBelow = entry.sources.some(
        ({ node }) => node?.parentElement?.closest('header[class*=top]') === null,
      );
      const { dataset } = document.documentElement;
      if (isBelow) dataset['shift'] = String(Number(dataset['shift']) + entry.value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Opens it with the app held. */
async function openHeld(page: Page, path: string): Promise<void> {
  await page.evaluate(() => sessionStorage.setItem('hold-app', 'yes'));
  await page.goto(`${server.url}${path}`);
}

async function goOn(page: Page): Promise<void> {
  await page.evaluate('sessionStorage.removeItem("hold-app"); goOn()');
}

const frameOf = (page: Page) => page.locator('#root > [inert]');

/** The stored frame of that page, as text; empty without one. */
const storedFrame = (page: Page, path: string) =>
  page.evaluate((ending) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith(ending));
    return key === undefined ? '' : (localStorage.getItem(key) ?? '');
  }, `:frame:${path}`);

/** Waits until what is stored of the page has that in it. */
async function waitUntilStored(page: Page, path: string, text: string): Promise<void> {
  await expect.poll(() => storedFrame(page, path), { timeout: 60_000 }).toContain(text);
}

/** Up to when the stored frame says how checks are. */
async function setTime(page: Page, path: string, untilMs: number): Promise<void> {
  await page.evaluate(
    ([ending, until]) => {
      const key = Object.keys(localStorage).find((name) => name.endsWith(String(ending))) ?? '';
      const [head = '', body = ''] = (localStorage.getItem(key) ?? '').split('\n');
      const text = body.replace(/"untilMs":\d+/, `"untilMs":${until}`);
      localStorage.setItem(key, `${head.split(' ')[0]} ${text.length}\n${text}`);
    },
    [`:frame:${path}`, untilMs],
  );
}

async function addComponent(page: Page): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/db/components`, {
    headers: { origin: server.url },
    data: { name: MARKUP, external_id: 'markup', type: 'Service', status: 'unhealthy' },
  });
  expect(answer.ok()).toBe(true);
}

test('each list is painted as it was, without what was true only then, and the app takes its place', async ({
  page,
  context,
}) => {
  await page.addInitScript(holdApp);
  await page.addInitScript(watchShifts);
  await signIn(page, server.url, '/health');
  await waitUntilOfflineReady(page);
  await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  await addComponent(page);
  for (const { path, rows, text } of LISTS) {
    await page.goto(`${server.url}${path}`);
    await expect(page.locator(rows).first()).toBeVisible({ timeout: 60_000 });
    await waitUntilStored(page, path, text);
  }

  for (const isOffline of [false, true]) {
    await context.setOffline(isOffline);
    for (const { path, rows } of LISTS) {
      await openHeld(page, path);
      const frame = frameOf(page);
      await expect(frame.locator(rows).first()).toBeVisible();
      await expect(frame.getByTestId('connectivity')).toBeHidden();
      // Nothing in it can be reached.
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
      if (path === '/topology') await expect(frame.getByText(MARKUP)).toBeVisible();

      await goOn(page);
      await expect(frame).toHaveCount(0);
      await expect(page.locator(rows).first()).toBeVisible();
      expect(Number(await page.locator('html').getAttribute('data-shift'))).toBeLessThan(0.02);
    }
  }
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
});

test('what a frame says of health is blank once a check may be overdue, and ages go on', async ({ page }) => {
  await page.addInitScript(holdApp);
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await waitUntilStored(page, '/health?hidePassing=false&groupBy=none', 'Healthy');
  for (const path of ['/health?hidePassing=false&groupBy=none', '/topology']) {
    if (path === '/topology') {
      await page.goto(`${server.url}${path}`);
      await waitUntilStored(page, path, '/topology/');
    }
    await openHeld(page, path);
    const claims = frameOf(page).locator('#content [data-frame=health]');
    await expect(claims.first()).toBeVisible();
    await setTime(page, path, 1);
    await page.reload();
    await expect(frameOf(page).locator('#content a').first()).toBeVisible();
    expect(await claims.count()).toBeGreaterThan(5);
    expect(await frameOf(page).locator('#content').innerText()).not.toMatch(/healthy|\d passing|\d%/i);
    await goOn(page);
    await expect(page.locator('#content').getByText('Healthy').first()).toBeVisible({ timeout: 60_000 });
  }
});

test('a tablet, a phone and an empty list begin with their frame while the server is down', async ({
  page,
}) => {
  const empty = '/health?query=nothing+is+called+so';
  await page.addInitScript(holdApp);
  await signIn(page, server.url, '/health');
  await waitUntilOfflineReady(page);
  for (const [width, height] of [
    [820, 1180],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/health', empty]) {
      await page.goto(`${server.url}${path}`);
      await waitUntilStored(page, path, `"widthPx":${width}`);
    }
    await server.kill();
    for (const path of ['/health', empty]) {
      await openHeld(page, path);
      const shown = (parent: Page | Locator) =>
        path === empty ? parent.getByText('No checks match') : parent.locator('[data-row-kind]');
      await expect(shown(frameOf(page)).first()).toBeVisible();
      await goOn(page);
      await expect(frameOf(page)).toHaveCount(0);
      await expect(shown(page).first()).toBeVisible();
    }
    await server.start();
  }
});

test('of who signs out no frame is left', async ({ page }) => {
  await page.addInitScript(holdApp);
  await signIn(page, server.url, '/health');
  await waitUntilStored(page, '/health', 'data-row-kind');
  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  expect(await storedFrame(page, '/health')).toBe('');
  await openHeld(page, '/health');
  await expect(frameOf(page)).toHaveCount(0);
});
