/** What becomes of a call for help in an outside system, as the incident's page tells it; the system is played here. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { StandInJira } from '../server/incidents/responders/testing/stand-in-jira.ts';
import { startStandInJira, statusOf } from '../server/incidents/responders/testing/stand-in-jira.ts';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { comment, createIncident } from './support/incident-page.ts';
import { logIn, signIn } from './support/sign-in.ts';
import { addTeam } from './support/teams.ts';

test.setTimeout(600_000);

let server: HoldfastServer;
let jira: StandInJira;

const PASSWORD = 'token of the bot';
const OPTIONS = {
  projects: [
    { key: 'OPS', name: 'Operations', issueTypes: [{ id: '1', name: 'Task' }], priorities: ['High'] },
  ],
};
const DEFAULTS = {
  project: 'OPS',
  issueType: '1',
  priority: 'High',
  summary: '{{title}}',
  description: 'Please help',
};

const clients = (password: string) => ({
  responder_clients: {
    jira: { url: jira.url, username: 'bot', password, defaults: DEFAULTS, values: OPTIONS },
  },
});

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  jira = await startStandInJira('bot', PASSWORD);
  server = await prepareServer({ env: { EGRESS_ALLOW: 'loopback' } });
  await startWithRoles(server, ['viewer']);
  const page = await browser.newPage();
  await signIn(page, server.url);
  await addTeam(page, 'Platform', clients(PASSWORD));
  await addTeam(page, 'Locked out', clients('an old one'));
  await page.close();
});

test.afterAll(async () => {
  await server.dispose();
  await jira.close();
});

const entry = (page: Page) => page.locator('[data-responder]');
const delivery = (page: Page, state: string) => entry(page).locator(`[data-delivery="${state}"]`);

/** Asks the team through Jira, with what its form starts with. */
async function ask(page: Page, team: string): Promise<void> {
  // A card that opens under the pointer is a dialog, too, but no `dialog` element.
  const wizard = page.locator('dialog');
  const press = (name: string) => wizard.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Add Responders' }).click();
  await press(team);
  await press('Jira');
  await wizard.getByLabel('Instance', { exact: true }).selectOption({ index: 1 });
  await expect(wizard.getByLabel('Project', { exact: true })).toHaveValue('OPS');
  await wizard.getByLabel('Issue Type', { exact: true }).selectOption({ label: 'Task' });
  await wizard.getByLabel('Priority', { exact: true }).selectOption({ label: 'High' });
  await press('Save');
  await expect(wizard).toBeHidden();
}

test('a system that is down is tried again by itself; then both sides say what they have to say', async ({
  page,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Checkout is slow');
  jira.trouble.push({
    path: /\/issue$/,
    method: 'POST',
    answer: { status: 503, body: { errorMessages: ['Jira is being upgraded'] } },
    times: 1,
  });
  await ask(page, 'Platform');
  await expect(delivery(page, 'waiting')).toContainText('On its way to Jira; one attempt failed', {
    timeout: 60_000,
  });
  await expect(entry(page)).toContainText('Jira is being upgraded');
  await expect(entry(page).getByRole('button', { name: 'Retry' })).toHaveCount(0);
  expect(await findings(page)).toEqual([]);

  // The second attempt comes after half a minute.
  await expect(delivery(page, 'delivered')).toHaveText('Reached Jira', { timeout: 150_000 });
  await expect(entry(page).getByRole('link', { name: 'OPS-1' })).toHaveAttribute(
    'href',
    `${jira.url}/browse/OPS-1`,
  );
  await expect(entry(page)).not.toContainText('Jira is being upgraded');
  expect(jira.issues.map(({ fields }) => fields['summary'])).toEqual(['Checkout is slow']);
  await comment(page, 'Since the release of noon');
  await expect
    .poll(() => jira.issues[0]?.comments.map(({ body }) => body).join(), { timeout: 90_000 })
    .toContain('Since the release of noon');

  const [issue] = jira.issues;
  if (issue === undefined) throw new Error('no issue');
  issue.comments.push({ id: 'theirs', body: 'Rolled back', author: { displayName: 'Grace Hopper' } });
  issue.status = statusOf('In Progress');
  await server.stop();
  execFileSync(process.execPath, ['--import', 'tsx', 'e2e/support/read-outside-soon.ts', server.dataDir]);
  await server.start();
  const theirs = page.locator('[data-comment]').filter({ hasText: 'Rolled back' });
  await expect(theirs).toContainText('Grace Hopper', { timeout: 120_000 });
  await expect(theirs.locator('[data-outside]')).toHaveText('from outside, through Platform');
  await expect(theirs.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await expect(entry(page)).toContainText('Status there: In Progress', { timeout: 60_000 });
  await expect(entry(page).locator('[data-progress="acknowledged"]')).toBeVisible({ timeout: 60_000 });
  // By key: a pointer that rests before it presses opens the card by itself, and then closes it.
  await entry(page).getByRole('button').first().press('Enter');
  const card = page.getByRole('dialog', { name: 'About Platform' });
  await expect(card.getByText(/^Time taken to acknowledge: /)).toBeVisible();
  // Created and acknowledged have their times.
  await expect(card.locator('time')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Changelog' }).click();
  await expect(page.locator('[data-event="responder.commented"]')).toBeVisible();
});

test('a call that somebody has to put right says why it failed, and arrives after Retry', async ({
  page,
  browser,
}) => {
  await logIn(page, server.url);
  await createIncident(page, server.url, 'Search is empty');
  await ask(page, 'Locked out');
  await expect(delivery(page, 'failed')).toHaveText('Did not reach Jira', { timeout: 60_000 });
  await expect(entry(page)).toContainText(/password/i);
  expect(await findings(page)).toEqual([]);

  const viewer = await (await browser.newContext()).newPage();
  await logIn(viewer, server.url, accountOf('viewer'));
  await viewer.goto(page.url());
  await expect(delivery(viewer, 'failed')).toBeVisible({ timeout: 60_000 });
  await expect(entry(viewer).getByRole('button', { name: 'Retry' })).toHaveCount(0);

  const mended = await page.request.patch(`${server.url}/api/db/teams?name=eq.Locked%20out`, {
    headers: { origin: server.url },
    data: { spec: clients(PASSWORD) },
  });
  expect(mended.ok(), await mended.text()).toBe(true);
  await entry(page).getByRole('button', { name: 'Retry' }).click();
  for (const on of [page, viewer]) {
    await expect(delivery(on, 'delivered')).toHaveText('Reached Jira', { timeout: 60_000 });
    await expect(entry(on).getByRole('link', { name: /^OPS-\d+$/ })).toBeVisible();
  }
  await viewer.context().close();
});
