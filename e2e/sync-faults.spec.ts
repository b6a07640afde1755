/** What the sync engine promises when browsers, tabs, networks and disks fail, in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { chromium, expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { sessionCookie } from '../bench/signed-in-proxy.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { fillLogin, logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startWeatherProxy, type WeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });

/** A browser that comes back, or a leader that is replaced, waits before it tries again. */
test.setTimeout(300_000);

const server = fileServer();
let proxy: WeatherProxy;
const QUOTA_CACHE_MS = 31_000;
const COMMANDS = /\/api\/sync\/commands/;

test.beforeEach(async () => {
  proxy = await startWeatherProxy(server.url);
});
test.afterEach(() => proxy.stop());

/** How many comments with that text the server has. */
async function commentsOnServer(text: string): Promise<number> {
  const cookie = await sessionCookie(server.url);
  const answer = await fetch(
    `${server.url}/api/db/comments?select=id&comment=eq.${encodeURIComponent(text)}`,
    {
      headers: { cookie },
    },
  );
  return ((await answer.json()) as unknown[]).length;
}
const arrivesOnce = async (text: string, timeout = 90_000) => {
  await expect.poll(() => commentsOnServer(text), { timeout }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await commentsOnServer(text)).toBe(1);
};
const outboxIsEmpty = async (page: Page) => {
  await page.goto(new URL('/outbox', page.url()).href);
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
};
/** The incident is there on that page. */
const shows = (page: Page, title: string) =>
  expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title, { timeout: 60_000 });
/** What was said, in the list of a page. */
const said = (page: Page, text: string) => page.locator('[data-comment]').filter({ hasText: text });
/** Each tab gets a worker of its own, as in browsers that can't share one. */
const withoutSharedWorker = (context: BrowserContext) =>
  context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));

test('two tabs: what one writes shows in the other at once, before the server knows', async ({
  page,
  context,
}) => {
  await logIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  await shows(other, 'Two tabs');
  // Nothing reaches the server: what the other tab shows, it has from the first.
  proxy.weather.loss = 1;
  await comment(page, 'from the first tab');
  await expect(said(other, 'from the first tab')).toBeVisible({ timeout: 60_000 });
  expect(await commentsOnServer('from the first tab')).toBe(0);
  proxy.weather.loss = 0;
  await arrivesOnce('from the first tab');
});

test('two browsers: a comment arrives on the other device by itself', async ({ page, browser }) => {
  await logIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Two browsers');
  const context = await browser.newContext();
  const other = await context.newPage();
  await logIn(other, server.url);
  await other.goto(page.url().replace(proxy.url, server.url));
  await shows(other, 'Two browsers');
  await comment(page, 'across the wire');
  await expect(said(other, 'across the wire')).toBeVisible({ timeout: 60_000 });
  await context.close();
});

