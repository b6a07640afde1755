/** Small dialogs and words of an incident's page (spec 3 §2, §4, §5, §8) that no other test walks through. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident, numbered } from './support/incident-page.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.setTimeout(300_000);

const server = fileServer();

const panel = (page: Page) => page.getByRole('complementary', { name: 'About the incident' });
const status = (page: Page) => page.getByRole('combobox', { name: 'Status', exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const evidence = (page: Page) => page.locator('[data-hypothesis] [data-evidence]');

async function addCommentEvidence(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add evidence' }).first().click();
  await dialog(page)
    .getByRole('button', { name: /^Comment/ })
    .click();
  await dialog(page).getByLabel('What was seen').fill(text);
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what is empty says so: changelog, evidences, comment; and the title of the tab is the incident’s', async ({
    page,
    context,
  }) => {
    await logIn(page, server.url);
    await page.goto(`${server.url}/incidents`);
    await expect(page.getByText('There are no incidents matching this criteria')).toBeVisible({
      timeout: 60_000,
    });
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    await createIncident(page, server.url, 'Nothing known yet');
    await expect(page).toHaveTitle(/^Incident - Nothing known yet/);
    // The server writes the changelog, and has not heard of it.
    await page.getByRole('button', { name: 'Changelog' }).click();
    await expect(page.getByText('No changelog found')).toBeVisible();
    await page.getByLabel('Comment', { exact: true }).press('ControlOrMeta+Enter');
    await expect(page.getByText('Please add comment details')).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await status(page).selectOption({ label: 'Resolved' });
    await expect(dialog(page).getByText('There are no evidences provided for this incident')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(status(page)).toHaveValue('open');
    await page.getByRole('button', { name: 'Definition of done' }).click();
    await expect(
      panel(page).getByText('There are no evidences which are part of the definition of done'),
    ).toBeVisible();
    await panel(page).getByRole('button', { name: 'Add definition of done' }).click();
    await expect(
      dialog(page).getByText('There are no evidences which are not part of definition of done'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await numbered(page);
    await page.getByRole('button', { name: 'Changelog' }).click();
    await expect(page.locator('[data-event="incident.created"]')).toBeVisible({ timeout: 60_000 });
  });
});

test('the header closes with a way back and reopens, and each is said', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'To and fro');
  await numbered(page);
  const close = page.getByRole('button', { name: 'Close', exact: true });
  const undo = page.getByRole('button', { name: 'Undo' });
  await close.click();
  await expect(status(page)).toHaveValue('closed');
  await undo.click();
  await expect(status(page)).toHaveValue('open');
  await expect(undo).toBeHidden();
  await close.click();
  await expect(page.getByText(/: Closed/)).toBeVisible();
  await expect(status(page)).toHaveValue('closed');
  await expect(status(page).getByRole('option')).toHaveCount(2);
  await expect(undo).toBeHidden({ timeout: 30_000 });
  const said = page.getByText('Incident status updated successfully');
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(status(page)).toHaveValue('open');
  await expect(said).toBeVisible();
  await page.getByRole('button', { name: 'Changelog' }).click();
  await expect(page.locator('[data-event="incident.status_updated"]')).toHaveCount(2, { timeout: 60_000 });
});

test('evidence goes into the definition of done and out of it, marks its hypothesis, and is done or not by hand', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'By hand');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await expect(page.getByText('No Evidence', { exact: true })).toBeVisible({ timeout: 60_000 });
  await addCommentEvidence(page, 'Queue is empty');
  const choose = async (name: string) => {
    await evidence(page).getByRole('button', { name: 'Actions of this evidence' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const border = () =>
    page.locator('[data-hypothesis]').evaluate((card) => getComputedStyle(card).borderTopColor);
  const plain = await border();
  await choose('Add to definition of done');
  await expect(evidence(page).getByText('Definition of done', { exact: true })).toBeVisible();
  await expect.poll(border).not.toBe(plain);
  await choose('Mark as resolved');
  await dialog(page).getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(evidence(page).getByText('Resolved', { exact: true })).toBeVisible();
  // All of the definition of done is done: the server ends the incident by itself, and begins it again.
  await expect(status(page)).toHaveValue('resolved', { timeout: 60_000 });
  await choose('Mark as not resolved');
  await expect(dialog(page)).toContainText('Mark this as not resolved?');
  await dialog(page).getByRole('button', { name: 'Mark as not resolved' }).click();
  await expect(evidence(page).getByText('Resolved', { exact: true })).toHaveCount(0);
  await expect(status(page)).toHaveValue('open', { timeout: 60_000 });
  await choose('Remove from definition of done');
  await expect(evidence(page).getByText('Definition of done', { exact: true })).toHaveCount(0);
  await expect.poll(border).toBe(plain);
});

test('comments of hypotheses are expanded and collapsed all at once, and the address says so', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Much said');
  await comment(page, 'First thought');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  const said = page.locator('[data-hypothesis]').getByText('First thought');
  await expect(page.getByRole('button', { name: '1 comment' })).toBeVisible();
  await expect(said).toBeHidden();
  await page.getByRole('button', { name: 'Expand All' }).click();
  await expect(page).toHaveURL(/comments=true/);
  await expect(said).toBeVisible();
  await page.reload();
  await expect(said).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Collapse All' }).click();
  await expect(page).not.toHaveURL(/comments=true/);
  await expect(said).toBeHidden();
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByLabel('Comment on the hypothesis').fill('Second thought');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('button', { name: '2 comments' })).toBeVisible();
});

test('a hypothesis’ title and status are saved where they stand', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Edited in place');
  await numbered(page);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await page.getByLabel('Status of the hypothesis').selectOption({ label: 'Proven' });
  const title = page.getByRole('textbox', { name: 'Hypothesis' });
  await title.fill('It was the cable');
  const stored = async () =>
    (
      await page.request.get(`${server.url}/api/db/hypotheses?incident_id=eq.${id}&select=title,status`)
    ).json();
  // Without a key: after its pause.
  await expect.poll(stored, { timeout: 60_000 }).toEqual([{ title: 'It was the cable', status: 'proven' }]);
  await page.getByRole('button', { name: 'Changelog' }).click();
  await expect(page.locator('[data-event="hypothesis.status_updated"]')).toBeVisible({ timeout: 60_000 });
});

test('a comment without a hypothesis to be about is asked for one, and its text stays', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Without a theory');
  await numbered(page);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await expect(page.getByRole('textbox', { name: 'Hypothesis', exact: true })).toHaveCount(1, {
    timeout: 60_000,
  });
  const gone = await page.request.delete(`${server.url}/api/db/hypotheses?incident_id=eq.${id}`, {
    headers: { origin: server.url },
  });
  expect(gone.status()).toBe(204);
  await expect(page.getByRole('textbox', { name: 'Hypothesis', exact: true })).toHaveCount(0, {
    timeout: 60_000,
  });
  await page.getByRole('tab', { name: 'Comments' }).click();
  const field = page.getByLabel('Comment', { exact: true });
  await field.fill('About what?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Please select any hypothesis')).toBeVisible();
  await expect(field).toHaveValue('About what?');
});
