import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { logIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

/** Each test signs in anew, and its lists come from the server. */
test.setTimeout(240_000);

const server = fileServer({ roles: ['viewer'] });

async function open(page: Page, path: string): Promise<void> {
  await logIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

const dialog = (page: Page) => page.getByRole('dialog');

test('an administrator invites a user, changes the role, and deletes the user', async ({ page }) => {
  await open(page, '/settings/users');
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('Please provide valid first name')).toBeVisible();
  await expect(page.getByText('Please select any role')).toBeVisible();
  await dialog(page).getByLabel('First Name').fill('Ada');
  await dialog(page).getByLabel('Last Name').fill('Lovelace');
  await dialog(page).getByLabel('Email').fill('ada@example.test');
  await dialog(page).getByLabel('Role').selectOption('editor');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByLabel('Invitation link')).toContainText(server.url.replace(/^https?:/, ''), {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row').filter({ hasText: 'ada@example.test' });
  await expect(row.getByText('editor')).toBeVisible({ timeout: 60_000 });
  await row.getByRole('button', { name: 'Edit Ada Lovelace' }).click();
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Ada Lovelace updated successfully')).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText('viewer')).toBeVisible({ timeout: 60_000 });

  await row.getByRole('button', { name: 'Delete Ada Lovelace' }).click();
  await expect(page.getByText('Are you sure you want to delete this user ?')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('user deleted successfully')).toBeVisible({ timeout: 60_000 });
  await expect(row).toHaveCount(0, { timeout: 60_000 });
});

test('an address that is there already is refused at its field or in the form, and nothing is lost', async ({
  page,
}) => {
  await open(page, '/settings/users');
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByLabel('First Name').fill('Second');
  await dialog(page).getByLabel('Last Name').fill('Admin');
  await dialog(page).getByLabel('Email').fill('admin@local.test');
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByLabel('First Name').fill('Third');
  await dialog(page).getByLabel('Last Name').fill('Admin');
  await dialog(page).getByLabel('Email').fill('admin@local.test');
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('User already exists', { timeout: 60_000 });
  await expect(dialog(page).getByLabel('First Name')).toHaveValue('Third');
});

test('a feature flag is added and removed', async ({ page }) => {
  await open(page, '/playbooks');
  await expect(page.getByText('No playbooks yet')).toBeVisible({ timeout: 60_000 });
  await page.goto(`${server.url}/settings/feature-flags`);
  await page.getByRole('button', { name: 'Add Feature Flag' }).click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('please provide all details').first()).toBeVisible();
  await dialog(page).getByLabel('Name').fill('logs.disable');
  await dialog(page).getByLabel('Value').fill('true');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Feature flag added successfully')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'logs.disable' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Feature Flag' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Feature flag removed successfully')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'logs.disable' })).toHaveCount(0, { timeout: 60_000 });
});

test('a connection is kept with its secret out of sight', async ({ page }) => {
  await open(page, '/settings/connections');
  await page.getByRole('button', { name: 'Add Connection' }).click();
  await page.getByRole('button', { name: 'HTTP', exact: true }).click();
  await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('status page');
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill('http://localhost:9');
  await dialog(page).locator('input[type=password]').first().fill('reader');
  await dialog(page).locator('input[type=password]').last().fill('hunter2-hunter2');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Connection added successfully')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'status page' }).click();
  await expect(dialog(page).getByRole('textbox', { name: 'URL' })).toHaveValue('http://localhost:9');
  // The form knows that there is a secret, not which.
  await expect(dialog(page).locator('input[type=password]').last()).toHaveValue('');
  await expect(dialog(page).getByPlaceholder('Kept as it is').last()).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Connection' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Connection deleted successfully')).toBeVisible({ timeout: 60_000 });
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network, lists are as they were and what needs the server says so', async ({ page }) => {
    await open(page, '/settings/users');
    await expect(page.getByText('admin@local', { exact: true })).toBeVisible({ timeout: 60_000 });
    await page.context().setOffline(true);
    const invite = page.getByRole('button', { name: 'Invite User' });
    await expect(invite).toBeDisabled({ timeout: 60_000 });
    await expect(invite).toHaveAttribute('title', /no connection/);
    await expect(page.getByText('admin@local', { exact: true })).toBeVisible();
  });
});

