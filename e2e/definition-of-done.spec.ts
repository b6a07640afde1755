/** The definition of done on the incident's page: by hand, by script, with and without a network. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { createIncident, numbered } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

/** Several steps each, with a network that comes and goes. */
test.setTimeout(300_000);

const server = fileServer();

const panel = (page: Page) => page.getByRole('complementary', { name: 'About the incident' });
const wizard = (page: Page) => page.getByRole('dialog', { name: 'Add definition of done' });

async function rowsOf(page: Page, path: string): Promise<Record<string, unknown>[]> {
  const answer = await page.request.get(`${server.url}/api/db/${path}`);
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** Adds what is done by hand; without the wizard, the panel alone has its words. */
async function addByHand(page: Page, text: string): Promise<void> {
  await panel(page).getByRole('button', { name: 'Add definition of done' }).click();
  await wizard(page).getByRole('radio', { name: 'By hand' }).click();
  await wizard(page).getByLabel('What has to be done').fill(text);
  await wizard(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(wizard(page)).toBeHidden();
}

/** An incident with one evidence, about a config item that is unhealthy. Answers the incident's id. */
async function prepareIncident(page: Page, title: string): Promise<string> {
  await createIncident(page, server.url, title);
  await numbered(page);
  const id = /incidents\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
  const [root] = await rowsOf(page, `hypotheses?incident_id=eq.${id}&select=id,created_by`);
  const item = { name: title, type: 'Kubernetes::Pod', config_class: 'Pod', health: 'unhealthy' };
  const insert = (table: string, data: Record<string, unknown>) =>
    page.request.post(`${server.url}/api/db/${table}?select=id`, {
      headers: { origin: server.url, prefer: 'return=representation' },
      data,
    });
  const [config] = await (await insert('config_items', item)).json();
  const answer = await insert('evidences', {
    hypothesis_id: root?.id,
    created_by: root?.created_by,
    type: 'config',
    description: 'pod',
    config_id: config.id,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto(`${server.url}/incidents/${id}?tab=plan&panel=done`);
  await expect(page.locator('[data-evidence]')).toHaveCount(1, { timeout: 60_000 });
  return id;
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('is written offline, by script and by hand, and evaluated when the network is back', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url);
    await waitUntilOfflineReady(page);
    await prepareIncident(page, 'Pods restart');
    await expect(panel(page).getByText('There are no evidences which are part')).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');

    await panel(page).getByRole('button', { name: 'Add definition of done' }).click();
    await expect(wizard(page).getByRole('button', { name: 'Next' })).toBeDisabled();
    await wizard(page).getByLabel('Type of evidence').selectOption('log');
    await expect(wizard(page).getByText('There are no evidences which are not part')).toBeVisible();
    await wizard(page).getByLabel('Type of evidence').selectOption('config');
    await wizard(page).getByRole('checkbox').check();
    expect(await findings(page)).toEqual([]);
    await wizard(page).getByRole('button', { name: 'Next' }).click();
    await expect(wizard(page).getByText('config.health == "healthy"')).toBeVisible();
    await expect(wizard(page).getByRole('button', { name: 'Try it' })).toBeDisabled();
    await expect(wizard(page).getByText('Scripts run on the server')).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await wizard(page).getByRole('button', { name: 'Add', exact: true }).click();
    await expect(wizard(page)).toBeHidden();
    await expect(panel(page).locator('[data-done="unevaluated"]')).toHaveText('Never evaluated');

    await addByHand(page, 'Tell the customer');
    await expect(panel(page).getByText('Tell the customer')).toBeVisible();
    await expect(panel(page).getByText('2 evidences')).toBeAttached();
    await panel(page).getByRole('button', { name: 'Evaluate again' }).click();
    await expect(panel(page).getByText('Is evaluated as soon as there is a connection')).toBeVisible();

    await context.setOffline(false);
    const byScript = panel(page).locator('[data-evidence]').first();
    await expect(byScript.locator('[data-done="not-done"]')).toBeVisible({ timeout: 90_000 });
    await byScript.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Edit script' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit script' });
    await editor.getByRole('button', { name: 'Try it' }).click();
    await expect(editor.getByText('It says: not done')).toBeVisible({ timeout: 60_000 });
    await editor.getByRole('button', { name: 'Gone for good' }).click();
    await editor.getByRole('button', { name: 'Save' }).click();
    await expect(editor).toBeHidden();
    await expect(byScript.getByText('config.deleted_at != null')).toBeVisible();
  });
});

