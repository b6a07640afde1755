import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.setTimeout(240_000);

const server = fileServer();
const ITEM = '30000000-0000-4000-8000-000000000001';
const CHILD = '30000000-0000-4000-8000-000000000002';
const CHANGE = '30000000-0000-4000-8000-000000000003';
const DIFF = `--- before
+++ after
@@ -7,3 +7,4 @@
 spec:
-  replicas: 3
+  replicas: 5
+  paused: false
   selector: {}
`;

/** Writes a row as a scraper's result would come in: through the data API. */
async function insert(page: Page, table: string, row: Record<string, unknown>): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/db/${table}`, {
    headers: { origin: server.url },
    data: row,
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function fillCatalog(page: Page): Promise<void> {
  await insert(page, 'config_items', {
    id: ITEM,
    name: 'checkout',
    type: 'Kubernetes::Deployment',
    config_class: 'Deployment',
    health: 'healthy',
    status: 'Running',
    tags: { cluster: 'eu' },
    config: { kind: 'Deployment', spec: { replicas: 5, note: '<b>bold</b>' } },
    last_scraped_time: new Date(Date.now() - 7_200_000).toISOString(),
  });
  await insert(page, 'config_items', {
    id: CHILD,
    name: 'checkout-pod',
    type: 'Kubernetes::Pod',
    config_class: 'Pod',
    parent_id: ITEM,
    path: ITEM,
  });
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('an item is read tab by tab, a change of it appears with its diff, and all of that stays without a network', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url);
    await fillCatalog(page);
    await page.goto(`${server.url}/catalog/${ITEM}`);
    await waitUntilOfflineReady(page);
    await expect(page.getByRole('heading', { name: 'checkout', exact: true })).toBeVisible({
      timeout: 60_000,
    });
    // The chip of the connection has the same word.
    await expect(page.getByRole('main').getByText('Stale', { exact: true })).toBeVisible();
    // User content is text, never markup.
    await expect(page.getByText('<b>bold</b>')).toBeVisible();
    await page.getByRole('radio', { name: 'JSON' }).click();
    await expect(page.getByText('"replicas"')).toBeVisible();

    const tabs = page.getByRole('navigation', { name: 'Parts of the item' });
    await tabs.getByRole('link', { name: /Playbooks/ }).click();
    await expect(page.getByText('No playbook is for items like this one.')).toBeVisible();
    await tabs.getByRole('link', { name: /Checks/ }).click();
    await expect(page.getByText('No check is linked to this item.')).toBeVisible();
    await tabs.getByRole('link', { name: /Insights/ }).click();
    await expect(page).toHaveURL(/insights/);
    await tabs.getByRole('link', { name: /Relationships/ }).click();
    await expect(page.getByText('checkout-pod').first()).toBeVisible({ timeout: 30_000 });
    // A tab's badge is what the tab finds when it is opened.
    await expect(page.getByRole('status').filter({ hasText: '1 related item' })).toBeVisible();
    await expect(tabs.getByRole('link', { name: /Relationships/ })).toHaveText('Relationships1');

    await tabs.getByRole('link', { name: /Changes/ }).click();
    await expect(page.getByText('No changes match.')).toBeVisible();
    await insert(page, 'config_changes', {
      id: CHANGE,
      config_id: ITEM,
      change_type: 'diff',
      severity: 'high',
      source: 'kubernetes',
      summary: 'spec.replicas',
      diff: DIFF,
      patches: { spec: { replicas: 5 } },
    });
    // Older than the two days that the tab asks for: neither in the list nor in its badge.
    await insert(page, 'config_changes', {
      config_id: ITEM,
      change_type: 'diff',
      source: 'kubernetes',
      summary: 'of last week',
      created_at: new Date(Date.now() - 5 * 86_400_000).toISOString(),
    });
    const changes = page.getByRole('table', { name: 'Changes' });
    await expect(changes.getByText('spec.replicas')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('status').filter({ hasText: '1 change' })).toBeVisible();
    await expect(tabs.getByRole('link', { name: /Changes/ })).toHaveText('Changes1');
    await changes.locator('[data-row-link]').first().click();
    const dialog = page.getByRole('dialog');
    await expect(page).toHaveURL(new RegExp(`change=${CHANGE}`));
    await expect(dialog.getByLabel('Before')).toContainText('replicas: 3');
    await expect(dialog.getByLabel('After')).toContainText('paused: false');
    await dialog.getByRole('radio', { name: 'Patch' }).click();
    await expect(dialog.getByLabel('Patch')).toContainText('"replicas": 5');
    await dialog.getByRole('button', { name: 'Close' }).click();

    await context.setOffline(true);
    await page.goto(`${server.url}/catalog/${ITEM}/changes?change=${CHANGE}`);
    await expect(dialog.getByLabel('Before')).toContainText('replicas: 3');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await tabs.getByRole('link', { name: 'Config' }).click();
    await expect(page.getByText('"replicas"')).toBeVisible();
    await context.setOffline(false);
  });
});

test('changes of everything are filtered by severity and by a cell, and a wrong address says so', async ({
  page,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/catalog/changes?severity=high`);
  const changes = page.getByRole('table', { name: 'Changes' });
  await expect(changes.getByText('spec.replicas')).toBeVisible({ timeout: 60_000 });
  await changes.getByText('spec.replicas').hover();
  await changes.getByRole('button', { name: 'Without spec.replicas' }).click();
  await expect(page.getByText('No changes match.')).toBeVisible();
  await page.getByRole('button', { name: /Remove the filter on summary/ }).click();
  await expect(changes.getByText('spec.replicas')).toBeVisible();
  await page.goto(`${server.url}/catalog/30000000-0000-4000-8000-00000000000f`);
  await expect(page.getByRole('heading', { name: 'No such catalog item' })).toBeVisible();
});
