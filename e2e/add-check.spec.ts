/** A check is added where checks are: on a phone in four steps, by a form or as YAML, tried before it is kept. */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { checkRow, logIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

test.describe.configure({ timeout: 240_000 });

const server = fileServer({ env: { EGRESS_ALLOW: '127.0.0.1' }, roles: ['viewer', 'editor'] });

const address = () => `${server.url.replace('localhost', '127.0.0.1')}/icon.svg`;
const results = (page: Page) => page.getByRole('list', { name: 'What the checks came to' });

test('four steps on a phone: the kind, its address, Try now, Save; then it is on the board', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/health`);
  await page.getByRole('link', { name: 'Add check' }).click({ timeout: 60_000 });
  await page.getByRole('searchbox', { name: 'Search kinds of checks' }).fill('htt');
  await page.getByRole('link', { name: 'HTTP', exact: true }).click();
  expect(await findings(page)).toEqual([]);

  await page.getByLabel('Name').first().fill('front door');
  // The check is called like what it is kept in until somebody says otherwise.
  await expect(page.getByRole('region', { name: 'HTTP: front door' })).toBeVisible();
  // The schema leaves it open, because a connection may have it; what the server refuses is told at the field as well.
  await page.getByRole('button', { name: 'Save' }).click();
  const refused = page.getByLabel('URL', { exact: true });
  await expect(refused).toHaveAccessibleDescription('This field is required', { timeout: 30_000 });
  await refused.fill('http://127.0.0.1:9/');
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(results(page)).toContainText('front door failed', { timeout: 30_000 });
  // A link leads away only when somebody says that what was typed may go.
  await page.getByRole('link', { name: 'Holdfast', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await page.getByLabel('URL', { exact: true }).fill(address());
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(results(page)).toContainText('front door passed', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Save' }).click();

  // Passing checks are not hidden there.
  await expect(page).toHaveURL(/\/health\?query=front/);
  const board = page.getByRole('tabpanel');
  await expect(board).toContainText('front door', { timeout: 60_000 });
  await expect(page.getByTestId('totals')).toContainText('1 healthy', { timeout: 60_000 });
});

test('a form and YAML are two views of one document; what it cannot be is said where it stands', async ({
  page,
}) => {
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/settings/canaries?add=true`);
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').first().fill('two views');
  await form.getByRole('radio', { name: 'YAML' }).click();
  await form
    .getByRole('textbox', { name: 'Spec' })
    .fill(
      `# kept\nschedule: "@every 1m"\nhttp:\n  - name: one # this one\n    url: ${address()}\n    x-later: 1\n`,
    );
  await form.getByRole('radio', { name: 'Form' }).click();
  await form.getByRole('region', { name: 'HTTP: one' }).getByLabel('Name', { exact: true }).fill('first');
  await form.getByLabel('Kind').selectOption({ label: 'TCP port' });
  await form.getByRole('button', { name: 'Add another' }).click();
  const second = form.getByRole('region', { name: 'TCP port: TCP port' });
  await form.getByRole('button', { name: 'Save' }).click();
  // Each at its field; what the form does not know is told with the document.
  await expect(second.getByText('This field is required')).toBeVisible();
  await expect(form.getByText(/x-later/)).toBeVisible();
  // What is behind a press is drawn with it; what is wrong there comes to sight again.
  const fold = form.getByRole('region', { name: 'HTTP: first' }).getByText(/^\d+ more fields$/);
  const most = form.getByLabel('Max redirects');
  await expect(most).toHaveCount(0);
  await fold.click();
  const marks = await form
    .locator('svg')
    .evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().height));
  expect(Math.max(...marks), 'no mark is larger than a line').toBeLessThan(40);
  await most.fill('5');
  await fold.click();
  await expect(most).toBeHidden();
  await fold.click();
  await expect(most).toHaveValue('5');
  await most.fill('soon');
  await fold.click();
  await expect(most).toBeVisible();
  await expect(most).toHaveAccessibleDescription(/number/);
  await most.fill('');

  await second.getByLabel('Endpoint').fill(new URL(server.url).host.replace('localhost', '127.0.0.1'));

  await form.getByRole('radio', { name: 'YAML' }).click();
  const editor = form.getByRole('textbox', { name: 'Spec' });
  for (const text of ['# kept', '- name: first # this one', 'x-later: 1', 'tcp:'])
    await expect(editor).toContainText(text);
  await editor.fill(((await editor.innerText()) ?? '').replace(/\n\s*x-later: 1/, ''));
  await form.getByRole('radio', { name: 'Form' }).click();
  await form.getByRole('button', { name: 'Try now' }).click();
  await expect(results(page)).toContainText('first passed', { timeout: 30_000 });
  await expect(results(page)).toContainText('TCP port passed');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('two views added successfully')).toBeVisible({ timeout: 30_000 });

  // As it was written, and to be changed again.
  await page.getByRole('link', { name: 'two views' }).click();
  await expect(page.getByLabel('YAML')).toContainText('name: first', { timeout: 30_000 });
  await page.getByRole('link', { name: 'Edit' }).click();
  await page
    .getByRole('region', { name: 'HTTP: first' })
    .getByRole('button', { name: 'Remove HTTP: first' })
    .click();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('two views updated successfully')).toBeVisible({ timeout: 30_000 });
  await page.reload();
  await expect(page.getByRole('region', { name: 'TCP port: TCP port' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: /^HTTP/ })).toHaveCount(0);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a viewer is offered no form; without a network nothing is tried and what is typed stays', async ({
    page,
  }) => {
    await logIn(page, server.url, accountOf('viewer'));
    await page.goto(`${server.url}/health`);
    await expect(page.getByRole('heading', { name: 'Health' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('link', { name: 'Add check' })).toHaveCount(0);
    await page.goto(`${server.url}/health/add`);
    await expect(page.getByText('Only editors and administrators add checks.')).toBeVisible({
      timeout: 30_000,
    });

    await page.context().clearCookies();
    await logIn(page, server.url, accountOf('editor'));
    await page.goto(`${server.url}/health/add?kind=tcp`);
    await page.getByLabel('Name').first().fill('on the train');
    await page.context().setOffline(true);
    await expect(page.getByTestId('connectivity')).toContainText('Offline', { timeout: 30_000 });
    await expect(page.getByRole('button', { name: 'Try now' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
    await page.context().setOffline(false);
    await expect(page.getByRole('button', { name: 'Try now' })).toBeEnabled({ timeout: 60_000 });
    await expect(page.getByLabel('Name').first()).toHaveValue('on the train');
  });
});

test('monitors of another program are shown as what they become, then taken over', async ({ page }) => {
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/health/add`);
  await page.getByRole('link', { name: /^Import from Uptime Kuma/ }).click({ timeout: 60_000 });
  await page.getByLabel('Or paste its text').fill('{"a": 1}');
  await expect(page.getByRole('alert')).toContainText('none of the known formats');
  const monitors = [
    {
      name: 'imported shop',
      type: 'http',
      url: address(),
      interval: 60,
      active: true,
      tags: [{ name: 'team', value: 'blue' }],
    },
    {
      name: 'imported port',
      type: 'port',
      hostname: '127.0.0.1',
      port: Number(new URL(server.url).port),
      interval: 60,
    },
    { name: 'waits', type: 'push' },
  ];
  await page.locator('input[type=file]').setInputFiles({
    name: 'backup.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ version: '1.23.0', monitorList: monitors })),
  });
  const preview = page.getByRole('list', { name: 'What it becomes' });
  await expect(preview.getByRole('listitem')).toHaveCount(3);
  await expect(preview).toContainText('http, @every 60s');
  await expect(preview.getByRole('checkbox', { name: 'waits' })).toBeDisabled();
  await preview.getByRole('checkbox', { name: 'imported port' }).uncheck();
  await page.getByRole('button', { name: 'Import 1 check' }).click();
  await expect(page.getByText('1 check added')).toBeVisible({ timeout: 30_000 });
  await preview.getByRole('checkbox', { name: 'imported port' }).check();
  await page.getByRole('button', { name: 'Import 1 check' }).click();
  await expect(preview.getByText('Added')).toHaveCount(2, { timeout: 30_000 });
  expect(await findings(page)).toEqual([]);
  await walkTo(page, '/health?query=imported&hidePassing=false');
  const board = page.getByRole('tabpanel');
  for (const name of ['imported shop', 'imported port'])
    await expect(board).toContainText(name, { timeout: 60_000 });

  // What is there already is not taken over twice by itself.
  await walkTo(page, '/health/import');
  await page
    .getByLabel('Or paste its text')
    .fill(`endpoints: [{ name: imported shop, url: "${address()}" }]`);
  await expect(preview).toContainText('There is one of this name already.', { timeout: 30_000 });
  await expect(preview.getByRole('checkbox', { name: 'imported shop' })).not.toBeChecked();

  const target = { targets: [new URL(server.url).host], labels: {} };
  for (const text of [
    `endpoints: [{ name: imported page, url: "${address()}", conditions: ["[STATUS] == 200"] }]`,
    JSON.stringify([target]),
  ]) {
    await page.getByLabel('Or paste its text').fill(text);
    await page.getByRole('button', { name: 'Import 1 check' }).click();
    await expect(preview.getByText('Added')).toBeVisible({ timeout: 30_000 });
  }
});

/** Documents as canary-checker has them in a folder: two canaries, and what is none. */
const canaryFile = () => `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata:
  name: taken-over
  namespace: shop
  labels: { team: green }
spec:
  schedule: "@every 30s"
  http:
    - { name: taken over page, url: "${address()}", responseCodes: [200] }
  tcp:
    - { name: taken over port, endpoint: "127.0.0.1:${new URL(server.url).port}" }
---
apiVersion: v1
kind: Service
metadata: { name: web }
---
apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: not-taken }
spec:
  interval: 60
  http:
    - { name: not taken page, url: "${address()}" }
`;

test('a file of canaries is shown as it is, taken over as it is, and its checks run', async ({ page }) => {
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/health/import`);
  await page.locator('input[type=file]').setInputFiles({
    name: 'canaries.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(canaryFile()),
  });
  const preview = page.getByRole('list', { name: 'What it becomes' });
  await expect(preview.getByRole('listitem')).toHaveCount(2, { timeout: 60_000 });
  await expect(preview.getByRole('listitem').filter({ hasText: 'taken-over' })).toContainText('@every 30s');
  await preview.getByRole('checkbox', { name: 'not-taken' }).uncheck();
  await page.getByRole('button', { name: 'Import 1 check' }).click();
  await expect(preview.getByText('Added')).toHaveCount(1, { timeout: 30_000 });
  expect(await findings(page)).toEqual([]);
  await walkTo(page, '/health?query=taken&hidePassing=false&groupBy=none');
  // They ran, and pass.
  for (const name of ['taken over page', 'taken over port'])
    await expect(checkRow(page, name)).toHaveAttribute('data-health', 'healthy', { timeout: 60_000 });
  await expect(page.getByRole('tabpanel')).not.toContainText('not taken page');
  const rows = await page.request.get(
    `${server.url}/api/db/canaries?name=eq.taken-over&select=namespace,labels,spec`,
  );
  expect(await rows.json()).toMatchObject([
    {
      namespace: 'shop',
      labels: { team: 'green' },
      spec: { schedule: '@every 30s', http: [{ responseCodes: [200] }] },
    },
  ]);
});

