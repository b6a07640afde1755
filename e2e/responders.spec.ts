/** Who responds: the wizard's ways, what its fields hang on, templates, offline, and who may not. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { createIncident, numbered } from './support/incident-page.ts';
import { findings } from './support/findings.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { addTeam } from './support/teams.ts';

/** Each test signs in anew and walks through a whole dialog. */
test.setTimeout(300_000);

const server = fileServer({ roles: ['viewer', 'responder'] });

const JIRA = {
  defaults: {
    project: 'OPS',
    summary: '[{{.incident.severity}}] ${incident.title}',
    description: '{{form.summary}} ({{form.project}})',
  },
  linkUrl: 'https://jira.example/browse/{{external_id}}',
  values: {
    projects: [
      { key: 'OPS', name: 'Operations', issueTypes: [{ id: '1', name: 'Bug' }], priorities: ['High'] },
      { key: 'WEB', name: 'Website', issueTypes: [{ id: '2', name: 'Story' }], priorities: ['Low'] },
    ],
  },
};
const MANY = ['email', 'jira', 'service_now', 'ca', 'aws_support', 'redhat', 'oracle', 'vmware'];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const page = await browser.newPage();
  await signIn(page, server.url);
  await addTeam(page, 'Platform', { responder_clients: { jira: JIRA, email: {} } });
  await addTeam(page, 'Everything', {
    responder_clients: Object.fromEntries(MANY.map((type) => [type, {}])),
  });
  await addTeam(page, 'Nobody asked', {});
  await page.close();
});

const wizard = (page: Page) => page.getByRole('dialog');
const entries = (page: Page) => page.locator('[data-responder]');
/** Who can be asked comes with the first load. */
async function press(button: Locator): Promise<void> {
  await expect(button).toBeVisible({ timeout: 60_000 });
  await button.click();
}
const choose = (page: Page, name: string) => press(wizard(page).getByRole('button', { name, exact: true }));
async function openWizard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Responders' }).click();
  await expect(wizard(page).getByRole('heading', { name: 'Select Responder' })).toBeVisible();
}
/** Somebody, found by name, who isn't asked through any system. */
async function addDirectly(page: Page, who: string): Promise<void> {
  await openWizard(page);
  await wizard(page).getByLabel('Search people and teams').fill(who);
  await press(
    wizard(page)
      .getByRole('button', { name: new RegExp(who, 'i') })
      .first(),
  );
  await choose(page, 'Add directly');
}

test('a team is asked through Jira: what hangs on what, defaults from the incident, every field required', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Shop is slow');
  await openWizard(page);
  await expect(wizard(page).getByText('OR', { exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await choose(page, 'Nobody asked');
  await expect(wizard(page).getByText('There were no responders configured for this team')).toBeVisible();
  await choose(page, 'Back');
  await wizard(page).getByLabel('Search people and teams').fill('platf');
  await choose(page, 'Platform');
  await expect(wizard(page).getByRole('heading', { name: 'Responder Type' })).toBeVisible();
  await choose(page, 'Jira');
  await expect(wizard(page).getByRole('heading', { name: 'Save Team Responder details' })).toBeVisible();
  await choose(page, 'Back');
  await choose(page, 'Jira');

  const field = (name: string) => wizard(page).getByLabel(name, { exact: true });
  await expect(field('Project')).toBeDisabled();
  await expect(field('Issue Type')).toBeDisabled();
  await expect(field('Priority')).toBeDisabled();
  await expect(field('Summary')).toHaveValue('[low] Shop is slow');
  await choose(page, 'Save');
  await expect(wizard(page).getByText('Please provide valid value').first()).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await field('Instance').selectOption({ index: 1 });
  // The team's default project, which the user may change.
  await expect(field('Project')).toHaveValue('OPS');
  await field('Issue Type').selectOption({ label: 'Bug' });
  await expect(field('Description')).toHaveValue('[low] Shop is slow (OPS)');
  await field('Project').selectOption({ label: 'Website' });
  await expect(field('Issue Type')).toHaveValue('');
  await expect(field('Description')).toHaveValue('[low] Shop is slow (WEB)');
  await field('Issue Type').selectOption({ label: 'Story' });
  await field('Priority').selectOption({ label: 'Low' });
  await field('Summary').fill('Checkout hangs');
  await expect(field('Description')).toHaveValue('Checkout hangs (WEB)');
  await choose(page, 'Save');

  await expect(page.getByText('Responder added successfully')).toBeVisible({ timeout: 60_000 });
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page)).toContainText('Platform');
  await expect(entries(page)).toContainText('Jira');
  const stored = async () =>
    (await page.request.get(`${server.url}/api/db/responders?select=type,properties`)).json();
  await expect.poll(stored, { timeout: 60_000 }).toMatchObject([
    {
      type: 'system',
      properties: { responderType: 'jira', project: 'WEB', issueType: '2', summary: 'Checkout hangs' },
    },
  ]);
  // Who responds is not offered again.
  await openWizard(page);
  await expect(wizard(page).getByRole('button', { name: 'Everything' })).toBeVisible();
  await expect(wizard(page).getByRole('button', { name: 'Platform' })).toHaveCount(0);
});

