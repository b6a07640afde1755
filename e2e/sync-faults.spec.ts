/** What the sync engine promises when browsers, tabs, networks and disks fail, in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { chromium, expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { sessionCookie } from '../bench/signed-in-proxy.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { comment, createIncident } from './support/incident-page.ts';
import { fillLogin, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startWeatherProxy, type WeatherProxy } from './support/weather-proxy.ts';

let server: HoldfastServer;
let proxy: WeatherProxy;
const QUOTA_CACHE_MS = 31_000;
const COMMANDS = /\/api\/sync\/commands/;

test.beforeAll(async () => {
  server = await prepareServer();
  await server.start();
});
test.afterAll(() => server.dispose());
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
const arrivesOnce = async (text: string, timeout = 30_000) => {
  await expect.poll(() => commentsOnServer(text), { timeout }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await commentsOnServer(text)).toBe(1);
};
const outboxIsEmpty = async (page: Page) => {
  await page.goto(new URL('/outbox', page.url()).href);
  await expect(page.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 30_000 });
};
/** Each tab gets a worker of its own, as in browsers that can't share one. */
const withoutSharedWorker = (context: BrowserContext) =>
  context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));

test('two tabs: what one writes shows in the other at once, before the server knows', async ({
  page,
  context,
}) => {
  await signIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Two tabs');
  proxy.weather.hold = COMMANDS;
  await comment(page, 'from the first tab');
  await expect(other.getByText('from the first tab')).toBeVisible({ timeout: 2000 });
  proxy.weather.hold = null;
  await arrivesOnce('from the first tab');
});

test('two browsers: a comment arrives on the other device by itself', async ({ page, browser }) => {
  await signIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Two browsers');
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, server.url);
  await other.goto(page.url().replace(proxy.url, server.url));
  await comment(page, 'across the wire');
  await expect(other.getByText('across the wire')).toBeVisible({ timeout: 5000 });
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
    await signIn(page, proxy.url);
    await createIncident(page, proxy.url, 'Killed');
    await expect(page.getByText(/^INC-\d+$/).first()).toBeVisible();
    const address = page.url();
    proxy.weather.hold = COMMANDS;
    await comment(page, 'sent, never answered');
    await expect.poll(() => commentsOnServer('sent, never answered')).toBe(1);
    const session = await context.browser()?.newBrowserCDPSession();
    // No goodbye: the process ends while the answer is on its way.
    await Promise.all([
      new Promise((resolve) => context.on('close', resolve)),
      session?.send('Browser.crash').catch(() => undefined),
    ]);
    proxy.weather.hold = null;
    const again = await launch();
    const next = await again.newPage();
    await next.goto(address);
    // The browser had not written the session's cookie down yet: the same user signs in, and the outbox is theirs.
    await expect(next.getByText(/sent, never answered|Sign In to your account/).first()).toBeVisible();
    if (/login/.test(next.url())) await fillLogin(next);
    await expect(next.getByText('sent, never answered')).toHaveCount(1, { timeout: 20_000 });
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
  await signIn(first, proxy.url);
  await createIncident(first, proxy.url, 'Handed over');
  const second = await context.newPage();
  await second.goto(first.url());
  await expect(second.getByTestId('connectivity')).toContainText('Live', { timeout: 15_000 });
  proxy.weather.swallow = COMMANDS;
  await comment(first, 'left behind');
  await expect(second.getByText('left behind')).toBeVisible();
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
  await signIn(first, proxy.url);
  await createIncident(first, proxy.url, 'Frozen');
  const second = await context.newPage();
  await second.goto(first.url());
  await second.bringToFront();
  const devtools = await context.newCDPSession(first);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await comment(second, 'while it slept');
  await arrivesOnce('while it slept');
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await comment(second, 'after it woke');
  await arrivesOnce('after it woke');
  await expect(first.getByText('after it woke')).toBeVisible({ timeout: 15_000 });
  await outboxIsEmpty(second);
});

test('what is written offline is sent after the last tab was closed, when the browser wakes the worker', async ({
  context,
}) => {
  const page = await context.newPage();
  await signIn(page, server.url);
  await waitUntilOfflineReady(page);
  await createIncident(page, server.url, 'Closed');
  await expect(page.getByText(/^INC-\d+$/).first()).toBeVisible();
  const wakers = await context.newCDPSession(page);
  const versions: { registrationId: string; scopeURL: string }[] = [];
  wakers.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    versions.push(...registrations),
  );
  await wakers.send('ServiceWorker.enable');
  await expect.poll(() => versions.length).toBeGreaterThan(0);
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
  test.setTimeout(150_000);
  await signIn(page, server.url);
  await createIncident(page, server.url, 'Full');
  await expect(page.getByText(/^INC-\d+$/).first()).toBeVisible();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  // The browser looks at the room that is left at most this often.
  await page.waitForTimeout(QUOTA_CACHE_MS);
  await page.getByLabel('Comment', { exact: true }).fill('no room for this');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('out of storage space')).toBeVisible();
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('no room for this');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await page.waitForTimeout(QUOTA_CACHE_MS);
  await page.getByRole('button', { name: 'Send' }).click();
  await arrivesOnce('no room for this');
});

test('on 50 kbit/s with 400 ms and lost connections a comment arrives, once', async ({ page }) => {
  await signIn(page, proxy.url);
  await createIncident(page, proxy.url, 'Thin line');
  await expect(page.getByText(/^INC-\d+$/).first()).toBeVisible();
  Object.assign(proxy.weather, { latencyMs: 400, kbps: 50, loss: 0.05 });
  await comment(page, 'through a straw');
  await arrivesOnce('through a straw', 60_000);
});
