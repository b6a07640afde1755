/**
 * `npx tsx scripts/screenshots-incidents.ts [phone] [desk] [tablet]`: takes the incidents' pictures of
 * docs/screenshots from a real server. Run `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { addBelievableIncident } from './screenshot-incident.ts';
import { launch, LOOKS, openCamera, type Camera, type Look } from './screenshot-kit.ts';

interface Subject {
  url: string;
  incident: string;
}

/** A finger that goes half across the first card and stays there. */
async function swipeHalf(context: BrowserContext, page: Page): Promise<void> {
  const box = await page.locator('[data-incident]').first().boundingBox();
  if (box === null) throw new Error('no card to swipe');
  const touch = await context.newCDPSession(page);
  const y = box.y + box.height / 3;
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 110, y }] });
  for (let x = 120; x <= 250; x += 10)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] });
}

/** All of it is on the device, and what happens comes by itself. */
const untilLive = (page: Page): Promise<void> =>
  page.getByTestId('connectivity').filter({ hasText: 'Live' }).waitFor({ timeout: 60_000 });

/** What only a hand-held screen has. */
async function handTour({ url, incident }: Subject, { context, page, shoot }: Camera): Promise<void> {
  await page.goto(`${url}/incidents/${incident}?tab=details`);
  await page.getByRole('tabpanel').waitFor();
  await shoot('incident-details');
  await page.goto(`${url}/incidents`);
  await page.locator('[data-incident]').first().waitFor();
  await swipeHalf(context, page);
  await shoot('incident-swipe');
}

/** Works on it without a network, then looks at what waits. */
async function offlineTour({ url, incident }: Subject, { context, page, shoot }: Camera): Promise<void> {
  await page.goto(`${url}/incidents/${incident}`);
  await page.getByRole('tabpanel').waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await context.setOffline(true);
  await page.getByTestId('connectivity').filter({ hasText: 'Offline' }).waitFor();
  const text = 'On the train. Queues are draining, p95 is back under 300 ms.';
  await page.getByLabel('Comment', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('[data-comment]').filter({ hasText: text }).waitFor();
  await shoot('incident-offline');
  // Within the app: a page that is loaded anew starts a worker that knows nothing of the browser's being offline.
  await page.locator('a[href^="/outbox"]:visible').first().click();
  await page.getByRole('button', { name: 'Drop', exact: true }).waitFor();
  await shoot('outbox');
  // The other pictures show the incident without it.
  await page.getByRole('button', { name: 'Drop', exact: true }).click();
  await page.getByRole('button', { name: 'Drop', exact: true }).last().click();
  await page.getByText('Nothing waits here').waitFor();
  await context.close();
}

async function tour(browser: Browser, subject: Subject, look: Look): Promise<void> {
  const { url, incident } = subject;
  const camera = await openCamera(browser, { url, path: '/incidents' }, look);
  const { page, shoot } = camera;
  await page.locator('[data-incident]').first().waitFor({ timeout: 60_000 });
  await untilLive(page);
  await shoot('incidents');
  await page.goto(`${url}/incidents?create=true&title=Checkout%20answers%20slowly`);
  await page.getByRole('dialog').waitFor();
  await shoot('incident-create');
  await page.goto(`${url}/incidents/${incident}`);
  await page.getByRole('tabpanel').waitFor();
  await shoot('incident');
  await untilLive(page);
  await page.goto(`${url}/incidents/${incident}?tab=plan&panel=done`);
  await page.getByRole('tabpanel').waitFor();
  await shoot('incident-plan');
  if (look.size === 'phone') await handTour(subject, camera);
  await offlineTour(subject, camera);
}

const server = await prepareServer();
const env = { ...process.env, DATA_DIR: server.dataDir };
const seed = '--checks 50 --configs 200 --components 30 --incidents 120';
execFileSync('npm', ['run', '--silent', 'seed', '--', ...seed.split(' ')], { stdio: 'inherit', env });
await server.start();
const browser = await launch();
try {
  const { url } = server;
  const { context, page } = await openCamera(
    browser,
    { url, path: '/incidents' },
    LOOKS[0] ?? { size: 'desk', colorScheme: 'light' },
  );
  const incident = await addBelievableIncident(page);
  await context.close();
  for (const look of LOOKS) await tour(browser, { url, incident }, look);
} finally {
  await browser.close();
  await server.dispose();
}