test('a check is put on an agent and stays there; a kept secret is not parted from its address in silence', async ({
  page,
}) => {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${server.url}${path}`, { headers: { origin: server.url }, data });
    expect(answer.status()).toBe(201);
  };
  await logIn(page, server.url);
  await post('/api/agent/generate', { name: 'site-a' });
  await page.context().clearCookies();
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/health/add?kind=http`);
  await page.getByLabel('Name').first().fill('at the site');
  await page.getByLabel('URL', { exact: true }).fill('http://10.0.0.1/');
  await page.getByLabel('Runs on').selectOption('site-a', { timeout: 60_000 });
  await expect(page.getByText('Try now runs it on this server')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('its agent takes it over within half a minute')).toBeVisible({
    timeout: 30_000,
  });

  await walkTo(page, '/settings/canaries');
  await page.getByRole('link', { name: 'at the site' }).click({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Edit' }).click({ timeout: 30_000 });
  await expect(page.getByLabel('Runs on')).toBeDisabled();
  await page.getByLabel('URL', { exact: true }).fill('http://10.0.0.2/');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('at the site updated successfully')).toBeVisible({ timeout: 30_000 });

  const http = [{ name: 'door', url: address(), username: { value: 'me' }, password: { value: 's3cret' } }];
  const spec = { schedule: '@every 1h', http };
  await post('/api/db/canaries', { name: 'with a key', namespace: 'default', source: 'UI', spec });
  await walkTo(page, '/settings/canaries');
  await page.getByRole('link', { name: 'with a key' }).click({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Edit' }).click({ timeout: 30_000 });
  await expect(page.getByText('Kept on the server for where this calls now')).toBeVisible({
    timeout: 30_000,
  });
  await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText(/was entered for where this called before: enter it again/)).toBeVisible({
    timeout: 30_000,
  });
  await page.getByLabel('Password', { exact: true }).first().fill('another');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('with a key updated successfully')).toBeVisible({ timeout: 30_000 });
});