/** A canary of a kind that no server of ours runs, through the data API as the one who is signed in. */
async function addNotRun(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const { user } = (await (await fetch('/api/auth/whoami')).json()).payload;
    const answer = await fetch('/api/db/canaries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'queue',
        namespace: 'default',
        source: 'UI',
        created_by: user.id,
        spec: {
          schedule: '@every 1m',
          containerd: [
            { name: 'orders queue', description: 'The image of the queue', image: 'example/queue:1' },
          ],
        },
      }),
    });
    return answer.status;
  });
  expect(status).toBe(201);
}

const discard = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' });
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save' }).click();

test('a form refuses what can never run and names the field, takes a document apart, and asks before text is lost', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/settings/canaries');
  await page.getByRole('button', { name: 'Add Health Check' }).click();
  await dialog(page).getByRole('radio', { name: 'YAML' }).click();
  const spec = dialog(page).getByRole('textbox', { name: 'Spec' });
  await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  const refusals: [string, RegExp][] = [
    ['htp:\n- name: a\n  url: http://127.0.0.1:9\n', /spec\.htp: .*did you mean "http"/],
    ['http:\n- name: a\n  urll: http://127.0.0.1:9\n', /spec\.http\[0\]\.urll: .*did you mean "url"/],
    ['schedule: rubbish\nhttp:\n- name: a\n  url: http://127.0.0.1:9\n', /spec\.schedule: /],
  ];
  for (const [text, reason] of refusals) {
    await spec.fill(text);
    await save(page);
    await expect(dialog(page).getByRole('alert').filter({ hasText: reason })).toBeVisible({
      timeout: 60_000,
    });
  }
  // Nothing bright in a dark room: the line that is written in, too.
  const brightness = await dialog(page)
    .locator('.cm-activeLineGutter')
    .first()
    .evaluate((cell) => {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) return 255;
      for (const color of ['#000', getComputedStyle(cell).backgroundColor]) {
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
      }
      return Math.max(...context.getImageData(0, 0, 1, 1).data.slice(0, 3));
    });
  expect(brightness).toBeLessThan(100);
  await spec.press('Escape');
  await discard(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(spec).toContainText('rubbish');

  await spec.fill('');
  await spec.evaluate((element) => {
    const data = new DataTransfer();
    const lines = ['apiVersion: canaries.flanksource.com/v1', 'kind: Canary', 'metadata:', '  name: pasted'];
    lines.push('  namespace: shop', '  labels: { team: checkout }', 'spec:', '  schedule: "@every 1m"');
    lines.push('  http:', '    - name: front', '      url: http://127.0.0.1:9/', '');
    data.setData('text/plain', lines.join('\n'));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(dialog(page).getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('pasted');
  await expect(dialog(page).getByRole('textbox', { name: 'Namespace' })).toHaveValue('shop');
  await expect(spec).not.toContainText('apiVersion');
  await expect(spec).toContainText('http://127.0.0.1:9/');
  await save(page);
  await expect(page.getByText('pasted added successfully')).toBeVisible({ timeout: 60_000 });

  // Whatever dialog it is typed in: a scraper, a connection, a user, a flag, a team.
  const forms: [string, string, string | null][] = [
    ['/settings/config_scrapers', 'Add Catalog Scraper', null],
    ['/settings/teams', 'Add Team', null],
    ['/settings/incident_rules', 'Add Rule', null],
    ['/settings/connections', 'Add Connection', 'HTTP'],
    ['/settings/feature-flags', 'Add Feature Flag', null],
    ['/settings/users', 'Invite User', null],
  ];
  for (const [path, add, kind] of forms) {
    await walkTo(page, path);
    await page.getByRole('button', { name: add }).click();
    if (kind !== null) await page.getByRole('button', { name: kind, exact: true }).click();
    await dialog(page).locator('input').first().fill('typed');
    await page.keyboard.press('Escape');
    await expect(discard(page), path).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page).locator('input').first(), path).toHaveValue('typed');
    if (path.endsWith('scrapers')) {
      await dialog(page).getByRole('radio', { name: 'YAML' }).click();
      await dialog(page).getByRole('textbox', { name: 'Spec' }).fill('http:\n- name: a\n');
      await save(page);
      const reason = dialog(page)
        .getByRole('alert')
        .filter({ hasText: /spec\.http\[0\].*url/ });
      await expect(reason).toBeVisible({ timeout: 60_000 });
    }
    await page.keyboard.press('Escape');
    await discard(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog'), path).toBeHidden();
  }
});

test('why a check is not run stands on its row, in its drawer and in Settings, and Run Now says it', async ({
  page,
}) => {
  await open(page, '/health?hidePassing=false&groupBy=none');
  await addNotRun(page);
  const row = page.locator('[data-row-kind="check"]').filter({ hasText: 'orders queue' });
  await expect(row).toContainText(/Not run: .*container/i, { timeout: 60_000 });
  await row.click();
  const reason = /This server does not run it: .*container/i;
  await expect(dialog(page).getByText(reason).first()).toBeVisible({ timeout: 60_000 });
  await dialog(page).getByRole('button', { name: 'Run Now' }).click();
  await expect(dialog(page).getByRole('status').filter({ hasText: reason })).toBeVisible({ timeout: 60_000 });
  await dialog(page).getByRole('link', { name: 'Edit' }).click();
  const settings = page.getByRole('region', { name: 'Not run by this server' });
  await expect(settings).toContainText(/orders queue: .*container/i, { timeout: 60_000 });
});

test('job history leads from a run to its details and to its thing', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/settings/jobs');
  const thing = '00000000-0000-4000-8000-0000000000c1';
  const at = new Date(Date.now() - 60_000).toISOString();
  for (const [name, status, errors] of [
    ['nightly sweep', 'FAILED', ['disk is full']],
    ['quiet sweep', 'SUCCESS', []],
  ] as const) {
    const made = await page.request.post(`${server.url}/api/db/job_history`, {
      headers: { origin: server.url },
      data: {
        name,
        status,
        resource_type: 'canary',
        resource_id: thing,
        hostname: 'here',
        time_start: at,
        duration_millis: 20_000,
        error_count: errors.length,
        details: errors.length === 0 ? {} : { errors },
      },
    });
    expect(made.status(), await made.text()).toBe(201);
  }
  await page.reload();
  const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
  const failed = rows.filter({ hasText: 'nightly sweep' });
  await expect(failed).toContainText('1 error', { timeout: 60_000 });
  // Runs that succeeded are left out until they are asked for.
  await expect(rows.filter({ hasText: 'quiet sweep' })).toHaveCount(0);
  await expect(failed.getByRole('link', { name: thing })).toHaveAttribute(
    'href',
    `/settings/canaries/${thing}`,
  );
  await failed.getByRole('button', { name: `Copy the id ${thing}` }).click();
  await expect(page.getByText(`Copied ${thing} to clipboard`)).toBeVisible();
  await failed.getByText('nightly sweep').click();
  await expect(dialog(page).getByRole('tab', { name: 'Errors' })).toHaveAttribute('aria-selected', 'true');
  await expect(dialog(page)).toContainText('disk is full');
  await page.keyboard.press('Escape');
  await page.getByLabel('Duration at least').selectOption({ label: '30s' });
  await expect(page).toHaveURL(/runDuration=30000/);
  await expect(failed).toHaveCount(0, { timeout: 60_000 });
  await page.goto(`${server.url}/settings/jobs?status=SUCCESS%3A1`);
  await expect(rows.filter({ hasText: 'quiet sweep' })).toBeVisible({ timeout: 60_000 });
});