test('what is done by hand is marked after a question, and taken out again', async ({ page }) => {
  await logIn(page, server.url);
  const id = await prepareIncident(page, 'Queue grows');
  await addByHand(page, 'Drain it');
  const item = panel(page).locator('[data-evidence]');
  await item.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Mark as resolved' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(item.locator('[data-done="done"]')).toBeVisible();
  await panel(page).getByRole('button', { name: 'View all (1)' }).click();
  const all = page.getByRole('dialog', { name: 'Definition of done', exact: true });
  await expect(all.locator('[data-done="done"]')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await all.locator('[data-evidence]').getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page
    .getByRole('dialog', { name: 'Remove from definition of done' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(all.getByText('There are no evidences which are part')).toBeVisible();
  const left = `evidences?description=eq.Drain%20it&select=definition_of_done`;
  await expect.poll(() => rowsOf(page, left), { timeout: 60_000 }).toEqual([{ definition_of_done: false }]);
  expect(id).not.toBe('');
});

test('ending the trouble asks what shows it: Cancel, Skip or Submit', async ({ page }) => {
  await logIn(page, server.url);
  await prepareIncident(page, 'Disk full');
  const status = page.getByLabel('Status', { exact: true });
  const dialog = page.getByRole('dialog', { name: 'Add contributing factors to definition of done' });
  await status.selectOption('mitigated');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog.getByText('Please select atleast one evidence')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(status).toHaveValue('open');
  await status.selectOption('mitigated');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(status).toHaveValue('mitigated');
  await expect(panel(page).locator('[data-evidence]')).toHaveCount(1);
});

test('the action plan is a tree for the keyboard, and moves and disproves hypotheses', async ({ page }) => {
  await logIn(page, server.url);
  await prepareIncident(page, 'Slow pages');
  const field = (at: number) => page.getByRole('textbox', { name: 'Hypothesis', exact: true }).nth(at);
  const add = async (at: number, title: string) => {
    await page.getByRole('button', { name: 'Add a hypothesis below' }).nth(at).click();
    await page.getByLabel('New hypothesis').fill(title);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // Until its field is gone, the hypothesis above offers nothing more, and is not counted.
    await expect(page.getByLabel('New hypothesis')).toHaveCount(0);
  };
  await add(0, 'Database');
  await expect(field(1)).toHaveValue('Database');
  await add(0, 'Network');
  await expect(field(2)).toHaveValue('Network');
  await add(1, 'Add an index');
  await expect(field(2)).toHaveValue('Add an index');
  const rows = page.getByRole('treegrid').getByRole('row');
  await expect(rows.nth(2)).toHaveAttribute('aria-level', '3');
  // The chain ends with a solution.
  await expect(page.getByRole('button', { name: 'Add a hypothesis below' })).toHaveCount(3);
  expect(await findings(page)).toEqual([]);

  await rows.nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(rows.nth(1)).toHaveAttribute('aria-expanded', 'false');
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await expect(rows).toHaveCount(4);
  await page.keyboard.press('End');
  await expect(rows.nth(3)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(rows.nth(0)).toBeFocused();

  // Where it stands among its new siblings is the order in which they were made.
  const network = page.getByRole('row', { name: 'Network', exact: true });
  await network.getByRole('button', { name: 'What can be done with Network' }).click();
  await page.getByRole('menuitem', { name: 'Move below …' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Database/ })
    .click();
  await expect(network).toHaveAttribute('aria-level', '3');
  await expect(network).toContainText('Solution');

  await network.getByRole('button', { name: 'What can be done with Network' }).click();
  await page.getByRole('menuitem', { name: 'Delete hypothesis' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete hypothesis' });
  await asked.getByRole('button', { name: 'Disprove' }).click();
  await expect(network.getByLabel('Status of the hypothesis')).toHaveValue('disproven');
  await network.getByRole('button', { name: 'What can be done with Network' }).click();
  await page.getByRole('menuitem', { name: 'Delete hypothesis' }).click();
  await asked.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows).toHaveCount(3);
});