test('a lost answer, then a killed browser: the next start sends again and the server does it once', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-profile-'));
  const launch = () =>
    chromium.launchPersistentContext(profile, {
      ...config.use?.launchOptions,
      viewport: { width: 1200, height: 800 },
    });
  try {
    const context = await launch();
    const page = await context.newPage();
    await logIn(page, proxy.url);
    await createIncident(page, proxy.url, 'Killed');
    await numbered(page);
    const address = page.url();
    proxy.weather.hold = COMMANDS;
    await comment(page, 'sent, never answered');
    await expect.poll(() => commentsOnServer('sent, never answered'), { timeout: 60_000 }).toBe(1);
    const session = await context.browser()?.newBrowserCDPSession();
    // No goodbye: the process ends while the answer is on its way.
    await Promise.all([
      new Promise((resolve) => context.on('close', resolve)),
      session?.send('Browser.crash').catch(() => undefined),
    ]);
    proxy.weather.hold = null;
    const again = await launch();
    const next = await again.newPage();
    const whoami = await again.request.get(`${proxy.url}/api/auth/whoami`);
    await next.goto(address);
    // The browser may not have written the session's cookie down: the same user signs in, and the outbox is theirs.
    // What the page shows doesn't tell: it shows what is here before the server has said who it is.
    if (!whoami.ok()) {
      await expect(next).toHaveURL(/\/login/, { timeout: 60_000 });
      await fillLogin(next);
    }
    await expect(said(next, 'sent, never answered')).toHaveCount(1, { timeout: 60_000 });
    await outboxIsEmpty(next);
    await arrivesOnce('sent, never answered');
    await again.close();
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('without a shared worker: the leader closes and another tab sends what it left', async ({ context }) => {
  await withoutSharedWorker(context);
  const first = await context.newPage();
  await logIn(first, proxy.url);
  await createIncident(first, proxy.url, 'Handed over');
  const second = await context.newPage();
  await second.goto(first.url());
  await shows(second, 'Handed over');
  await expect(second.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  proxy.weather.swallow = COMMANDS;
  await comment(first, 'left behind');
  await expect(said(second, 'left behind')).toBeVisible({ timeout: 60_000 });
  await first.close();
  proxy.weather.swallow = null;
  await arrivesOnce('left behind');
  await outboxIsEmpty(second);
});

test('without a shared worker: a frozen leader is replaced, and does no harm when it wakes', async ({
  context,
}) => {
  await withoutSharedWorker(context);
  const first = await context.newPage();
  await logIn(first, proxy.url);
  await createIncident(first, proxy.url, 'Frozen');
  const second = await context.newPage();
  await second.goto(first.url());
  await shows(second, 'Frozen');
  await second.bringToFront();
  const devtools = await context.newCDPSession(first);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await comment(second, 'while it slept');
  await arrivesOnce('while it slept');
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await comment(second, 'after it woke');
  await arrivesOnce('after it woke');
  await expect(said(first, 'after it woke')).toBeVisible({ timeout: 60_000 });
  await outboxIsEmpty(second);
});

test('what is written offline is sent after the last tab was closed, when the browser wakes the worker', async ({
  context,
}) => {
  const page = await context.newPage();
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Closed');
  await numbered(page);
  await waitUntilOfflineReady(page);
  const wakers = await context.newCDPSession(page);
  const versions: { registrationId: string; scopeURL: string }[] = [];
  wakers.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    versions.push(...registrations),
  );
  await wakers.send('ServiceWorker.enable');
  await expect.poll(() => versions.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  await comment(page, 'sent by nobody');
  // A page of another place keeps the browser open; none of ours is.
  const elsewhere = await context.newPage();
  await elsewhere.goto('about:blank');
  const devtools = await context.newCDPSession(elsewhere);
  await page.close();
  await context.setOffline(false);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: server.url,
    registrationId: versions[0]?.registrationId ?? '',
    tag: 'outbox',
    lastChance: false,
  });
  await arrivesOnce('sent by nobody');
});

test('a full disk refuses the write and says so; what was there stays, and there is room again it works', async ({
  page,
  context,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Full');
  await numbered(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  // The browser looks at the room that is left at most this often.
  await page.waitForTimeout(QUOTA_CACHE_MS);
  await page.getByLabel('Comment', { exact: true }).fill('no room for this');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'out of storage space' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('no room for this');
  await expect(page.getByTestId('connectivity')).not.toContainText('unreachable');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await page.waitForTimeout(QUOTA_CACHE_MS);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await arrivesOnce('no room for this');
});

test('on 50 kbit/s with 400 ms and lost connections a comment arrives, once', async ({ page }) => {
  await logIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Thin line');
  await numbered(page);
  Object.assign(proxy.weather, { latencyMs: 400, kbps: 50, loss: 0.05 });
  await comment(page, 'through a straw');
  await arrivesOnce('through a straw', 120_000);
});

test('a line that falls silent is said to be stale, that is taken back by an answer only, and the stream returns', async ({
  page,
}) => {
  await signIn(page, proxy.url);
  const chip = page.getByTestId('connectivity');
  await expect(chip).toContainText('Live', { timeout: 60_000 });
  // A page whose own files are still on their way has all six connections of HTTP/1.1 in use, and no way to give up
  // those of modules: then it is heard of again when the browser gives them up.
  await waitUntilOfflineReady(page);
  await chip.evaluate((element) => {
    const tones: (string | null)[] = [];
    Object.assign(globalThis, { tones });
    const note = () => tones.push(element.getAttribute('data-tone'));
    new MutationObserver(note).observe(element, { attributes: true, attributeFilter: ['data-tone'] });
  });
  const tones = () => page.evaluate(() => Reflect.get(globalThis, 'tones') as string[]);
  proxy.weather.isSilent = true;
  await expect(chip).toHaveAttribute('data-tone', 'down', { timeout: 90_000 });
  // Requests that hang are given up after half a minute, and others hang in their place.
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  const said = await tones();
  expect(said.slice(said.findIndex((tone) => tone !== 'current'))).not.toContain('current');
  await expect(chip).toHaveAttribute('data-tone', 'down');
  proxy.weather.isSilent = false;
  await expect(chip).toContainText('Live', { timeout: 60_000 });
});

/** As somebody who may, about this silence. */
async function send(path: string, method: string, data?: object): Promise<void> {
  const headers = {
    cookie: await sessionCookie(server.url),
    origin: server.url,
    'content-type': 'application/json',
  };
  const body = data === undefined ? null : JSON.stringify(data);
  const answer = await fetch(`${server.url}/api/db/notification_silences${path}`, { method, headers, body });
  expect(answer.ok, await answer.text()).toBe(true);
}

test('what is typed over a row stays while the store is made anew under it; one that was deleted is told as gone', async ({
  page,
}) => {
  const id = '0190a1b2-0000-7000-8000-0000000000e7';
  await logIn(page, proxy.url);
  await send('', 'POST', {
    id,
    namespace: 'default',
    source: 'UI',
    filter: 'check.name == "shop"',
    description: 'deploy',
    from: '2026-01-01T00:00:00Z',
    until: '2099-01-01T00:00:00Z',
  });
  await page.goto(`${proxy.url}/notifications/silences?id=${id}`);
  const form = page.getByRole('dialog', { name: 'Silence' });
  const reason = form.getByLabel('Reason', { exact: true });
  await expect(reason).toHaveValue('deploy', { timeout: 60_000 });
  await reason.fill('a deploy of');
  // A reader found damage: all is removed, and asked of the server again, which does not answer yet.
  const snapshots = /\/api\/sync\/(?:small-)?snapshot/;
  proxy.weather.hold = snapshots;
  const before = proxy.seen.length;
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('holdfast.session') ?? '{}') as { storeName?: string };
    const channel = new BroadcastChannel('holdfast-store');
    channel.postMessage({ type: 'damaged', storeName: user.storeName });
    channel.close();
  });
  const isAsked = () => proxy.seen.slice(before).some((call) => snapshots.test(call));
  await expect.poll(isAsked, { timeout: 60_000 }).toBe(true);
  // What is looked for anew is not found as long as the server holds its answer.
  await reason.press('End');
  await page.keyboard.type(' the shop');
  await page.waitForTimeout(1000);
  await expect(reason).toHaveValue('a deploy of the shop');
  await expect(reason).toBeFocused();
  proxy.weather.hold = null;
  await expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
  await page.keyboard.type(' and more');
  await expect(reason).toHaveValue('a deploy of the shop and more');

  await send(`?id=eq.${id}`, 'DELETE');
  await expect(form.getByText('This silence is gone')).toBeVisible({ timeout: 60_000 });
  await expect(reason).toHaveCount(0);
});
