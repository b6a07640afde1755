/**
 * Playbooks on a real server: read, made and run by who may, a run that is followed to its end, and one that is
 * prepared without a network and asks before it starts.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { writePlaybooks } from './support/add-playbooks-query.ts';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { addPlaybookSystems, PULL_REQUEST } from './support/playbook-systems.ts';
import { LONG_LINES, PARAMETERS } from './support/playbook-estate.ts';
import { AGENT, IDS } from './support/troubled-estate.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

// A first load takes its time on a busy machine.
test.describe.configure({ timeout: 240_000 });

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(400_000);
  server = await prepareServer({ env: { ALLOW_EXEC: 'true', EGRESS_ALLOW: '127.0.0.1' } });
  await writePlaybooks(server.dataDir);
  await startWithRoles(server, ['viewer', 'commander', 'editor']);
});
test.afterAll(() => server.dispose());

async function open(page: Page, role: string, path: string): Promise<void> {
  await logIn(page, server.url, role === 'admin' ? undefined : accountOf(role));
  await page.goto(`${server.url}${path}`);
}

const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title }).first();
const dialog = (page: Page) => page.getByRole('dialog').last();
const step = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name });

/** Of the playbook that is prepared below. */
async function newestRun(page: Page): Promise<string> {
  const query = `playbook_id=eq.${IDS.restart}&order=created_at.desc&limit=1&select=id`;
  const answer = await page.request.get(`${server.url}/api/db/playbook_runs?${query}`);
  return ((await answer.json()) as { id: string }[])[0]?.id ?? '';
}

