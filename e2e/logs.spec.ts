/**
 * Logs on a real server that reads real files: from a component to its lines, search, levels, time, details, evidence,
 * download, live tail, without a network, on three sizes.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { findings } from './support/findings.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { box, status, table } from './support/log-page.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.describe.configure({ timeout: 240_000, mode: 'serial' });

const COMPONENT = '00000000-0000-4000-8000-000000000100';
const OTHER = '00000000-0000-4000-8000-000000000101';
const ITEM = '00000000-0000-4000-8000-000000000110';
const INCIDENT = '00000000-0000-4000-8000-000000000111';
const HYPOTHESIS = '00000000-0000-4000-8000-000000000112';
const LINES = 3000;

let server: HoldfastServer;
let folder: string;
const file = () => join(folder, 'shop', 'app.log');
const stamp = (atMs: number) => new Date(atMs).toISOString();

function writeLines(): void {
  mkdirSync(join(folder, 'shop'), { recursive: true });
  const start = Date.now() - 20 * 60_000;
  const lines = Array.from({ length: LINES }, (_, at) => {
    const time = stamp(start + at * 300);
    if (at === 2990)
      return `${time} \u001b[31mERROR\u001b[0m payment refused, see https://example.com/runbook <b>now</b>`;
    if (at === 2991)
      return JSON.stringify({ time, level: 'warn', msg: 'retrying the payment', order: 'A-17' });
    return `${time} INFO request ${at} served`;
  });
  writeFileSync(file(), `${lines.join('\n')}\n`);
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), 'holdfast-e2e-logs-'));
  writeLines();
  server = await prepareServer({ env: { LOGS_DIR: folder, EGRESS_ALLOW: 'loopback' } });
  await server.start();
  const page = await browser.newPage();
  await logIn(page, server.url);
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${server.url}${path}`, { data, headers: { origin: server.url } });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const component = { type: 'Service', status: 'healthy', namespace: 'default' };
  const selectors = [
    { name: 'app', labels: { app: 'shop' } },
    { name: 'nothing', labels: { app: 'nothing' } },
  ];
  await post('/api/db/components', {
    ...component,
    id: COMPONENT,
    name: 'shop',
    external_id: 'shop',
    log_selectors: selectors,
  });
  await post('/api/db/components', { ...component, id: OTHER, name: 'quiet', external_id: 'quiet' });
  await page.close();
});
test.afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A check and a catalog item of the component, and an incident with all three as evidence; answers the check. */
async function writeSubjects(page: Page): Promise<string> {
  const headers = { origin: server.url };
  const write = async (table: string, data: object) => {
    const answer = await page.request.post(`${server.url}/api/db/${table}`, { data, headers });
    expect(answer.ok(), `${table}: ${await answer.text()}`).toBe(true);
  };
  const spec = { interval: 3600, http: [{ name: 'front', url: 'http://127.0.0.1:9' }] };
  await write('canaries', { name: 'front', namespace: 'default', source: 'UI', spec });
  let check = { id: '', canary_id: '' };
  await expect
    .poll(
      async () => {
        const answer = await page.request.get(
          `${server.url}/api/db/checks?name=eq.front&select=id,canary_id`,
        );
        check = ((await answer.json()) as (typeof check)[])[0] ?? check;
        return check.id;
      },
      { timeout: 60_000 },
    )
    .not.toBe('');
  await write('config_items', {
    id: ITEM,
    name: 'shop',
    type: 'Kubernetes::Pod',
    config_class: 'Pod',
    config: {},
  });
  const belongs = { component_id: COMPONENT, selector_id: 's' };
  await write('config_component_relationships', { ...belongs, config_id: ITEM });
  await write('check_component_relationships', {
    ...belongs,
    check_id: check.id,
    canary_id: check.canary_id,
  });
  const incident = {
    title: 'It is down',
    description: '',
    type: 'availability',
    status: 'open',
    severity: 'high',
  };
  const me = await page.request.get(`${server.url}/api/auth/whoami`);
  const { payload } = (await me.json()) as { payload: { user: { id: string } } };
  const by = { created_by: payload.user.id };
  await write('incidents', { ...incident, ...by, id: INCIDENT });
  const hypothesis = { id: HYPOTHESIS, incident_id: INCIDENT, title: 'It', type: 'root', status: 'possible' };
  await write('hypotheses', { ...hypothesis, ...by });
  const evidence = { ...by, hypothesis_id: HYPOTHESIS };
  await write('evidences', { ...evidence, type: 'component', description: 'shop', component_id: COMPONENT });
  await write('evidences', { ...evidence, type: 'check', description: 'front', check_id: check.id });
  await write('evidences', { ...evidence, type: 'config', description: 'shop', config_id: ITEM });
  return check.id;
}

