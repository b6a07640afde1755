import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { signIn } from './support/sign-in.ts';

/** The first load and the first runs of the checks take their time on a busy machine. */
test.setTimeout(240_000);

const server = fileServer();

test('the drawer of a running check shows its numbers, chart, history, spec, and runs it now', async ({
  page,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  await page.setViewportSize({ width: 1440, height: 1100 });
  const row = page.locator('[data-row-kind="check"]').filter({ hasText: 'holdfast/endpoint' });
  await expect(row).toBeVisible({ timeout: 60_000 });
  await row.click();
  await expect(page).toHaveURL(/checkId=/);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('heading', { name: 'holdfast/endpoint' })).toBeVisible({ timeout: 60_000 });
  // There is nothing to draw before the first run.
  await expect(drawer.locator('canvas')).toBeVisible({ timeout: 90_000 });
  await expect(drawer.locator('tr[data-status]').first()).toBeVisible({ timeout: 60_000 });
  const before = await drawer.locator('tr[data-status]').count();

  await drawer.getByRole('button', { name: 'Run Now' }).click();
  await expect
    .poll(() => drawer.locator('tr[data-status]').count(), { timeout: 60_000 })
    .toBeGreaterThan(before);

  await drawer.getByRole('tab', { name: 'Spec' }).click();
  await expect(drawer.getByText('api/healthz').last()).toBeVisible({ timeout: 60_000 });
  await drawer.getByRole('tab', { name: 'Relationships' }).click();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/checkId=/);
});

test('history refuses a duration that is neither ms nor s with the spec’s words', async ({ page }) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none');
  const row = page.locator('[data-row-kind="check"]').filter({ hasText: 'holdfast/endpoint' });
  await expect(row).toBeVisible({ timeout: 60_000 });
  await row.click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Duration', { exact: true }).selectOption('custom');
  await drawer.getByLabel('Shortest duration').fill('5m');
  await expect(drawer.getByText('duration is allowed only in milli seconds & seconds')).toBeVisible();
});

test('the list is worked by keyboard alone', async ({ page }) => {
  await signIn(page, server.url, '/health?hidePassing=false');
  const group = page.locator('[data-row-kind="group"]').first();
  await expect(group).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('/');
  await expect(page.getByPlaceholder('Search by name, description, or endpoint')).toBeFocused();
  await page.locator('[role=rowgroup]').last().focus();
  await page.keyboard.press('ArrowDown');
  await expect(group).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-row-kind="check"]').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-row-kind="check"]').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('what is chosen stands in the address and is there again after a reload', async ({ page }) => {
  await signIn(page, server.url, '/health?hidePassing=false');
  await page.getByPlaceholder('Search by name, description, or endpoint').fill('endpoint');
  await expect(page).toHaveURL(/query=endpoint/);
  await page.getByLabel('Group by').selectOption('type');
  await expect(page).toHaveURL(/groupBy=type/);
  await page.reload();
  await expect(page.getByPlaceholder('Search by name, description, or endpoint')).toHaveValue('endpoint', {
    timeout: 60_000,
  });
  await expect(page.locator('[data-row-kind="group"]')).toHaveCount(1, { timeout: 60_000 });
});
