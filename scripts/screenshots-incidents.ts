/**
 * `npx tsx scripts/screenshots-incidents.ts [phone] [desk] [tablet]`: takes the incidents' pictures of
 * docs/screenshots from a real server with the demo. Run `npm run build` first.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { offlineProgress } from '../e2e/support/sign-in.ts';
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
  await page.goto(`${url}/incidents?status=all`);
  await page.locator('[data-incident]').first().waitFor();
  await swipeHalf(context, page);
  await shoot('incident-swipe');
}

/** Works on it without a network, then looks at what waits. */
async function offlineTour({ url, incident }: Subject, { context, page, shoot }: Camera): Promise<void> {
  await page.goto(`${url}/incidents/${incident}`);
  await page.getByRole('tabpanel').waitFor();
  while ((await offlineProgress(page))?.part !== 1) await page.waitForTimeout(250);
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
  const camera = await openCamera(browser, { url, path: '/incidents?status=all' }, look);
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

/** The demo is told by commands of its people, one after the other; responders are the last. */
const DEMO_RESPONDERS = 6;
const SHOWN = 'Card payments fail for one customer in ten';

async function read(page: Page, query: string): Promise<{ id: string }[]> {
  const answer = await page.request.get(`${new URL(page.url()).origin}/api/db/${query}`);
  if (!answer.ok()) throw new Error(`${query}: ${await answer.text()}`);
  return answer.json();
}

async function demoIncident(page: Page): Promise<string> {
  while ((await read(page, 'responders?select=id')).length < DEMO_RESPONDERS) await page.waitForTimeout(1000);
  const [incident] = await read(page, `incidents?select=id&title=eq.${encodeURIComponent(SHOWN)}`);
  if (incident === undefined) throw new Error(`no incident "${SHOWN}"`);
  return incident.id;
}

const server = await prepareServer({ args: ['--demo'] });
await server.start();
const browser = await launch();
try {
  const { url } = server;
  const look = LOOKS[0] ?? { size: 'desk', colorScheme: 'light' };
  const { context, page } = await openCamera(browser, { url, path: '/incidents' }, look);
  const incident = await demoIncident(page);
  await context.close();
  for (const each of LOOKS) await tour(browser, { url, incident }, each);
} finally {
  await browser.close();
  await server.dispose();
}
