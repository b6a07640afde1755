/** Checks, and the documents that they come from, chosen by touch, key and range, changed, and taken back. */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { bar, report } from './support/chosen.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { logIn } from './support/sign-in.ts';

// The first test makes what the others choose, and pauses one.
test.describe.configure({ timeout: 240_000, mode: 'serial' });

const server = fileServer({ env: { EGRESS_ALLOW: '127.0.0.1' } });

const NAMES = ['door one', 'door two', 'door three', 'door four'];
async function addCanaries(page: Page): Promise<void> {
  for (const name of NAMES) {
    const answer = await page.request.post(`${server.url}/api/db/canaries`, {
      headers: { origin: server.url },
      data: {
        name,
        namespace: 'default',
        source: 'UI',
        spec: { schedule: '@every 1h', http: [{ name, url: 'http://127.0.0.1:9/' }] },
      },
    });
    expect(answer.status()).toBe(201);
  }
}

test('checks are chosen by box, key and range, paused, and that is undone; then for good', async ({
  page,
}) => {
  await logIn(page, server.url);
  await addCanaries(page);
  await page.goto(`${server.url}/health?query=door&groupBy=none&hidePassing=false&sortBy=name`);
  const rows = page.getByRole('row').filter({ hasText: 'door' });
  await expect(rows).toHaveCount(4, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  await rows.nth(0).getByRole('checkbox').check();
  await rows
    .nth(2)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('3 chosen');
  await rows.nth(2).focus();
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('2 chosen');
  await bar(page).getByRole('button', { name: 'Choose all 4 that match' }).click();
  await expect(bar(page)).toContainText('4 chosen');
  expect(await findings(page)).toEqual([]);

  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await expect(report(page)).toContainText('4 waiting');
  await report(page).getByRole('button', { name: 'Undo' }).click();
  await expect(report(page)).toContainText('nothing was sent');
  await expect(rows.filter({ hasText: 'Not run: paused' })).toHaveCount(0);
  await report(page).getByRole('button', { name: 'Close' }).click();

  // Without a network it waits on the device, and each row says so.
  await page.context().setOffline(true);
  await rows.nth(1).getByRole('checkbox').check();
  await bar(page).getByRole('button', { name: 'Run now' }).click();
  await expect(report(page)).toContainText('1 waiting');
  await expect(rows.nth(1)).toContainText('Run is pending');
  await report(page).getByRole('button', { name: 'Undo' }).click();
  await expect(rows.filter({ hasText: 'is pending' })).toHaveCount(0);
  await report(page).getByRole('button', { name: 'Close' }).click();
  await page.context().setOffline(false);

  await rows.nth(0).getByRole('checkbox').check();
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await expect(report(page)).toContainText('1 done', { timeout: 60_000 });
  await report(page).getByText('One by one').click();
  await expect(report(page).getByRole('listitem')).toContainText('done');
  await expect(rows.filter({ hasText: 'Not run: paused' })).toHaveCount(1, { timeout: 60_000 });
});

test('a group that is closed is chosen with its checks, by box and key, and says how much of it is', async ({
  page,
}) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/health?query=door&groupBy=type&hidePassing=false`);
  const group = page.getByRole('row').filter({ hasText: 'http' }).first();
  await expect(group).toHaveAttribute('aria-expanded', 'false', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  const box = group.getByRole('checkbox');
  await box.click();
  await expect(box).toBeChecked();
  await expect(bar(page)).toContainText('4 chosen');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await group.click({ position: { x: 8, y: 12 } });
  const checks = page.getByRole('row').filter({ hasText: 'door' });
  await expect(checks).toHaveCount(4);
  await checks.nth(1).getByRole('checkbox').uncheck();
  await expect(bar(page)).toContainText('3 chosen');
  expect(await box.evaluate((element) => (element as HTMLInputElement).indeterminate)).toBe(true);
  await group.focus();
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('4 chosen');
  await page.keyboard.press('x');
  await expect(bar(page)).toHaveCount(0);

  // On a phone the list keeps the screen: what may be done is one row, moved sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  await box.click();
  // Which checks a closed group has, the worker says.
  await expect(bar(page)).toContainText('4 chosen');
  const tops = await bar(page)
    .getByRole('button', { name: /^(Acknowledge|Run now|Pause|Resume|Label|Move|Delete)/ })
    .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().top)));
  expect(tops).toHaveLength(7);
  expect(new Set(tops).size).toBe(1);
  await bar(page).getByRole('button', { name: 'Delete' }).scrollIntoViewIfNeeded();
  await expect(bar(page).getByRole('button', { name: 'Delete' })).toBeInViewport();
  await bar(page).getByRole('button', { name: 'Choose none' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('documents are labelled and deleted from their list, each with its result', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, server.url);
  await page.goto(`${server.url}/settings/canaries`);
  await page.getByRole('checkbox', { name: 'Choose door one' }).check({ timeout: 60_000 });
  await page.getByRole('checkbox', { name: 'Choose door two' }).check();
  await bar(page).getByRole('button', { name: 'Label …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('not a name');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toContainText('Letters, digits');
  await dialog.getByLabel('Name').fill('team');
  await dialog.getByLabel('Value').fill('shop');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Label is pending')).toHaveCount(2);
  await expect(report(page)).toContainText('2 done', { timeout: 60_000 });
  await expect(page.getByText('Label is pending')).toHaveCount(0, { timeout: 60_000 });
  // Of the test before.
  await expect(page.getByText('Paused', { exact: true })).toHaveCount(1);
  await report(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('checkbox', { name: 'Choose door one' }).check();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(report(page)).toContainText('1 done', { timeout: 60_000 });
  await expect(page.getByRole('checkbox', { name: 'Choose door one' })).toHaveCount(0, { timeout: 60_000 });
});
