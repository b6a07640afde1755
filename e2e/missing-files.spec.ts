/** A first visit for which a file of the app does not come: it says so, and goes on by itself once the file can be had. */
import { expect, test, type Page } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { logIn, signIn, waitUntilLoaded } from './support/sign-in.ts';
import { startWeatherProxy, type WeatherProxy } from './support/weather-proxy.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(240_000);

const server = fileServer({ args: ['--demo'] });
let proxy: WeatherProxy;

test.beforeEach(async () => {
  proxy = await startWeatherProxy(server.url);
});
test.afterEach(() => proxy.stop());

const PATH = '/health?hidePassing=false';
const NOT_STARTED = 'Holdfast could not be loaded';
const UNREACHABLE = /Server unreachable/;

/** What the page says meanwhile; null where it looks as ever, but for what it lacks. */
const LACKS = [
  { name: "the app's own script", cut: /\/assets\/index-[^/]*\.js/, says: NOT_STARTED },
  { name: 'the style sheet', cut: /\/assets\/index-[^/]*\.css/, says: null },
  { name: 'a worker', cut: /\.worker-[^/]*\.js/, says: UNREACHABLE },
  { name: 'what workers load later', cut: /\/(esm|storage-dexie|command-reader)-[^/]*\.js/, says: null },
  { name: 'anything but the document', cut: /^\/(?!health)/, says: NOT_STARTED },
  {
    name: 'anything but the document and its script',
    cut: /^\/(?!health|assets\/index-)/,
    says: 'Network Error',
  },
];

/** What does not come was asked for by then, and again after a wait. */
const waitUntilAskedAgain = () => new Promise((resolve) => setTimeout(resolve, 2000));

/** The page is as it should be: with all its rows, and with its style. */
async function expectWhole(page: Page): Promise<void> {
  await waitUntilLoaded(page);
  await expect(page.locator('[data-row-kind]').nth(3)).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('body')).toHaveCSS('margin', '0px');
}

for (const { name, cut, says } of LACKS) {
  test(`${name} does not come`, async ({ page }) => {
    await logIn(page, proxy.url);
    proxy.weather.cut = cut;
    await page.goto(`${proxy.url}${PATH}`);
    if (says !== null) await expect(page.getByText(says).first()).toBeVisible({ timeout: 60_000 });
    // It was asked for, and again.
    await expect.poll(() => proxy.lost.length, { timeout: 60_000 }).toBeGreaterThan(1);
    proxy.weather.cut = null;
    await expectWhole(page);
    await expect(page.getByText(NOT_STARTED)).toHaveCount(0);
  });
}

test('without SharedWorker: a worker does not come', async ({ page, context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  await logIn(page, proxy.url);
  proxy.weather.cut = /\.worker-[^/]*\.js/;
  await page.goto(`${proxy.url}${PATH}`);
  await expect(page.getByText(UNREACHABLE).first()).toBeVisible({ timeout: 60_000 });
  proxy.weather.cut = null;
  await expectWhole(page);
});

test('Retry loads it at once where the server answers, and says where it does not', async ({ page }) => {
  await logIn(page, proxy.url);
  proxy.weather.cut = /^\/(?!health)/;
  await page.goto(`${proxy.url}${PATH}`);
  const retry = page.getByRole('button', { name: 'Retry' });
  // By then it is tried again after so long that only the button loads it in time.
  await page.waitForTimeout(8000);
  proxy.weather.cut = /./;
  await retry.click();
  await expect(page.getByText('The server does not answer')).toBeVisible();
  proxy.weather.cut = null;
  await retry.click();
  await expect(page.getByText(NOT_STARTED)).toHaveCount(0, { timeout: 5000 });
  await expectWhole(page);
});

test('a script that is gone for good loads the page again once, and then the words stay', async ({
  page,
}) => {
  await logIn(page, proxy.url);
  await page.route(/\/assets\/index-[^/]*\.js/, (route) => route.fulfill({ status: 404 }));
  let loads = 0;
  page.on('load', () => void (loads += 1));
  await page.goto(`${proxy.url}${PATH}`);
  await expect.poll(() => loads, { timeout: 60_000 }).toBe(2);
  await expect(page.getByText(NOT_STARTED)).toBeVisible();
  await waitUntilAskedAgain();
  await expect(page.getByText(NOT_STARTED)).toBeVisible();
  expect(loads).toBe(2);
});

test('a script that fails before anything is painted says so, and the page comes once it runs', async ({
  page,
}) => {
  await logIn(page, proxy.url);
  const script = /\/assets\/index-[^/]*\.js/;
  const body = "throw new Error('This browser cannot run it');";
  await page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  await page.goto(`${proxy.url}${PATH}`);
  await expect(page.getByText(NOT_STARTED)).toBeVisible();
  await page.unroute(script);
  await expectWhole(page);
});

test('a page that an outage took is there once the server is back', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await signIn(page, proxy.url, PATH);
  await waitUntilLoaded(page);
  proxy.weather.cut = /./;
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await expect(
    page.getByRole('heading', { name: 'This page is not stored on this device yet' }),
  ).toBeVisible();
  await waitUntilAskedAgain();
  proxy.weather.cut = null;
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible({ timeout: 60_000 });
  await context.close();
});
