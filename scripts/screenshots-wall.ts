/**
 * `npx tsx scripts/screenshots-wall.ts`: takes the pictures of walls and shared tablets of docs/screenshots from a real
 * server with the demo. Run `npm run build` first.
 */
import type { Browser, Page } from 'playwright-core';
import { ADMIN, prepareServer } from '../e2e/support/holdfast-server.ts';
import { launch, openCamera, type Look } from './screenshot-kit.ts';

/** Long enough for latencies and history to look like an ordinary minute. */
const WARM_UP_MS = 45_000;
const BOARD = '0190a1b2-0000-7000-8000-0000000000a1';
const PIN = '482913';
const SCHEMES = ['light', 'dark'] as const;

const cells = (x: number, y: number, w: number, h: number) => ({ id: `${x}-${y}`, x, y, w, h });

async function makeBoard(page: Page, url: string): Promise<void> {
  const asked = await page.request.get(`${url}/api/db/checks?select=id&order=name&limit=1`);
  const [check] = (await asked.json()) as { id: string }[];
  const tiles = [
    { ...cells(0, 0, 2, 3), kind: 'number', of: 'unhealthy' },
    { ...cells(2, 0, 2, 3), kind: 'number', of: 'incidents' },
    { ...cells(4, 0, 4, 3), kind: 'check', checkId: check?.id },
    { ...cells(8, 0, 4, 3), kind: 'clock', zones: ['Europe/Berlin', 'America/New_York'] },
    { ...cells(0, 3, 4, 5), kind: 'health', groupBy: 'canary_name' },
    { ...cells(4, 3, 4, 5), kind: 'topology', rootId: null },
    { ...cells(8, 3, 4, 3), kind: 'incidents' },
    { ...cells(8, 6, 4, 2), kind: 'text', text: 'Deploys stop at 18:00.\nOn call: Platform, 4711' },
  ];
  const answer = await page.request.post(`${url}/api/walls/boards/${BOARD}`, {
    headers: { origin: url },
    data: { name: 'Control room', tiles },
  });
  if (!answer.ok() && answer.status() !== 409) throw new Error(await answer.text());
}

async function wallTour(browser: Browser, url: string, look: Look): Promise<void> {
  const { context, page, shoot } = await openCamera(browser, { url, path: '/health' }, look);
  await makeBoard(page, url);
  await page.goto(`${url}/wall?board=${BOARD}`);
  await page.locator('[data-testid=wall][data-stale=false] li[data-health]').first().waitFor();
  await shoot('wall');
  // In full size, to be looked at.
  if (look.size === 'wall4k') await page.screenshot({ path: `.tmp/screenshots/${look.colorScheme}-4k.png` });
  await context.close();
}

async function editorTour(browser: Browser, url: string, look: Look): Promise<void> {
  const { context, page, shoot } = await openCamera(browser, { url, path: '/health' }, look);
  await makeBoard(page, url);
  await page.goto(`${url}/settings/walls`);
  await page.getByRole('button', { name: 'Edit board Control room' }).first().click();
  await page.getByRole('button', { name: /^Clock, column/ }).waitFor();
  await shoot('wall-editor');
  await context.close();
}

/** Shares the device, begins a shift, hands over. */
async function tabletTour(browser: Browser, url: string, look: Look): Promise<void> {
  const { context, page, shoot } = await openCamera(browser, { url, path: '/settings/tablets' }, look);
  await page.getByRole('button', { name: 'Share this device' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Control room');
  await page.getByRole('button', { name: 'Share it' }).click();
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a PIN' });
  await dialog.getByLabel('Shown on the locked screen as').fill('Anna');
  await dialog.getByLabel('PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('PIN once more').fill(PIN);
  await shoot('tablet-pin');
  await dialog.getByRole('button', { name: 'Start shift' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(`${url}/shift`);
  await page.getByRole('button', { name: 'Leave this note' }).waitFor();
  await shoot('shift-note');
  await page.getByRole('button', { name: 'Shared tablet' }).click();
  await page.getByRole('menuitem', { name: 'Hand over' }).click();
  await page.getByRole('heading', { name: 'Who is on?' }).waitFor();
  await page.getByText('Locking').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Anna' }).first().click();
  await page.getByLabel('PIN of Anna').fill('4829');
  await shoot('tablet-locked');
  await context.close();
}

const server = await prepareServer({ args: ['--demo'] });
const browser = await launch();
try {
  await server.start();
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  for (const colorScheme of SCHEMES) {
    for (const size of ['wall', 'wall4k', 'lying', 'tablet'] as const)
      await wallTour(browser, server.url, { size, colorScheme });
    await editorTour(browser, server.url, { size: 'desk', colorScheme });
    for (const size of ['lying', 'tablet'] as const)
      await tabletTour(browser, server.url, { size, colorScheme });
  }
} finally {
  await browser.close();
  await server.dispose();
}
