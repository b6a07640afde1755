/** Evidence of every type: attached from its source or by the wizard, with and without a network. */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { createIncident, numbered } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.setTimeout(300_000);

const server = fileServer({ roles: ['viewer', 'responder'] });
const ITEM = '31000000-0000-4000-8000-000000000001';
const CHANGE = '31000000-0000-4000-8000-000000000002';
const INSIGHT = '31000000-0000-4000-8000-000000000003';
const COMPONENT = '31000000-0000-4000-8000-000000000004';
const DIFF = '--- before\n+++ after\n@@ -1,1 +1,1 @@\n-replicas: 3\n+replicas: 5\n';

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  const page = await browser.newPage();
  await signIn(page, server.url);
  await fillCatalog(page);
  await page.close();
});

/** Writes a row as a scraper's result would come in: through the data API. */
async function insert(page: Page, table: string, row: Record<string, unknown>): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/db/${table}`, {
    headers: { origin: server.url },
    data: row,
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function change(page: Page, path: string, row: Record<string, unknown>): Promise<void> {
  const answer = await page.request.patch(`${server.url}/api/db/${path}`, {
    headers: { origin: server.url },
    data: row,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function fillCatalog(page: Page): Promise<void> {
  await insert(page, 'config_items', {
    id: ITEM,
    name: 'checkout',
    type: 'Kubernetes::Deployment',
    config_class: 'Deployment',
    health: 'unhealthy',
    status: 'Failing',
    config: { spec: { replicas: 5 } },
  });
  await insert(page, 'config_changes', {
    id: CHANGE,
    config_id: ITEM,
    change_type: 'Scaled',
    severity: 'high',
    source: 'kubernetes',
    summary: 'replicas from 3 to 5',
    diff: DIFF,
  });
  await insert(page, 'config_analysis', {
    id: INSIGHT,
    config_id: ITEM,
    analyzer: 'probe-check',
    analysis_type: 'reliability',
    severity: 'critical',
    summary: 'No readiness probe',
    message: 'It has no <b>readiness</b> probe.',
    last_observed: new Date().toISOString(),
  });
  await insert(page, 'components', {
    id: COMPONENT,
    external_id: 'shop',
    name: 'shop',
    type: 'Application',
    status: 'degraded',
    health: 'warning',
  });
}

const evidence = (page: Page, type: string) => page.locator(`[data-evidence] [data-evidence-type="${type}"]`);
const dialog = (page: Page) => page.getByRole('dialog').last();

/** Attaches what is shown to the incident of that title, by the dialog. */
async function attach(page: Page, within: Page | Locator, title: string): Promise<void> {
  await within.getByRole('button', { name: 'Attach as Evidence' }).click();
  const link = page.getByRole('dialog', { name: 'Link to Incident' });
  await link.getByRole('option', { name: new RegExp(title) }).click();
  // The incident's only hypothesis is chosen as soon as it is known.
  await expect(link.getByRole('button', { name: 'Change hypothesis' })).toBeVisible();
  await link.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(page.getByText('Linked to incident successfully')).toBeVisible();
  await expect(link).toBeHidden();
}

async function openWizard(page: Page, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Add evidence' }).first().click();
  await dialog(page)
    .getByRole('button', { name: new RegExp(`^${type}`) })
    .click();
}

async function finishWizard(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function goOffline(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('every type is attached from its source or by the wizard without a network, and arrives on another device', async ({
    page,
    context,
    browser,
  }) => {
    await signIn(page, server.url);
    await waitUntilOfflineReady(page);
    await createIncident(page, server.url, 'Checkout down');
    const address = page.url();
    await numbered(page);
    // What is shown by its own page only was looked at once.
    await page.goto(`${server.url}/topology/${COMPONENT}`);
    await expect(page.getByRole('heading', { name: 'shop' })).toBeVisible({ timeout: 60_000 });
    await page.goto(`${server.url}/catalog/${ITEM}/changes?change=${CHANGE}`);
    await expect(page.getByRole('dialog').getByText('replicas: 5')).toBeVisible({ timeout: 60_000 });

    await goOffline(page, context);
    await attach(page, page.getByRole('dialog'), 'Checkout down');
    await page.goto(`${server.url}/catalog/${ITEM}`);
    await attach(page, page, 'Checkout down');
    await page.goto(`${server.url}/catalog/${ITEM}/insights?insight=${INSIGHT}`);
    await attach(page, page.getByRole('dialog'), 'Checkout down');
    await page.goto(`${server.url}/topology/${COMPONENT}`);
    await attach(page, page, 'Checkout down');
    await page.goto(`${server.url}/health?hidePassing=false&groupBy=none`);
    await page.locator('[data-row-kind="check"]').first().click();
    await attach(page, page.getByRole('dialog'), 'Checkout down');

    await page.goto(`${address}?tab=plan`);
    await openWizard(page, 'Comment');
    await dialog(page).getByLabel('What was seen').fill('Users see errors');
    await finishWizard(page);
    await openWizard(page, 'Log');
    await dialog(page)
      .getByLabel('Lines of the log')
      .fill('one\ntwo\nthree\nfour\nboom\nsix\nseven\neight\nnine');
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await dialog(page).getByRole('option', { name: 'boom' }).click();
    await finishWizard(page);

    const types = ['config', 'config_change', 'config_analysis', 'topology', 'check', 'comment', 'log'];
    for (const type of types) await expect(evidence(page, type), type).toHaveCount(1, { timeout: 30_000 });
    await expect(evidence(page, 'log').locator('li')).toHaveText([
      /two/,
      /three/,
      /four/,
      /boom/,
      /six/,
      /seven/,
      /eight/,
    ]);
    await expect(evidence(page, 'log').locator('[data-selected="true"]')).toHaveText(/boom/);
    await page.getByRole('button', { name: 'Show what changed' }).click();
    await expect(evidence(page, 'config_change').getByText('+replicas: 5')).toBeVisible();
    await expect(evidence(page, 'config_analysis')).toContainText('It has no <b>readiness</b> probe.');
    expect(await findings(page)).toEqual([]);

    await context.setOffline(false);
    await expect(page.locator('[data-evidence] [data-pending]')).toHaveCount(0, { timeout: 90_000 });
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await logIn(other, server.url);
    await other.goto(`${address}?tab=plan`);
    for (const type of types) await expect(evidence(other, type), type).toHaveCount(1, { timeout: 60_000 });
    await expect(evidence(other, 'config').getByRole('link', { name: 'checkout' })).toBeVisible();
    await elsewhere.close();

    // And back: what is evidence says of which incidents.
    await page.goto(`${server.url}/topology/${COMPONENT}`);
    await page.getByRole('button', { name: /^Incidents \d/ }).click();
    const about = page.getByRole('list', { name: 'Incidents' });
    await expect(about.getByText('Checkout down')).toBeVisible({ timeout: 30_000 });
  });
});

test('evidence says how its subject is now, how it was, and that it is gone', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/incidents`);
  await page.locator('[data-incident]').filter({ hasText: 'Checkout down' }).click();
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await expect(evidence(page, 'config')).toContainText('Unhealthy', { timeout: 60_000 });
  await change(page, `config_items?id=eq.${ITEM}`, { health: 'healthy', status: 'Running' });
  await expect(evidence(page, 'config')).toContainText('Running', { timeout: 60_000 });
  await expect(evidence(page, 'config')).toContainText(/When attached.*unhealthy · Failing/);
  await change(page, `config_analysis?id=eq.${INSIGHT}`, { status: 'resolved' });
  await expect(evidence(page, 'config_analysis')).toContainText('no longer open', { timeout: 60_000 });
  await change(page, `components?id=eq.${COMPONENT}`, { deleted_at: new Date().toISOString() });
  await expect(evidence(page, 'topology')).toContainText('not on this device', { timeout: 60_000 });
  await expect(evidence(page, 'topology')).toContainText('shop');
});

