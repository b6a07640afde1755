/** 'Link to Incident': what a screen shows becomes evidence of an incident, with and without a network. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { createIncident } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

/** Several steps each, with a network that comes and goes. */
test.setTimeout(300_000);

const server = fileServer();
const ITEM = '41000000-0000-4000-8000-000000000001';

/** The item's page, ready to be attached. */
async function openItem(page: Page): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/db/config_items`, {
    headers: { origin: server.url, prefer: 'resolution=merge-duplicates' },
    data: { id: ITEM, name: 'checkout', type: 'Kubernetes::Deployment', config_class: 'Deployment' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto(`${server.url}/catalog/${ITEM}`);
  await expect(page.getByRole('button', { name: 'Attach as Evidence' }).first()).toBeVisible({
    timeout: 60_000,
  });
}

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Attach as Evidence' }).first().click();
  return page.getByRole('dialog', { name: 'Link to Incident' });
}

/** By the link of the message that says so: it is there for five seconds, so both are found at once. */
const followLinked = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: 'Linked to incident successfully' })
    .getByRole('link', { name: 'Open incident' })
    .click();

test('what is shown is linked to an incident that is searched for, and its only hypothesis is chosen', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Shop is down');
  const address = page.url();
  await openItem(page);
  const dialog = await openDialog(page);
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(dialog.getByText('Must select or create an incident')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('combobox', { name: 'Incident' }).fill('shop is');
  await dialog.getByRole('option', { name: /^Shop is down/ }).click();
  // Its root hypothesis carries the incident's title.
  await expect(dialog.getByRole('button', { name: 'Change hypothesis' })).toBeVisible({ timeout: 60_000 });
  expect(await findings(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Change hypothesis' }).click();
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(dialog.getByText('Must select or create a hypothesis')).toBeVisible();
  const hypothesis = dialog.getByRole('combobox', { name: 'Hypothesis' });
  await hypothesis.fill('Bad release');
  await hypothesis.press('Enter');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await followLinked(page);
  await expect(page).toHaveURL(address);
  await page.getByRole('tab', { name: 'Action Plan' }).click();
  await expect(page.getByRole('textbox', { name: 'Hypothesis' }).nth(1)).toHaveValue('Bad release');
  await expect(page.locator('[data-evidence]')).toHaveCount(1);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network a new incident is made with it, and all of it arrives in order', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url);
    await openItem(page);
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    const dialog = await openDialog(page);
    await dialog.getByRole('combobox', { name: 'Incident' }).fill('Found in a tunnel');
    await dialog.getByRole('option', { name: 'Create “Found in a tunnel”' }).click();
    await expect(dialog.getByLabel(/^Type/)).toHaveValue('availability');
    await expect(dialog.getByLabel(/^Severity/)).toHaveValue('low');
    await dialog.getByLabel(/^Severity/).selectOption('');
    await dialog.getByLabel(/^Type/).selectOption('');
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await expect(dialog.getByText('Please select incident severity')).toBeVisible();
    await expect(dialog.getByText('Please select an incident type')).toBeVisible();
    await dialog.getByLabel(/^Severity/).selectOption('high');
    await dialog.getByLabel(/^Type/).selectOption('security');
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await followLinked(page);
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Found in a tunnel');
    await context.setOffline(false);
    const arrived = async () => {
      const answer = await page.request.get(
        `${server.url}/api/db/incidents?title=eq.Found%20in%20a%20tunnel&select=severity,type,hypotheses(evidences(config_id))`,
      );
      return answer.json();
    };
    await expect
      .poll(arrived, { timeout: 60_000 })
      .toEqual([{ severity: 'high', type: 'security', hypotheses: [{ evidences: [{ config_id: ITEM }] }] }]);
  });
});
