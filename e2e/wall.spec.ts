/**
 * The wall as an appliance: paired by a code, read at 1080p, 4K and on a tablet, told apart without colour, honest when
 * the line is cut, and back by itself after power cuts. WALL_POWER_CUTS=50 is the long form (docs/wall.md).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test, type Locator, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { findings } from './support/findings.ts';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { difference, inkOf } from './support/ink.ts';
import { expectTold, nameOf, OTHER, readEntries, TOLD_BESIDE, type Reading } from './support/read-states.ts';
import { isCookieWritten, cachedFiles } from './support/browser-files.ts';
import { logIn } from './support/sign-in.ts';
import { tellFigure } from './support/tell-figure.ts';
import { prepareTarget, type TargetService } from './support/target-service.ts';
import { isVersionWaiting, lookForVersion, settleVersion } from './support/waiting-version.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(360_000);
test.describe.configure({ mode: 'serial' });

const SOON = { timeout: 60_000 };
const POWER_CUTS = Number(process.env['WALL_POWER_CUTS'] ?? 2);
const IS_LONG = POWER_CUTS > 2;
const GOAL_MS = 15_000;
/** Where nobody else uses the machine it is 15 s; a shared one gets time. */
const BACK = { timeout: 60_000 };

let server: HoldfastServer;
let target: TargetService;
let canaries: string;
let profile: string;
let screen: Page | null = null;

const canary = (
  name: string,
  url: string,
  { schedule = '@every 2s', namespace = 'shop', facts = '' } = {},
) => `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: ${name}, namespace: ${namespace}${facts} }
spec:
  schedule: "${schedule}"
  http:
    - { name: ${name}-check, url: "${url}" }
`;

