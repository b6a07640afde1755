/** What is written or chosen on an incident in passing: nothing of it is lost, and it says what it should. */
import { expect, test, type Page } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { createIncident, createIncidentHere, numbered } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { addTeam } from './support/teams.ts';

/** Each test signs in anew. */
test.setTimeout(300_000);

const server = fileServer();

const stored = (page: Page, path: string) =>
  page.evaluate(async (from) => (await (await fetch(`/api/db/${from}`)).json()) as unknown, path);

test('a choice that is left behind at once is kept', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Left in a hurry');
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByLabel('Severity', { exact: true }).selectOption('critical');
  // Long before the half second after which it would be sent.
  await page.getByRole('tab', { name: 'Changelog' }).click();
  await expect
    .poll(() => stored(page, 'incidents?select=severity&title=eq.Left%20in%20a%20hurry'), {
      timeout: 60_000,
    })
    .toEqual([{ severity: 'critical' }]);
});

test('a comment on a hypothesis mentions people, and Escape does not throw it away', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Who knows the queue');
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await page.getByRole('button', { name: 'Add comment' }).click();
  const field = page.getByLabel('Comment on the hypothesis');
  await field.pressSequentially('Ask @');
  const people = page.getByRole('listbox', { name: 'People to mention' });
  await expect(people.getByRole('option')).not.toHaveCount(0, { timeout: 60_000 });
  await expect(people.getByRole('option', { name: 'System' })).toHaveCount(0);
  await field.press('Enter');
  await field.press('Escape');
  await expect(field).toHaveValue(/^Ask @\S/);
  await field.press('Control+Enter');
  await expect(field).toHaveCount(0);
  await page.getByRole('button', { name: '1 comment' }).click();
  await expect(page.locator('[data-comment]')).toContainText(/Ask @\S/);
  await expect
    .poll(async () => JSON.stringify(await stored(page, 'comments?select=comment')), { timeout: 60_000 })
    .toMatch(/Ask @\[[^\]]+\]\(user:[0-9a-f-]{36}\)/);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('defaults of a team name the incident in the short form, and wait for its number', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url);
    const defaults = { to: 'oncall@example.com', subject: '[{{number}}] {{title}}', body: '{{severity}}' };
    await addTeam(page, 'On call', { responder_clients: { email: { defaults } } });
    await createIncidentHere(page, 'Mail me');
    await numbered(page);
    const dialog = page.getByRole('dialog');
    const open = async () => {
      await page.getByRole('button', { name: 'Add Responders' }).click();
      const team = dialog.getByRole('button', { name: 'On call', exact: true });
      await expect(team).toBeVisible({ timeout: 60_000 });
      await team.click();
      await dialog.getByRole('button', { name: 'E-mail', exact: true }).click();
    };
    await open();
    await expect(dialog.getByLabel('Subject')).toHaveValue(/^\[INC-\d+\] Mail me$/);
    await expect(dialog.getByLabel('Body')).toHaveValue('low');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    await page.getByRole('link', { name: 'Incidents' }).first().click();
    await page.getByRole('button', { name: 'New incident' }).click();
    await page.getByLabel('Title').fill('No network');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('No network');
    await expect(dialog).toHaveCount(0);
    await open();
    await expect(dialog.getByLabel('Subject')).toHaveValue('[INC-…] No network');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await context.setOffline(false);
    // What the server fills in isn't sent as this device's guess.
    await expect
      .poll(() => stored(page, 'responders?select=properties'), { timeout: 60_000 })
      .toEqual([{ properties: { responderType: 'email', to: 'oncall@example.com', body: 'low' } }]);
  });
});