test('more than six types are scrolled to', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Many systems');
  await openWizard(page);
  await choose(page, 'Everything');
  const list = wizard(page).getByRole('list', { name: 'Responder Type' });
  await expect(list.getByRole('button')).toHaveCount(MANY.length);
  await expect.poll(() => list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  await choose(page, 'E-mail');
  await wizard(page).getByLabel('To', { exact: true }).fill('nobody');
  await wizard(page).getByLabel('Subject').fill('Help');
  await wizard(page).getByLabel('Body').fill('Please');
  await choose(page, 'Save');
  await expect(wizard(page).getByText('Please provide valid value')).toHaveCount(1);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a person is added directly, offline, says how far they are, and is removed', async ({
    page,
    context,
  }) => {
    await logIn(page, server.url, accountOf('responder'));
    await createIncident(page, server.url, 'On a train');
    await numbered(page);
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    await addDirectly(page, 'responder');
    await expect(page.getByText('Responder saved on this device')).toBeVisible();
    await expect(entries(page).locator('[data-pending="kept"]')).toBeVisible();

    const name = entries(page).getByRole('button').first();
    await name.click();
    const card = page.getByRole('dialog', { name: /^About / });
    await card.getByRole('button', { name: 'Acknowledge' }).click();
    await expect(entries(page).locator('[data-progress="acknowledged"]')).toBeVisible();
    await expect(card.getByText(/^Time taken to acknowledge: /)).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await context.setOffline(false);
    await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
    await expect(entries(page).locator('[data-progress="acknowledged"]')).toBeVisible();
    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('Responder deleted successfully')).toBeVisible({ timeout: 60_000 });
    await expect(entries(page)).toHaveCount(0);

    await page.getByRole('button', { name: 'Changelog' }).click();
    await expect(page.locator('[data-event="responder.created"]')).toContainText('Responder added', {
      timeout: 60_000,
    });
    await expect(page.locator('[data-event="incident.created"]')).toContainText('Incident created');
  });
});

test('the card shows by itself when the pointer rests on a responder', async ({ page }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Hover');
  await addDirectly(page, 'viewer');
  // Nothing moves under the pointer any more.
  await numbered(page);
  await expect(entries(page)).toHaveCount(1);
  await expect(page.locator('[data-pending]')).toHaveCount(0, { timeout: 60_000 });
  await entries(page).getByRole('button').first().hover();
  const card = page.getByRole('dialog', { name: /^About / });
  await expect(card).toBeVisible();
  await expect(card.getByText('Acknowledged', { exact: true })).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(card).toBeHidden();
  // What the question asks is never below the card that the pointer had opened.
  await entries(page).getByRole('button').first().hover();
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click({ trial: true });
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a viewer sees who responds and changes nothing', async ({ page, browser }) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'To be looked at');
  await addDirectly(page, 'responder');
  await expect(page.getByText('Responder added successfully')).toBeVisible({ timeout: 60_000 });
  const address = page.url();
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await logIn(other, server.url, accountOf('viewer'));
  await other.goto(address);
  await expect(entries(other)).toHaveCount(1, { timeout: 60_000 });
  await expect(other.getByRole('button', { name: 'Add Responders' })).toHaveCount(0);
  await expect(other.getByRole('button', { name: /^Remove / })).toHaveCount(0);
  await entries(other).getByRole('button').first().click();
  await expect(other.getByRole('dialog', { name: /^About / })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  await elsewhere.close();
});