/** A screen as it hangs there: a browser of its own with a profile that outlives it. */
async function powerOn(): Promise<Page> {
  const context = await chromium.launchPersistentContext(profile, {
    ...config.use?.launchOptions,
    viewport: { width: 1920, height: 1080 },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  screen = page;
  await page.goto(`${server.url}/wall`);
  return page;
}

/** Without goodbye, as when the plug is pulled. */
async function powerCut(): Promise<void> {
  const context = screen?.context();
  screen = null;
  const session = await context?.browser()?.newBrowserCDPSession();
  if (context === undefined || session === undefined) return;
  await Promise.all([
    new Promise((resolve) => context.on('close', resolve)),
    session.send('Browser.crash').catch(() => undefined),
  ]);
}

const wall = (page: Page) => page.getByTestId('wall');

test.beforeAll(async () => {
  test.setTimeout(240_000);
  target = await prepareTarget();
  await target.up();
  canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  profile = mkdtempSync(join(tmpdir(), 'holdfast-wall-'));
  writeFileSync(join(canaries, 'shop.yaml'), canary('shop', target.url));
  writeFileSync(join(canaries, 'broken.yaml'), canary('broken', 'http://127.0.0.1:9/'));
  server = await prepareServer({ env: { CANARIES_DIR: canaries } });
  await server.start();
});

test.afterAll(async () => {
  await powerCut();
  await server.dispose();
  await target.down();
  for (const folder of [canaries, profile]) rmSync(folder, { recursive: true, force: true });
});

test('a screen shows a code, an administrator confirms it, and the board comes up by itself', async ({
  page,
}) => {
  const wallPage = await powerOn();
  const code = await wallPage.getByTestId('pairing-code').textContent(SOON);
  await logIn(page, server.url);
  // As on the phone that read the QR code.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/settings/walls?pair=${code ?? ''}`);
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Code')).toHaveValue(code ?? '');
  await form.getByLabel(/name of the screen/i).fill('Control room');
  await form.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(wall(wallPage)).toBeVisible(SOON);
  await expect(wall(wallPage)).toHaveAttribute('data-stale', 'false', SOON);
  await expect(wallPage.getByText('shop', { exact: true })).toBeVisible(SOON);
  await expect(page.getByRole('row', { name: /Control room/ })).toBeVisible(SOON);
  await page.getByRole('button', { name: 'Change Control room' }).click();
  await page.getByRole('dialog').getByLabel('Say aloud which check it is').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden(SOON);
});

test('what starts to fail is named on the whole screen and spoken where that was chosen; the board is quiet before', async () => {
  const page = screen ?? (await powerOn());
  await page.evaluate(() => {
    const told: string[] = [];
    Reflect.set(globalThis, 'told', told);
    Reflect.set(speechSynthesis, 'speak', ({ text }: SpeechSynthesisUtterance) => told.push(text));
    Reflect.set(navigator.wakeLock, 'request', (what: string) => {
      told.push(`wake lock: ${what}`);
      return Promise.reject(new Error('none here'));
    });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const told = () => page.evaluate(() => String(Reflect.get(globalThis, 'told')));
  await expect(page.getByTestId('wall-news')).toBeHidden();
  expect(await told()).toBe('wake lock: screen');
  await target.down();
  await expect(page.getByTestId('wall-news')).toContainText('shop-check', SOON);
  await expect.poll(told, SOON).toContain('shop-check');
  await target.up();
});

test('no size scrolls, and every text of a board can be read from five metres', async () => {
  const page = screen ?? (await powerOn());
  for (const [width, height] of [
    [1920, 1080],
    [3840, 2160],
    [1180, 820],
    [820, 1180],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(page.getByText('shop', { exact: true })).toBeVisible(SOON);
    const found = await page.evaluate(() => {
      const root = document.querySelector('[data-testid="wall"]');
      const texts = [...(root?.querySelectorAll('h2, li, strong, footer span') ?? [])];
      const sizes = texts.map((one) => Number.parseFloat(getComputedStyle(one).fontSize));
      const { scrollWidth, scrollHeight } = document.documentElement;
      const isScrolled = scrollWidth > window.innerWidth || scrollHeight > window.innerHeight;
      return { isScrolled, smallest: Math.min(...sizes), count: sizes.length };
    });
    expect(found, `${width}×${height}`).toMatchObject({ isScrolled: false });
    expect(found.count).toBeGreaterThan(5);
    // 2 % of the smaller side: 22 px at 1080p, which is 11 mm on a screen of 55 inches.
    expect(found.smallest, `${width}×${height}`).toBeGreaterThanOrEqual(Math.min(width, height) * 0.02);
  }
  await page.setViewportSize({ width: 1920, height: 1080 });
});

test(`${POWER_CUTS} power cuts, some of them without a server: back on the board without a sign-in`, async () => {
  test.setTimeout(360_000 + POWER_CUTS * 20_000);
  const backMs: number[] = [];
  for (let cut = 1; cut <= POWER_CUTS; cut += 1) {
    const isOffline = cut % 5 === 0 || cut === POWER_CUTS;
    if (cut === 1) {
      await expect.poll(() => cachedFiles(screen), SOON).toBeGreaterThan(20);
      await expect.poll(() => isCookieWritten(profile), SOON).toBe(true);
    }
    await powerCut();
    if (isOffline) await server.kill();
    const fromMs = Date.now();
    const page = await powerOn();
    await expect(page.getByText('shop', { exact: true }), `cut ${cut}`).toBeVisible(BACK);
    backMs.push(Date.now() - fromMs);
    // What was known before is not the present: without a server it is striped.
    await expect(wall(page)).toHaveAttribute('data-stale', String(isOffline), SOON);
    if (isOffline) {
      await expect(page.getByTestId('wall-stale')).toContainText('Nothing new since');
      await server.start();
      await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
    }
  }
  tellFigure('power cut to board, ms', `worst ${Math.max(...backMs)} of ${backMs.join(' ')}`);
  // The goal. It holds the start of a browser: where others use the machine, whoever reads the figure judges it.
  if (IS_LONG) expect(Math.max(...backMs)).toBeLessThanOrEqual(GOAL_MS);
});

test('a new version that comes while a new failure is told waits until that was told', async ({ page }) => {
  const proxy = await startWeatherProxy(server.url);
  await logIn(page, proxy.url);
  await page.clock.install();
  await page.goto(`${proxy.url}/wall`);
  await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
  await expect(page.getByText('1 unhealthy', { exact: true })).toBeVisible(SOON);
  await target.down();
  const news = page.getByTestId('wall-news');
  await expect(news).toContainText('shop-check', SOON);
  proxy.weather.hasNewVersion = true;
  await lookForVersion(page);
  await expect.poll(() => isVersionWaiting(page), SOON).toBe(true);
  const loaded = page.waitForEvent('load', SOON);
  let isLoaded = false;
  loaded.then(
    () => (isLoaded = true),
    () => undefined,
  );
  await page.clock.fastForward(10_000);
  await settleVersion(page);
  await expect(news).toBeVisible();
  expect([isLoaded, await isVersionWaiting(page)]).toEqual([false, true]);
  await page.clock.fastForward(60_000);
  await loaded;
  await expect(wall(page)).toHaveAttribute('data-told', 'false', SOON);
  expect(await isVersionWaiting(page)).toBe(false);
  await target.up();
  await proxy.stop();
});

test('a cut line is on the whole screen within 30 seconds, and nothing stays green', async ({ page }) => {
  await logIn(page, server.url);
  await page.clock.install();
  await page.goto(`${server.url}/wall`);
  await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
  await server.kill();
  await page.clock.fastForward(25_000);
  await expect(wall(page)).toHaveAttribute('data-stale', 'true', SOON);
  await expect(page.getByTestId('wall-stale')).toBeVisible();
  const picture = page.getByTestId('wall').locator('> div').first();
  await expect(picture).toHaveCSS('filter', /grayscale\(1\)/);
  // For the tests after this one.
  writeStates();
  await server.start();
});

function writeStates(): void {
  const broken = 'http://127.0.0.1:9/';
  const later = { schedule: '@every 6h', namespace: 'states' };
  const texts = [1, 2].flatMap((one) => [
    canary(nameOf('healthy', one), target.url, later),
    canary(nameOf('unhealthy', one), broken, later),
    canary(nameOf('unknown', one), target.url, { ...later, schedule: '@never' }),
    canary(nameOf('paused', one), target.url, { ...later, facts: ', annotations: { suspend: "true" }' }),
    canary(nameOf('overdue', one), target.url, later),
    canary(nameOf('late-unhealthy', one), broken, later),
    canary(nameOf('silenced', one), target.url, later),
  ]);
  writeFileSync(join(canaries, 'states.yaml'), texts.join('---\n'));
}

/** Makes overdue and silent what is to be so, as an administrator; answers the board that shows all of them. */
async function setStates(page: Page): Promise<string> {
  const headers = { origin: server.url };
  const send = async (method: string, path: string, data: object) => {
    const answer = await page.request.fetch(`${server.url}${path}`, { method, headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const rows = async (query: string) =>
    (await (await page.request.get(`${server.url}/api/db/checks?select=id&${query}`)).json()) as {
      id: string;
    }[];
  const namesOf = (...states: string[]) =>
    states.flatMap((state) => [1, 2].map((one) => `${nameOf(state, one)}-check`)).join();
  await expect
    .poll(async () => (await rows('namespace=eq.states&last_runtime=not.is.null')).length, SOON)
    .toBe(10);
  const old = { last_runtime: '2026-01-01T00:00:00Z', next_runtime: '2026-01-01T01:00:00Z' };
  await send('PATCH', `/api/db/checks?name=in.(${namesOf('overdue', 'late-unhealthy')})`, old);
  for (const { id } of await rows(`name=in.(${namesOf('silenced')})`)) {
    const time = { from: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
    await send('POST', '/api/db/notification_silences', {
      check_id: id,
      namespace: 'states',
      source: 'UI',
      ...time,
    });
  }
  const board = '0190a1b2-0000-7000-8000-0000000000f1';
  const tile = { kind: 'health', y: 0, h: 8 };
  await send('POST', `/api/walls/boards/${board}`, {
    name: 'States',
    tiles: [
      { ...tile, id: 'checks', groupBy: 'none', query: 'state-', x: 0, w: 9 },
      { ...tile, id: 'groups', groupBy: 'type', query: '', x: 9, w: 3 },
    ],
  });
  return board;
}

test('in shades of grey a screenshot reads every state by its shape, on a wall, in rows and on cards', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 1920, height: 1080 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await logIn(page, server.url);
  const board = await setStates(page);
  const asGrey = () => page.evaluate(() => void (document.documentElement.style.filter = 'grayscale(1)'));
  const distances: string[] = [];
  const read = async (where: string, entryOf: (name: string) => Locator) => {
    await asGrey();
    let readings: Reading[] = [];
    // A busy machine may make the wall stale for a moment: then its stripes are read, not its states.
    await expect(async () => {
      await expect(page.getByTestId('wall-stale')).toHaveCount(0);
      readings = await readEntries(entryOf);
      expectTold(readings, where);
    }).toPass({ timeout: 120_000 });
    const apart = readings.flatMap((one) =>
      readings
        .filter((other) => other.state !== one.state)
        .filter((other) => ![one, other].every(({ state }) => TOLD_BESIDE.includes(state)))
        .map((other) => difference(one.shape, other.shape)),
    );
    distances.push(`${where} ${Math.min(...apart).toFixed(3)}`);
    return readings;
  };
  await page.goto(`${server.url}/wall?board=${board}`);
  await read('wall', (name) => page.locator('li[data-health]').filter({ hasText: `${name}-check` }));
  // A group of good and bad ones is a state of its own.
  const mixed = await inkOf(page.locator('li[data-health="warning"] svg').first());
  await page.goto(`${server.url}/health?hidePassing=false&groupBy=none&query=state-`);
  const rowOf = (name: string) =>
    page.locator('[data-row-kind="check"]').filter({ hasText: `${name}-check` });
  const rows = await read('rows', rowOf);
  for (const { state, shape } of rows) expect(difference(mixed, shape), state).toBeGreaterThan(OTHER);
  await page.goto(`${server.url}/health?hidePassing=false&groupBy=none&layout=card&query=state-`);
  await read('cards', rowOf);
  tellFigure('least difference of two states', distances.join(', '));
  await context.close();
});

test('a wall, its editor and the pages of walls have no serious findings; less motion and more contrast are respected', async ({
  page,
}) => {
  await logIn(page, server.url);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${server.url}/wall`);
    await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
    await expect(page.locator('li[data-health]').first()).toBeVisible(SOON);
    expect(await findings(page), `wall, ${scheme}`).toEqual([]);
    await page.goto(`${server.url}/settings/walls`);
    await expect(page.getByRole('row', { name: /Control room/ })).toBeVisible(SOON);
    expect(await findings(page), `settings, ${scheme}`).toEqual([]);
    await page.getByRole('button', { name: 'New board' }).click();
    await expect(page.getByRole('button', { name: /^Clock, column/ })).toBeVisible(SOON);
    expect(await findings(page), `editor, ${scheme}`).toEqual([]);
    // It begins with a full board, which makes room for more.
    await page.getByRole('button', { name: '+ Text' }).click();
    await expect(page.getByText('“Health” was made smaller for it')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Text, column 5, row 4, 4 wide, 5 high/ })).toBeVisible();
  }
  await page.emulateMedia({ reducedMotion: 'reduce', contrast: 'more' });
  await page.goto(`${server.url}/wall`);
  await expect(wall(page)).toHaveAttribute('data-contrast', 'high', SOON);
  await expect(page.locator('li[data-health]').first()).toBeVisible(SOON);
  expect(await findings(page), 'high contrast').toEqual([]);
  await target.down();
  const news = page.getByTestId('wall-news');
  await expect(news).toContainText('shop-check', SOON);
  await expect(news).toHaveCSS('animation-name', 'none');
  await target.up();
  // In the colours of the system every mark still stands out from its ground.
  await page.emulateMedia({ forcedColors: 'active', contrast: 'no-preference' });
  const ink = await inkOf(page.locator('li[data-health] svg').first());
  expect(Math.max(...ink)).toBe(1);
});

test('a board is built by keys and by dragging, saved, and looked at', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/settings/walls`);
  await page.getByRole('button', { name: 'New board' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  const health = page.getByRole('button', { name: /^Health, column 1, row 4, 8 wide, 5 high/ });
  await health.focus();
  await health.press('Shift+ArrowLeft');
  const narrow = page.getByRole('button', { name: /^Health, column 1, row 4, 7 wide/ });
  await expect(narrow).toBeVisible();
  // No tile goes where another lies.
  await narrow.press('ArrowUp');
  await expect(narrow).toBeVisible();
  const clock = page.getByRole('button', { name: /^Clock, column 7, row 1, 6 wide, 3 high/ });
  await clock.press('Shift+ArrowLeft');
  const place = await page.getByRole('button', { name: /^Clock, column 7, row 1, 5 wide/ }).boundingBox();
  if (place === null) throw new Error('the clock has no place');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + place.width / 10, y, { steps: 5 });
  await page.mouse.move(x + place.width / 5, y, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole('button', { name: /^Clock, column 8, row 1, 5 wide/ })).toBeVisible();
  await page.getByRole('button', { name: '+ Check' }).click();
  await page.getByRole('button', { name: /^Check: Choose a check/ }).click();
  await page.getByRole('searchbox').fill('shop-ch');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^shop-check/ })
    .click();
  await expect(page.getByRole('button', { name: /^Check: shop-check/ })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Show Night shift on this screen' }).click();
  await expect(wall(page)).toContainText('Night shift');
});

test('a paired screen whose storage is damaged comes back to its board by itself', async () => {
  const page = screen ?? (await powerOn());
  // Without the app nobody holds its databases: this one has no tables any more, and a version that no worker can add them to.
  await page.goto(`${server.url}/api/healthz`);
  const browser = await page.context().newCDPSession(page);
  const workers = async () =>
    (await browser.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'shared_worker')
      .length;
  await expect.poll(workers, SOON).toBe(0);
  await page.evaluate(async () => {
    const done = (asked: IDBOpenDBRequest) =>
      new Promise<void>((resolve, reject) => {
        asked.addEventListener('success', () => resolve());
        asked.addEventListener('error', () => reject(new Error(asked.error?.message ?? '')));
      });
    const asked = indexedDB.open('holdfast-device', 99_999);
    asked.addEventListener('upgradeneeded', () => {
      for (const name of asked.result.objectStoreNames) asked.result.deleteObjectStore(name);
    });
    await done(asked);
    asked.result.close();
  });
  // So that five silent minutes of a page are over when the test says so.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + (Reflect.get(globalThis, 'isLate') === true ? 300_000 : 0);
  });
  await page.goto(`${server.url}/wall`);
  for (let silent = 1; silent <= 3; silent += 1) {
    await expect(page.getByTestId('wall-stale')).toContainText('Nothing was heard', SOON);
    const loaded = page.waitForEvent('load', SOON);
    await page.evaluate(() => Reflect.set(globalThis, 'isLate', true));
    await loaded;
  }
  await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
  await expect(page.getByText('shop', { exact: true })).toBeVisible(SOON);
});

test('a disk without room is told on the whole screen while the board stays, and what came meanwhile is there once there is room', async () => {
  const page = screen ?? (await powerOn());
  await expect(wall(page)).toHaveAttribute('data-stale', 'false', SOON);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  await target.down();
  // The browser looks at the room that is left every half a minute.
  const written = () =>
    page.evaluate(async () => {
      try {
        await (await caches.open('probe')).put('/probe', new Response('no room'));
        return 'written';
      } catch (error) {
        return error instanceof DOMException ? error.name : 'unknown';
      }
    });
  await expect.poll(written, { timeout: 120_000 }).toBe('QuotaExceededError');
  // What can't be kept is not shown as if it were current.
  await expect(wall(page)).toHaveAttribute('data-stale', 'true', { timeout: 120_000 });
  await expect(page.getByTestId('wall-stale')).toBeVisible();
  // On one of the boards, which take turns.
  await expect(page.getByText('shop', { exact: true })).toBeVisible({ timeout: 120_000 });
  await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await expect(wall(page)).toHaveAttribute('data-stale', 'false', { timeout: 180_000 });
  const shop = page.locator('li[data-health="unhealthy"]').filter({ hasText: 'shop' });
  await expect(shop).toBeVisible({ timeout: 120_000 });
  await target.up();
});

test('a revoked screen is signed out at once and asks to be paired again', async ({ page }) => {
  const wallPage = screen ?? (await powerOn());
  await logIn(page, server.url);
  await page.goto(`${server.url}/settings/walls`);
  await page.getByRole('button', { name: 'Revoke Control room' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(wallPage.getByTestId('pairing-code')).toBeVisible(SOON);
  // What it kept is gone: only which stores are to go, and that nobody is here.
  const kept = () =>
    wallPage.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
  await expect
    .poll(async () => (await kept()).filter((name) => /-(rows|meta|packed|outbox|drafts)/.test(name)), SOON)
    .toEqual([]);
});
