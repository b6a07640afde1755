import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import {
  PROGRESS_QUESTION,
  readOfflineProgress,
  type OfflineProgress,
} from '../../src/contract/offline-progress.ts';
import { ADMIN } from './holdfast-server.ts';

/** Fills the login page that is open. */
export async function fillLogin(page: Page, account = ADMIN): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in through the login page and waits for the dashboard: for tests of that page and of what it leads to. */
export async function signInByForm(
  page: Page,
  url: string,
  path = '/health?hidePassing=false',
): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await fillLogin(page);
  const late = page.getByRole('alert').filter({ hasText: 'Request timed out. Please try again.' });
  await expect(async () => {
    // A machine with too much to do may not answer in time, and the page says so.
    if (await late.isVisible()) await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/health/, { timeout: 20_000 });
  }).toPass({ timeout: 120_000 });
}

interface LoginFlow {
  id: string;
  ui: { nodes: { attributes: { name: string; value?: string } }[] };
}

/** Gives the page's browser a session of that account by the calls that the login page makes. */
export async function logIn(page: Page, url: string, account = ADMIN): Promise<void> {
  const flows = `${url}/api/.ory/self-service/login`;
  const headers = { accept: 'application/json', origin: url };
  const asked = await page.request.get(`${flows}/browser`, { headers });
  const flow = (await asked.json()) as LoginFlow;
  const token = flow.ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value;
  const answer = await page.request.post(`${flows}?flow=${flow.id}`, {
    headers,
    data: { method: 'password', identifier: account.email, password: account.password, csrf_token: token },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Signs in without the login page and opens that path. */
export async function signIn(
  page: Page,
  url: string,
  path = '/health?hidePassing=false',
  account = ADMIN,
): Promise<void> {
  await logIn(page, url, account);
  await page.goto(`${url}${path}`);
}

/** A check's row by its name, whatever its state. */
export const checkRow = (page: Page, name: string) =>
  page.locator('[data-row-kind="check"]').filter({ hasText: name });

/** The first load has brought everything: before it has, the chip says that it connects. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.getByTestId('connectivity')).toContainText(/Live|Polling|Ageing/, { timeout: 120_000 });
}

/** Runs in the page: how much of the app the service worker has cached; nothing before there is one. */
async function readProgress(question: string): Promise<unknown> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data), { once: true });
    port1.start();
  });
  active?.postMessage(question, [port2]);
  return answer;
}

/** What the service worker says of the app's files in the cache. */
export async function offlineProgress(page: Page): Promise<OfflineProgress | null> {
  return readOfflineProgress(await page.evaluate(readProgress, PROGRESS_QUESTION));
}

/** Waits until the device has all it needs to start without a network: the app's files, the data, the flags. */
export async function waitUntilOfflineReady(page: Page): Promise<void> {
  await expect.poll(async () => (await offlineProgress(page))?.part, { timeout: 120_000 }).toBe(1);
  await waitUntilLoaded(page);
  const hasFlags = () => page.evaluate(() => localStorage.getItem('holdfast.shell') !== null);
  await expect.poll(hasFlags, { timeout: 60_000 }).toBe(true);
}