test('a viewer and a commander read playbooks and their runs, and are offered nothing else', async ({
  page,
}) => {
  for (const role of ['viewer', 'commander']) {
    await page.context().clearCookies();
    await open(page, role, '/playbooks');
    await expect(page.getByRole('heading', { name: 'Kubernetes' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('heading', { name: 'Other' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'History Restart service' })).toBeVisible();
    for (const name of ['Run Restart service', 'New playbook', 'Actions of Restart service'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  // Everything that they do is searched, and not their names alone.
  await page.getByRole('searchbox', { name: 'Search playbooks' }).fill('Cordon');
  await expect(page.getByRole('link', { name: 'Restart service', exact: true })).toBeVisible();
  await expect(page.getByText('1 playbook', { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search playbooks' }).fill('no such thing');
  await expect(page.getByText('No playbook matches')).toBeVisible();

  await page.goto(`${server.url}/playbooks/runs/${IDS.completed}`);
  await expect(page.getByRole('link', { name: 'Restart service' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Re-run playbook' })).toHaveCount(0);
});

test('an editor makes a playbook with checked YAML, changes it, and deletes it', async ({ page }) => {
  await open(page, 'editor', '/playbooks');
  await page.getByRole('button', { name: 'New playbook' }).click({ timeout: 60_000 });
  const form = dialog(page);
  await expect(form).toHaveAccessibleName('Create Playbook Spec');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByText('This field is required.')).toBeVisible();
  await form.getByLabel('Title').fill('Flush cache');
  await form.getByLabel('Category').fill('Caches');
  const editor = form.getByRole('textbox', { name: 'Spec' });
  // A refusal leads the cursor to its field or line, which may come while the text is chosen to be written over.
  const write = (text: string, before: string) =>
    expect(async () => {
      await editor.fill(text);
      await expect(editor).not.toContainText(before, { timeout: 1000 });
    }).toPass();
  await write('actions:\n  - name: flush\n    exec:\n      command: ls\n', 'hostname');
  await form.getByRole('button', { name: 'Create' }).click();
  // What the server refuses stands at the field, with its path.
  await expect(form.getByText(/exec\.\w+/)).toBeVisible();
  await write('actions:\n  - name: flush\n    exec:\n      script: echo flushed\n', 'command');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Flush cache created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Caches' })).toBeVisible();

  await page.getByRole('button', { name: 'Actions of Flush cache' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Description').fill('Empties all caches');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(card(page, 'Flush cache')).toContainText('Empties all caches');

  await page.getByRole('button', { name: 'Run Flush cache' }).click();
  await expect(dialog(page).getByText('No parameters for this playbook.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/playbooks\/runs\/[0-9a-f-]{36}/, { timeout: 30_000 });
  await expect(page.getByRole('log')).toContainText('flushed', { timeout: 30_000 });
  await expect(page.getByRole('main')).toContainText('Completed', { timeout: 30_000 });

  await walkTo(page, '/playbooks');
  await page.getByRole('button', { name: 'Actions of Flush cache' }).click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Flush cache deleted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Caches' })).toHaveCount(0);
});

test('a run needs its resource; defaults come from the server, and the dry run shows what would happen', async ({
  page,
}) => {
  await open(page, 'editor', '/playbooks');
  await page.getByRole('button', { name: 'Run Restart service' }).click({ timeout: 60_000 });
  await expect(dialog(page).getByText('Please select a resource to see the parameters.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Component: Choose …' }).click();
  await page.getByRole('searchbox', { name: 'Search: Component' }).fill('no such');
  await expect(page.getByText('No options found')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search: Component' }).fill('check');
  await page.getByRole('button', { name: /^checkout/ }).click();
  await expect(page.getByLabel('Reason')).toHaveValue('restart of checkout');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(dialog(page)).toHaveAccessibleName('What would run');
  await expect(dialog(page)).toContainText('echo "Cordon"');
  await page.keyboard.press('Escape');
  await page.getByLabel('Reason').fill('it hangs again');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/playbooks\/runs\/[0-9a-f-]{36}/, { timeout: 30_000 });
  await expect(step(page, 'Drain')).toContainText('Completed', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Params' }).click();
  await expect(dialog(page)).toContainText('it hangs again');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Re-run playbook' }).click();
  // As it was given, and not the default once more.
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('it hangs again');
});

test('what is dangerous asks for the name of what it runs on', async ({ page }) => {
  await open(page, 'editor', `/topology/${IDS.component}`);
  await page.getByRole('button', { name: 'Playbooks' }).click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'Delete volume' }).click({ timeout: 30_000 });
  const run = dialog(page).getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeDisabled();
  await dialog(page).getByLabel('Type checkout').fill('checkou');
  await expect(run).toBeDisabled();
  await dialog(page).getByLabel('Type checkout').fill('checkout');
  await run.click();
  await expect(page.getByRole('log')).toContainText('Delete', { timeout: 30_000 });
  // One that an agent had is asked of it again.
  await walkTo(page, `/playbooks/runs/${IDS.failed}`);
  await page.getByRole('button', { name: 'Re-run playbook' }).click({ timeout: 60_000 });
  await expect(dialog(page)).toContainText('Asked for the agent edge-1');
  await dialog(page).getByLabel('Reason').fill('once more');
  await run.click();
  await expect(page).not.toHaveURL(new RegExp(IDS.failed), { timeout: 30_000 });
  await expect(page.getByRole('main')).toContainText('edge-1', { timeout: 30_000 });
  // What ran on it, from the same menu.
  await walkTo(page, `/topology/${IDS.component}`);
  await page.getByRole('button', { name: 'Playbooks' }).click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'Runs on this' }).click();
  await expect(page).toHaveURL(new RegExp(`/playbooks/runs\\?component=${IDS.component}`));
  await expect(page.getByRole('table', { name: 'Runs of playbooks' })).toContainText('checkout');
  await page.getByRole('button', { name: 'Only on checkout' }).click();
  await expect(page).toHaveURL(/\/playbooks\/runs$/);
});

test('what is wrong is mended from where it is seen: from an item, a check and an incident', async ({
  page,
}) => {
  const follows = async (output: string) => {
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page).toHaveURL(/\/playbooks\/runs\/[0-9a-f-]{36}/, { timeout: 30_000 });
    await expect(page.getByRole('log')).toContainText(output, { timeout: 30_000 });
  };
  await open(page, 'editor', `/catalog/${IDS.config}/playbooks`);
  await page.getByRole('button', { name: 'Run Restart pod' }).click({ timeout: 60_000 });
  // It is about the item already.
  await expect(dialog(page).getByRole('button', { name: /^Catalog Item: pod-7/ })).toBeVisible();
  await dialog(page).getByLabel('Why').fill('it hangs');
  await follows('pod-7: it hangs');
  for (const place of [`/health?checkId=${IDS.check}`, `/incidents/${IDS.incident}?tab=plan`]) {
    await walkTo(page, place);
    await page.getByRole('button', { name: 'Playbooks' }).click({ timeout: 60_000 });
    await page.getByRole('menuitem', { name: 'Look closer' }).click({ timeout: 30_000 });
    await follows('looked at front door');
  }
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a run that needs somebody else’s word asks them on the bell; what they approved stays with it', async ({
    page,
    browser,
  }) => {
    await open(page, 'editor', '/playbooks');
    const other = await (await browser.newContext()).newPage();
    await open(other, 'admin', '/health');
    await page.getByRole('button', { name: 'Run Wipe cache' }).click({ timeout: 60_000 });
    await dialog(page).getByLabel('Scope').fill('all of it');
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('main')).toContainText('Pending approval', { timeout: 30_000 });
    await expect(page.getByText('Nothing of it runs before it is approved.')).toBeVisible();
    const approval = page.getByRole('region', { name: 'Approval' });
    await expect(approval).toContainText('has not approved');
    // Whoever asked is no approver of it.
    await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);

    await expect(other.getByTestId('inbox-count')).toHaveText('1', { timeout: 60_000 });
    await other.getByRole('link', { name: 'For you, 1 new' }).click();
    await other.getByRole('link', { name: /Approve Wipe cache\?/ }).click();
    await expect(dialog(other)).toHaveAccessibleName('Approve this run?', { timeout: 30_000 });
    for (const text of ['Wipe cache will run', 'all of it', 'echo "wiped $PARAM_SCOPE"'])
      await expect(dialog(other)).toContainText(text);
    await dialog(other).getByRole('button', { name: 'Approve' }).click();

    await expect(page.getByRole('log')).toContainText('wiped all of it', { timeout: 30_000 });
    for (const who of [page, other])
      await expect(who.getByRole('region', { name: 'Approval' })).toContainText('approved by', {
        timeout: 30_000,
      });
    await expect(other.getByTestId('inbox-count')).toHaveCount(0, { timeout: 30_000 });
    await other.context().close();

    // What goes on too long is ended, and says so.
    await page.goto(`${server.url}/playbooks`);
    await page.getByRole('button', { name: 'Run Wait long' }).click({ timeout: 60_000 });
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('log')).toContainText('begun', { timeout: 30_000 });
    // What was followed stays when the network goes.
    await page.context().setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline');
    await expect(page.getByRole('log')).toContainText('begun');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel run' }).click();
    await expect(page.getByRole('main')).toContainText('Cancelled', { timeout: 30_000 });

    // What begins later says when, and that nothing has begun.
    await page.goto(`${server.url}/playbooks`);
    await page.getByRole('button', { name: 'Run Begin later' }).click({ timeout: 60_000 });
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('main')).toContainText('Sleeping', { timeout: 30_000 });
    await expect(page.getByText('No step has begun yet.')).toBeVisible();
    await expect(page.getByText('Scheduled', { exact: true })).toBeVisible();
  });
});

test('a repository is changed over HTTP and a pod runs in a cluster, and the page follows both', async ({
  page,
  browser,
}) => {
  const admin = await (await browser.newContext()).newPage();
  await open(admin, 'admin', '/playbooks');
  const systems = await addPlaybookSystems(admin);
  await admin.context().close();
  try {
    await open(page, 'editor', '/playbooks');
    await page.getByRole('button', { name: 'Run Release' }).click({ timeout: 60_000 });
    // What the parameter looks like stands with its name.
    await expect(dialog(page).locator('label').filter({ hasText: 'Version' }).locator('svg')).toBeVisible();
    await dialog(page).getByLabel('Version').fill('2.0');
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(step(page, 'Change')).toContainText('Completed', { timeout: 60_000 });
    await step(page, 'Change').click();
    await expect(page.getByRole('log')).toContainText('to release-2.0');
    const made = page.getByRole('list', { name: 'Links' }).getByRole('link', { name: PULL_REQUEST });
    await expect(made).toHaveAttribute('href', PULL_REQUEST);
    await expect(page.getByRole('region', { name: 'Output of Change' })).toContainText('changed:');
    await step(page, 'Check').click();
    await expect(page.getByRole('log')).toContainText('all pods are ready', { timeout: 60_000 });
    await expect(step(page, 'Check')).toContainText('Completed', { timeout: 60_000 });
    expect(await systems.fileOn('release-2.0', 'app.yaml')).toBe('image: shop:2.0 # pinned\n');
    expect(await systems.fileOn('main', 'app.yaml')).toBe('image: shop:1.0 # pinned\n');
    expect(systems.cluster.made).toHaveLength(1);
    expect(systems.cluster.made[0]?.spec.containers[0]?.args?.[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(systems.cluster.there.size).toBe(0);
  } finally {
    await systems.close();
  }
});

test('a specification as it is given opens, and what is wrong with one is said where it is edited', async ({
  page,
}) => {
  await open(page, 'editor', `/playbooks/${IDS.valid}`);
  await expect(page.getByLabel('YAML')).toContainText('List files', { timeout: 60_000 });
  await page.goto(`${server.url}/playbooks/${IDS.invalid}`);
  await expect(page.getByLabel('YAML')).toContainText('command: ls', { timeout: 60_000 });
  await walkTo(page, '/playbooks');
  await page.getByRole('button', { name: 'Actions of Fixture that is not' }).click({ timeout: 60_000 });
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Description').fill('Lists files');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(
    dialog(page)
      .getByText(/actions.*exec/)
      .last(),
  ).toBeVisible();
});

test('runs are listed by the server, narrowed and ordered in the link', async ({ page }) => {
  await open(page, 'viewer', '/playbooks/runs?status=failed');
  const rows = page.getByRole('table', { name: 'Runs of playbooks' }).locator('tbody tr');
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Playbook: All' }).click();
  await page.getByRole('searchbox', { name: 'Search: Playbook' }).fill('scale');
  await page.getByRole('button', { name: /^Scale out/ }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Edit Playbook' })).toHaveCount(0);
  await page.getByLabel('Status').selectOption({ label: 'Running' });
  await expect(page.getByText('No data available')).toBeVisible();
  await page.goto(`${server.url}/playbooks/runs?status=failed`);
  await page.getByRole('button', { name: 'Name' }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(/sortBy=name/);
  await expect(rows.first()).toContainText('Restart service');
  await page.getByRole('button', { name: 'Duration' }).click();
  await expect(page).toHaveURL(/sortBy=duration/);
  await expect(rows).toHaveCount(2);
  await page.goto(`${server.url}/playbooks/runs?status=failed&sortBy=name&sortOrder=asc`);
  await expect(rows.first()).toContainText('Restart service', { timeout: 30_000 });

  await rows.last().getByRole('link').first().click();
  // What failed before the first step is a step of its own.
  await expect(step(page, 'Initialization')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('alert')).toContainText('reason must be given');

  // Of the agent that did it.
  await page.goto(`${server.url}/playbooks/runs?agent=${AGENT.id}`);
  await expect(page.getByRole('button', { name: 'Only at agent edge-1' })).toBeVisible({ timeout: 30_000 });
  await expect(rows.locator(`a[href*="${IDS.failed}"]`).first()).toBeVisible();
  await expect(rows.locator(`a[href*="${IDS.completed}"]`)).toHaveCount(0);
  await rows.locator(`a[href*="${IDS.failed}"]`).first().click();
  await expect(page.getByRole('main')).toContainText('edge-1', { timeout: 30_000 });
  await expect(step(page, 'Step 2')).toHaveAttribute('title', /Sleeps until/, { timeout: 30_000 });
  await expect(page.getByRole('log')).toContainText('no such node');
});

test('50,000 lines are searched as they are typed, and saved as a file named after the run', async ({
  page,
}) => {
  await open(page, 'viewer', `/playbooks/runs/${IDS.completed}`);
  await step(page, 'Drain').click({ timeout: 60_000 });
  await expect(page.getByText('50,000 lines')).toBeVisible({ timeout: 30_000 });
  expect(await page.getByRole('log').locator('[data-index]').count()).toBeLessThan(80);
  await page.getByRole('searchbox', { name: 'Search output' }).pressSequentially(`line ${LONG_LINES} `);
  await expect(page.getByText('1 matching line')).toBeVisible();
  await expect(page.getByRole('log')).toContainText(`line ${LONG_LINES} of the drain`);
  await expect(step(page, 'Notify')).toBeDisabled();
  await expect(step(page, 'Settle')).toContainText('on edge-1');
  await expect(step(page, 'Drain')).not.toContainText('edge-1');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^Restart-service-.*\.log$/);
  await expect(page.getByText('Downloaded logs')).toBeVisible();
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('no room');
    };
  });
  await page.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByText('Failed to download logs')).toBeVisible();
  await step(page, 'Settle').click();
  await expect(page.getByText('No result')).toBeVisible();
});

test('all kinds of parameters on a phone, each checked by its own rules', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'editor', '/playbooks');
  await page.getByRole('button', { name: 'Run Everything at once' }).click({ timeout: 60_000 });
  const form = dialog(page);
  const run = form.getByRole('button', { name: 'Run', exact: true });
  for (const { label } of PARAMETERS)
    await expect(form.getByText(new RegExp(`^${label}\\*?$`)).first()).toBeAttached();
  await expect(run).toBeDisabled();
  // However long the form is.
  await expect(run).toBeInViewport({ ratio: 1 });
  const note = form.getByText(/without its schema: jsonSchemaUrl: 127\.0\.0\.1:9 could not be read/);
  await expect(note).toBeVisible({ timeout: 30_000 });
  await form.getByLabel('Reason').fill('ab');
  await expect(form.getByText('At least 3 characters')).toBeVisible();
  await form.getByLabel('Reason').fill('load test');
  await expect(run).toBeEnabled();
  await form.getByLabel('Host').fill('Not_A_Host');
  await expect(run).toBeDisabled();
  await form.getByLabel('Host').fill('api.example.com');
  await form.getByLabel('Replicas').fill('12');
  await expect(form.getByText('This must be at most 9')).toBeVisible();
  await form.getByLabel('Replicas').fill('4');
  const item = page.getByRole('button', { name: 'Item: Choose …' });
  await item.click();
  await expect(page.getByText('Start typing to search')).toBeVisible();
  // Where the focus is until the panel has taken it.
  await item.press('Escape');
  await form.getByLabel('Unit of Memory').selectOption('Gi');
  await form.getByLabel('Strategy').selectOption('Recreate');
  await form.getByRole('switch', { name: 'Force' }).click();
  expect(await findings(page)).toEqual([]);
  await run.click();
  await expect(page).toHaveURL(/\/playbooks\/runs\/[0-9a-f-]{36}/, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Params' }).click({ timeout: 30_000 });
  for (const text of ['512Gi', '250m', 'recreate', 'false', 'api.example.com'])
    await expect(dialog(page)).toContainText(text);
  // What is an id is said by name, and leads to it.
  await page.goto(`${server.url}/playbooks/runs/${IDS.given}`);
  await page.getByRole('button', { name: 'Params' }).click({ timeout: 60_000 });
  for (const text of ['because', '1Gi', 'a: 1', 'Somebody', 'Night shift'])
    await expect(dialog(page)).toContainText(text);
  for (const name of ['checkout', 'pod-7', 'front door'])
    await expect(dialog(page).getByRole('link', { name })).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network a run is prepared; it starts only when somebody says so, who is told what changed', async ({
    page,
  }) => {
    await open(page, 'editor', `/topology/${IDS.component}`);
    await waitUntilOfflineReady(page);
    // What is pinned comes here with what its playbooks wrote last, though nobody opens it while there is a network.
    await page.getByRole('button', { name: 'Playbooks' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Keep on this device' }).click({ timeout: 30_000 });
    await expect(page.getByRole('menuitemcheckbox', { checked: true })).toBeVisible();
    await page.goto(`${server.url}/playbooks/${IDS.restart}`);
    await expect(page.getByRole('heading', { name: 'Restart service' })).toBeVisible({ timeout: 30_000 });
    await page.goto(`${server.url}/playbooks/runs/${IDS.completed}`);
    await expect(step(page, 'Drain')).toBeVisible({ timeout: 30_000 });
    const newest = await newestRun(page);
    await expect(async () => {
      await page.context().setOffline(true);
      await page.goto(`${server.url}/playbooks/runs/${newest}`);
      const output = page.getByRole('log');
      await expect(output.or(page.getByText('It was not looked at on this device'))).not.toBeEmpty();
      const isKept = await output.isVisible();
      if (!isKept) {
        await page.goto(`${server.url}/playbooks`);
        await page.context().setOffline(false);
      }
      expect(isKept).toBe(true);
    }).toPass({ intervals: [5000, 10_000] });

    // Text, parameters and last outputs are here.
    await page.getByRole('link', { name: 'Restart service' }).click();
    await expect(page.getByRole('list', { name: 'Parameters' })).toContainText('Reason');
    await expect(page.getByLabel('YAML')).toContainText('Cordon');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Component: Choose …' }).click();
    await page.getByRole('searchbox', { name: 'Search: Component' }).fill('check');
    await page.getByRole('button', { name: /^checkout/ }).click();
    await expect(dialog(page)).toContainText('The run is prepared and kept in the outbox');
    const reason = page.getByLabel('Reason');
    await reason.fill('prepared on the train');
    // Whatever the network does, what was typed stays.
    await page.context().setOffline(false);
    await expect(dialog(page).getByRole('button', { name: 'Run', exact: true })).toBeVisible({
      timeout: 60_000,
    });
    await expect(reason).toHaveValue('prepared on the train');
    await page.context().setOffline(true);
    await expect(page.getByRole('button', { name: 'Prepare' })).toBeVisible({ timeout: 60_000 });
    await expect(reason).toHaveValue('prepared on the train');
    await page.getByRole('button', { name: 'Prepare' }).click();
    await page.getByRole('link', { name: 'Open outbox' }).first().click();
    const kept = page.locator('[data-heap="prepared"]');
    await expect(kept).toContainText('prepared on the train');
    await expect(kept.getByRole('button', { name: /Review and run/ })).toBeDisabled();

    const runsOf = async () => {
      const query = `playbook_id=eq.${IDS.restart}&select=parameters,component_id`;
      const answer = await page.request.get(`${server.url}/api/db/playbook_runs?${query}`);
      return JSON.stringify(await answer.json()).split('prepared on the train').length - 1;
    };
    await page.context().setOffline(false);
    // Somebody else has run it meanwhile.
    const answer = await page.request.post(`${server.url}/api/playbook/run`, {
      headers: { origin: server.url },
      data: { id: IDS.restart, component_id: IDS.component, params: { reason: 'already done' } },
    });
    expect(answer.status(), await answer.text()).toBe(201);
    await expect(kept.getByRole('button', { name: /Review and run/ })).toBeEnabled({ timeout: 60_000 });
    await expect(kept).toContainText('The playbook ran once since', { timeout: 60_000 });
    expect(await runsOf()).toBe(0);
    await kept.getByRole('button', { name: /Review and run/ }).click();
    await expect(dialog(page).getByLabel('Reason')).toHaveValue('prepared on the train');
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page).toHaveURL(/\/playbooks\/runs\/[0-9a-f-]{36}/, { timeout: 30_000 });
    expect(await runsOf()).toBe(1);
    await page.goto(`${server.url}/outbox`);
    await expect(page.getByText('Nothing waits here')).toBeVisible({ timeout: 60_000 });
  });
});
