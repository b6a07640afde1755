/** A wall that loads itself again: what starts to fail meanwhile is told, and workers that crashed are back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { logIn } from './support/sign-in.ts';
import { prepareTarget, type TargetService } from './support/target-service.ts';

test.describe.configure({ mode: 'serial' });

const SOON = { timeout: 60_000 };

let server: HoldfastServer;
let target: TargetService;
let canaries: string;
let context: BrowserContext;
let screen: Page;

const canary = (name: string, url: string) => `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: ${name}, namespace: shop }
spec:
  schedule: "@every 2s"
  http:
    - { name: ${name}-check, url: "${url}" }
`;

/** Loudspeakers that no test machine has: writes down what they would have been told. */
function writeDownAlarms(): void {
  const told: string[] = [];
  Reflect.set(globalThis, 'told', told);
  class Loudspeaker {
    readonly state = 'running';
    readonly currentTime = 0;
    readonly destination = {};
    createOscillator() {
      told.push('tone');
      return { frequency: { value: 0 }, connect() {}, start() {}, stop() {} };
    }
  }
  Reflect.set(globalThis, 'AudioContext', Loudspeaker);
  Reflect.set(speechSynthesis, 'speak', ({ text }: SpeechSynthesisUtterance) => told.push(text));
}

/** After five silent minutes a wall loads itself again: they are over when the test says so, for this page alone. */
function letTimePass(): void {
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + (Reflect.get(globalThis, 'isLate') === true ? 301_000 : 0);
  }
}

const toldOn = (page: Page) => page.evaluate(() => Array.from<string>(Reflect.get(globalThis, 'told')));

async function openBoard(page: Page): Promise<void> {
  await page.goto(`${server.url}/wall`);
  await expect(page.getByTestId('wall')).toHaveAttribute('data-stale', 'false', SOON);
}

test.beforeAll(async ({ browser }) => {
  target = await prepareTarget();
  await target.up();
  canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(canaries, 'shop.yaml'), canary('shop', target.url));
  writeFileSync(join(canaries, 'broken.yaml'), canary('broken', 'http://127.0.0.1:9/'));
  server = await prepareServer({ env: { CANARIES_DIR: canaries } });
  await server.start();
  context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  await context.addInitScript(writeDownAlarms);
  await context.addInitScript(letTimePass);
  screen = await context.newPage();
});

test.afterAll(async () => {
  await context.close();
  await server.dispose();
  await target.down();
  rmSync(canaries, { recursive: true, force: true });
});

test('what starts to fail meanwhile is named, sounded and spoken, once', async ({ page }) => {
  await screen.goto(`${server.url}/wall`);
  const code = (await screen.getByTestId('pairing-code').textContent(SOON)) ?? '';
  // Loaded again, a screen goes on with the code that somebody may just be confirming.
  await screen.goto('about:blank');
  await logIn(page, server.url);
  await page.goto(`${server.url}/settings/walls?pair=${code}`);
  await page
    .getByRole('dialog')
    .getByLabel(/name of the screen/i)
    .fill('Control room');
  await page.getByRole('dialog').getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByRole('button', { name: 'Change Control room' }).click();
  await page.getByRole('dialog').getByLabel('Say aloud which check it is').click();
  await page.getByRole('dialog').getByLabel('Sound when a check starts to fail').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden(SOON);

  await openBoard(screen);
  await expect(screen.getByText('1 unhealthy', { exact: true })).toBeVisible(SOON);
  // A second page of the same device: the store hears of the failure while the first one is away.
  const beside = await context.newPage();
  await openBoard(beside);
  await screen.goto('about:blank');
  await target.down();
  await expect(beside.getByTestId('wall-news')).toContainText('shop-check', SOON);
  await openBoard(screen);
  await expect(screen.getByTestId('wall-news')).toContainText('shop-check', SOON);
  await expect
    .poll(() => toldOn(screen), SOON)
    .toEqual(['tone', 'tone', expect.stringContaining('shop-check')]);

  await openBoard(screen);
  await expect(screen.getByText('2 unhealthy', { exact: true })).toBeVisible(SOON);
  await expect(screen.getByTestId('wall-news')).toBeHidden();
  expect(await toldOn(screen)).toEqual([]);
  await beside.close();
  await target.up();
});

test('workers that crashed are back with the page, which loads itself again', async () => {
  await openBoard(screen);
  const devtools = await context.newCDPSession(screen);
  const workers = async () =>
    (await devtools.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'shared_worker');
  await expect.poll(async () => (await workers()).length, SOON).toBe(2);
  for (const { targetId } of await workers()) await devtools.send('Target.closeTarget', { targetId });
  await expect.poll(async () => (await workers()).length, SOON).toBe(0);
  await expect(screen.getByTestId('wall-stale')).toBeVisible(SOON);
  const loaded = screen.waitForEvent('load', SOON);
  await screen.evaluate(() => Reflect.set(globalThis, 'isLate', true));
  await loaded;
  await expect(screen.getByTestId('wall')).toHaveAttribute('data-stale', 'false', SOON);
  await expect(screen.getByText('1 unhealthy', { exact: true })).toBeVisible(SOON);
});