async function open(page: Page, path = `/logs?topologyId=${COMPONENT}`): Promise<void> {
  await logIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

test('a log backend is added, tried, and refused where it is wrong', async ({ page }) => {
  await open(page, '/logs');
  await expect(page.getByText('Please select a component to view the logs')).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Component').selectOption({ label: 'shop' });
  await expect(page).toHaveURL(new RegExp(`topologyId=${COMPONENT}`));
  // The first of its logs is chosen by itself.
  await expect(page.getByLabel('Logs', { exact: true })).toHaveValue('app');
  await expect(page.getByText('No log backend is set up', { exact: false })).toBeVisible();
  await page.getByLabel('Component').selectOption({ label: 'None' });
  await expect(page.getByText('Please select a component to view the logs')).toBeVisible();
  await expect(page).not.toHaveURL(/topologyId/);

  await page.goto(`${server.url}/settings/logging_backends?add=true`);
  const dialog = page.getByRole('dialog', { name: 'Add Log Backend' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).first().fill('files');
  await dialog.getByRole('button', { name: 'Test' }).click();
  // Nothing is below that name yet: its example is tried as it stands.
  await expect(dialog.getByRole('status').filter({ hasText: 'It answers' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('files added successfully')).toBeVisible();
  await page.getByRole('link', { name: 'files' }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByText(/It answers; its newest line is of/)).toBeVisible();
});

test('components are those of the device where the server lists none, and are said not to be loaded where it has none', async ({
  page,
}) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await logIn(page, proxy.url);
    proxy.weather.swallow = /^\/api\/(db\/components_with_logs|sync)/;
    await page.goto(`${proxy.url}/logs`);
    await expect(page.getByRole('alert')).toHaveText('Unable to load components!', { timeout: 60_000 });
    proxy.weather.swallow = /^\/api\/db\/components_with_logs/;
    await page.reload();
    await expect(page.getByLabel('Component').getByRole('option', { name: 'shop' })).toBeAttached({
      timeout: 60_000,
    });
    await expect(page.getByText('Unable to load components!')).toHaveCount(0);
    proxy.weather.swallow = null;
    await page.reload();
    await expect(page.getByLabel('Component').getByRole('option', { name: 'shop' })).toBeAttached({
      timeout: 60_000,
    });
    await expect(page.getByText('Unable to load components!')).toHaveCount(0);
  } finally {
    await proxy.stop();
  }
});

test('from a component to its lines: search, levels, time, a line whole, columns and wrapping', async ({
  page,
}) => {
  await open(page, `/topology/${COMPONENT}`);
  await page.getByRole('button', { name: 'Actions of this component' }).click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'View Logs' }).click();
  await expect(page).toHaveURL(new RegExp(`/logs\\?topologyId=${COMPONENT}`));
  await expect(status(page)).toHaveText('3,000 lines', { timeout: 60_000 });
  // The newest comes first, and only what is on screen is in the page.
  await expect(table(page).getByRole('row').nth(1)).toContainText('request 2999 served');
  expect(await table(page).getByRole('row').count()).toBeLessThan(80);

  await box(page).fill('payment');
  await expect(status(page)).toHaveText('2 of 3,000 lines');
  await expect(page).toHaveURL(/query=payment/);
  const refused = table(page).getByRole('row').filter({ hasText: 'payment refused' });
  await expect(refused.locator('mark')).toHaveText('payment');
  await expect(refused).toHaveAttribute('data-level', 'error');
  await expect(refused.getByText('ERROR', { exact: true })).toHaveCSS('color', 'rgb(179, 38, 30)');
  // Markup is text, addresses are links.
  await expect(refused.getByText('<b>now</b>')).toBeVisible();
  await expect(refused.getByRole('link')).toHaveAttribute('href', 'https://example.com/runbook');
  const retried = table(page).getByRole('row').filter({ hasText: 'retrying the payment' });
  await expect(retried).toContainText('A-17');
  await page.getByRole('button', { name: /^Warning 1$/ }).click();
  await expect(status(page)).toHaveText('1 of 3,000 lines');
  await retried.getByRole('button', { name: /^Details/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Line of the log' });
  await expect(sheet.getByText('A-17').first()).toBeVisible();
  await expect(sheet.getByText('shop/app.log')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Warning 1$/ }).click();

  await box(page).fill('no such thing');
  await expect(page.getByText('There are no logs matching the search query')).toBeVisible();
  await box(page).fill('');
  await expect(status(page)).toHaveText('3,000 lines');
  const bars = page.getByRole('group', { name: /Lines over time/ });
  await bars.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(status(page)).toHaveText(/^\d+ of 3,000 lines$/);
  await page.keyboard.press('Escape');
  await expect(status(page)).toHaveText('3,000 lines');
  // A press on a bar is its stretch, another one on it all of them.
  await bars.click();
  await expect(status(page)).toHaveText(/^\d+ of 3,000 lines$/);
  await bars.click();
  await expect(status(page)).toHaveText('3,000 lines');
  // From the search into the lines, and from line to line.
  await box(page).press('ArrowDown');
  await page.keyboard.press('j');
  const second = table(page).getByRole('row').nth(2).getByRole('button');
  await expect(second).toBeFocused();
  await expect(second).toHaveAccessibleName(/^Details of the line of .*, Info$/);

  const edge = page.getByRole('separator', { name: 'Width of Time' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  const stored = () => page.evaluate(() => localStorage.getItem('logs.columns'));
  await expect.poll(stored).toContain('240');
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  await page.reload();
  await expect(status(page)).toHaveText('3,000 lines', { timeout: 60_000 });
  await expect(edge).toHaveAttribute('aria-valuenow', '240');
  await expect(page.getByRole('button', { name: 'Wrap lines' })).toHaveAttribute('aria-pressed', 'true');

  await page.getByLabel('Logs', { exact: true }).selectOption('nothing');
  await expect(page.getByRole('alert')).toContainText('no file matches nothing/*.log');
  await walkTo(page, `/logs?topologyId=${OTHER}`);
  await expect(page.getByRole('heading', { name: 'This component has no log selectors' })).toBeVisible({
    timeout: 60_000,
  });
});

test('links lead here from cards, checks, catalog items and evidence of an incident', async ({ page }) => {
  await open(page, '/topology');
  const link = page.getByRole('link', { name: 'View Logs of shop' });
  await link.first().click({ timeout: 60_000 });
  await expect(page).toHaveURL(new RegExp(`/logs\\?topologyId=${COMPONENT}`));
  const check = await writeSubjects(page);
  for (const path of [`/health?checkId=${check}`, `/catalog/${ITEM}`]) {
    await walkTo(page, path);
    await page.getByRole('link', { name: 'View Logs' }).click({ timeout: 60_000 });
    await expect(page).toHaveURL(new RegExp(`/logs\\?topologyId=${COMPONENT}`));
  }
  await walkTo(page, `/incidents/${INCIDENT}`);
  await page.getByRole('tab', { name: 'Action Plan' }).click({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: 'View Logs' })).toHaveCount(3, { timeout: 60_000 });
});

test('live tail, download, evidence with its context', async ({ page }) => {
  await open(page);
  await expect(status(page)).toHaveText('3,000 lines', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Live tail' }).click();
  appendFileSync(file(), `${stamp(Date.now())} FATAL written a moment ago\n`);
  await expect(table(page).getByRole('row').nth(1)).toContainText('written a moment ago', {
    timeout: 20_000,
  });
  await expect(status(page)).toHaveText('3,001 lines');
  // Who reads further down is not disturbed.
  const scroller = page.locator('[data-row-scroller]');
  await scroller.evaluate((element) => element.scrollTo({ top: 4000 }));
  await page.waitForFunction(() => (document.querySelector('[data-row-scroller]')?.scrollTop ?? 0) > 3000);
  appendFileSync(file(), `${stamp(Date.now())} INFO and another one\n`);
  await page.getByRole('button', { name: '1 newer line: show' }).click({ timeout: 20_000 });
  await expect(status(page)).toHaveText('3,002 lines');
  await page.getByRole('button', { name: 'Live tail' }).click();

  await box(page).fill('payment');
  await expect(status(page)).toHaveText('2 of 3,002 lines');
  await page.getByRole('button', { name: 'Download' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As text (.log)' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('shop-app.log');
  expect(readFileSync(await download.path(), 'utf8').split('\n')).toHaveLength(3);
  await expect(page.getByText('Downloaded logs')).toBeVisible();
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('no room');
    };
  });
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'As text (.log)' }).click();
  await expect(page.getByText('Failed to download logs')).toBeVisible();

  const row = table(page).getByRole('row').filter({ hasText: 'payment refused' });
  await row.getByRole('checkbox').check();
  await page
    .getByRole('group', { name: '1 line chosen' })
    .getByRole('button', { name: 'Attach as Evidence' })
    .click();
  await expect(page.getByRole('dialog', { name: 'Link to Incident' })).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was looked at is there without a network, with its age', async ({ page, context }) => {
    await open(page);
    await expect(status(page)).toHaveText('3,002 lines', { timeout: 60_000 });
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.reload();
    await expect(status(page)).toHaveText('3,002 lines', { timeout: 60_000 });
    await expect(page.getByText(/What was looked at last: 1h/)).toBeVisible();
    await box(page).fill('payment refused');
    await expect(status(page)).toHaveText('1 of 3,002 lines');
    await expect(page.getByRole('button', { name: 'Live tail' })).toBeDisabled();
    await context.setOffline(false);
  });
});