test('an event that was given up is looked at and tried again', async ({ page }) => {
  await open(page, '/settings/');
  await expect(page).toHaveURL(/\/settings\/event-queue-status/, { timeout: 60_000 });
  const made = await page.request.post(`${server.url}/api/db/event_queue`, {
    headers: { origin: server.url },
    data: {
      name: 'incident.comment.added',
      properties: { id: '00000000-0000-4000-8000-00000000e001' },
      attempts: 4,
      last_attempt: new Date(Date.now() - 3_600_000).toISOString(),
      error: 'Jira did not answer',
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.reload();
  await page
    .getByRole('table', { name: 'Event Queue' })
    .getByText('incident.comment.added')
    .click({ timeout: 60_000 });
  await expect(dialog(page)).toHaveAccessibleName('Most Common Error');
  const failed = page.getByRole('region', { name: 'Failed events' });
  await expect(failed).toContainText('given up');
  await expect(failed).toContainText('Jira did not answer');
  await failed.getByRole('button', { name: 'Try event 1 again' }).click();
  await expect(page.getByText('1 event is tried again')).toBeVisible({ timeout: 30_000 });
  await expect(dialog(page).getByText('None of them is left.')).toBeVisible({ timeout: 30_000 });
});

test('an agent is made, installed, seen online and silent, read by a viewer, and deleted with its questions', async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/settings/agents');
  await page.getByRole('button', { name: 'Add Agent' }).click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await dialog(page).getByLabel('Name').fill('site-a');
  await dialog(page).getByLabel('Kubernetes').check();
  await expect(dialog(page).getByLabel('Interval')).toHaveValue('30m');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByText('Access token will be shown only once. Please copy it and store it securely.'),
  ).toBeVisible({ timeout: 60_000 });
  const token = (await page.getByLabel('Access token').textContent()) ?? '';
  const text = dialog(page).getByRole('tabpanel').locator('pre');
  await expect(text).toContainText(`--set upstream.password=${token}`);
  await expect(text).toContainText('--set scraper.interval=30m');
  await page.getByRole('tab', { name: 'Flux' }).click();
  await expect(text).toContainText('kind: HelmRelease');
  await page.getByRole('tab', { name: 'systemd' }).click();
  await expect(text).toContainText('AGENT_NAME=site-a');
  await expect(text).toContainText('KUBECONFIG=/etc/holdfast/kubeconfig');
  await expect(dialog(page).getByText(/kubectl is to reach through this server/)).toBeVisible();

  // Nothing was copied yet, and it would be gone.
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('The token was not copied')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Copy token' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(dialog(page)).toHaveCount(0);

  const ping = await fetch(`${server.url}/api/upstream/ping`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ version: '9.9.9', time: new Date(Date.now() + 600_000).toISOString() }),
  });
  expect(ping.status).toBe(200);
  const row = page.getByRole('row').filter({ hasText: 'site-a' });
  await expect(row.getByText('Online')).toBeVisible({ timeout: 60_000 });
  // Not heard of for two minutes, by the server's clock.
  const last_seen = new Date(Date.now() - 120_000).toISOString();
  const aged = await page.request.patch(`${server.url}/api/db/agents?name=eq.site-a`, {
    headers: { origin: server.url },
    // It had offered its cluster.
    data: { last_seen, cluster_seen: last_seen },
  });
  expect(aged.ok()).toBe(true);
  await expect(row.getByText('Offline')).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText('Not connected')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  // Without a network it stays to be read.
  await context.setOffline(true);
  await expect(page.getByRole('button', { name: 'Add Agent' })).toBeDisabled({ timeout: 60_000 });
  await expect(row.getByText('Offline')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: 'Add Agent' })).toBeEnabled({ timeout: 60_000 });
  const reader = await browser.newContext();
  const viewer = await reader.newPage();
  await logIn(viewer, server.url, accountOf('viewer'));
  await viewer.goto(`${server.url}/settings/agents`);
  await expect(viewer.getByRole('row').filter({ hasText: 'site-a' })).toContainText('Offline', {
    timeout: 60_000,
  });
  await expect(viewer.getByRole('button', { name: /Add Agent|Delete site-a|^site-a$/ })).toHaveCount(0);
  await reader.close();
  for (const width of [820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(row.getByRole('button', { name: 'Delete site-a' })).toBeInViewport();
  }
  // Where a row has no room for its buttons, it opens.
  await page.setViewportSize({ width: 390, height: 844 });
  await row.getByRole('button', { name: 'site-a', exact: true }).click();
  await expect(dialog(page).getByLabel('Name')).toBeDisabled();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, delete them' }).click();
  await expect(page.getByText(/Delete the agent site-a with all that it brought/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Agent deleted')).toBeVisible({ timeout: 60_000 });
  await expect(row).toHaveCount(0, { timeout: 60_000 });
});