test('what somebody else wrote stays text, however long or strange it is', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Strange words');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await openWizard(page, 'Log');
  const lines = [
    '2026-11-21T23:10:00Z <script>window.wasRun = true</script><img src=x onerror="window.wasRun = true">',
    'see https://runbook.example/x and javascript:window.wasRun=true',
    'שלום \u202egnp.exe',
    'x'.repeat(100_000),
    ...Array.from({ length: 20_000 }, (_, at) => `line ${at}`),
  ];
  await dialog(page)
    .getByLabel('Open a file')
    .setInputFiles({ name: 'app.log', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });
  const list = dialog(page).getByRole('listbox');
  await list.getByRole('option').first().click();
  await list.focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(dialog(page).getByText('4 of 20,004 lines selected')).toBeVisible();
  await expect(dialog(page).getByText('1 line is long')).toBeVisible();
  await finishWizard(page);
  const log = evidence(page, 'log');
  await expect(log.getByText('<script>window.wasRun = true</script>')).toBeVisible();
  await expect(log.getByText('⟨U+202E⟩')).toBeVisible();
  await expect(log.getByRole('link')).toHaveCount(1);
  await expect(log.getByRole('link')).toHaveAttribute('href', 'https://runbook.example/x');
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  expect(await findings(page)).toEqual([]);
});

test('a comment is edited and removed, the same on every page that shows it', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Second thoughts');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await openWizard(page, 'Comment');
  await finishEmpty(page);
  await dialog(page).getByLabel('What was seen').fill('Frist');
  await finishWizard(page);
  await page.getByRole('button', { name: 'Actions of this evidence' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page).getByLabel('What was seen').fill('First');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(evidence(page, 'comment')).toHaveText('First');
  await page.getByRole('button', { name: 'Actions of this evidence' }).click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No Evidence')).toBeVisible();
});

/** Nothing was written: the wizard says so and stays. */
async function finishEmpty(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog(page).getByText('Please add some text')).toBeVisible();
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`each step of the wizard is without serious accessibility findings at ${viewport.width}`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await logIn(page, server.url);
    await createIncident(page, server.url, `Looked at ${viewport.width}`);
    await page.getByRole('tab', { name: 'Action Plan' }).click();
    await page.getByRole('button', { name: 'Add evidence' }).first().click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const type of ['Config', 'Change', 'Check']) {
      await openWizard(page, type);
      await dialog(page).getByRole('checkbox').first().check();
      expect(await findings(page), type).toEqual([]);
      await dialog(page).getByRole('button', { name: 'Next' }).click();
      expect(await findings(page), type).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog(page).getByRole('button', { name: 'Discard' }).click();
    }
    await openWizard(page, 'Log');
    await dialog(page).getByLabel('Lines of the log').fill('one\ntwo\nthree');
    expect(await findings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await dialog(page).getByRole('option').nth(1).click();
    expect(await findings(page)).toEqual([]);
    await finishWizard(page);
  });
}

for (const [role, count] of [
  ['viewer', 0],
  ['responder', 1],
] as const) {
  test(`a ${role} is ${count === 0 ? 'not ' : ''}offered to attach what is shown`, async ({ page }) => {
    await signIn(page, server.url, `/catalog/${ITEM}`, accountOf(role));
    await expect(page.getByRole('heading', { name: 'checkout', exact: true })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole('button', { name: 'Attach as Evidence' })).toHaveCount(count);
  });
}