test('on three sizes nothing is out of reach, also for assistive technology', async ({ page }) => {
  await open(page);
  await expect(status(page)).toHaveText('3,002 lines', { timeout: 60_000 });
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(table(page).getByText('request 2999 served')).toBeVisible();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
    expect(await findings(page)).toEqual([]);
  }
});

test('of more components of the device than are offered it is said how many there are', async ({ page }) => {
  const proxy = await startWeatherProxy(server.url);
  try {
    await logIn(page, proxy.url);
    const many = Array.from({ length: 100 }, (_, at) => ({
      type: 'Service',
      status: 'healthy',
      namespace: 'default',
      name: `many ${at}`,
      external_id: `many ${at}`,
      log_selectors: [{ name: 'app', labels: { app: 'many' } }],
    }));
    const headers = { origin: proxy.url };
    const answer = await page.request.post(`${proxy.url}/api/db/components`, { data: many, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    proxy.weather.swallow = /^\/api\/db\/components_with_logs/;
    await page.goto(`${proxy.url}/logs`);
    await expect(page.getByText('The first 100 of 101 components;', { exact: false })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByLabel('Component').getByRole('option')).toHaveCount(1 + 100);
    proxy.weather.swallow = null;
    await page.reload();
    await expect(page.getByLabel('Component').getByRole('option')).toHaveCount(1 + 101);
    await expect(page.getByText('The first 100 of', { exact: false })).toHaveCount(0);
  } finally {
    await proxy.stop();
  }
});
