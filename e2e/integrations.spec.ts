/** Integrations are added from the screen: by a chart whose form comes from its registry, or here. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { freePort } from '../tests/security/support/free-port.ts';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { logIn } from './support/sign-in.ts';

test.setTimeout(240_000);

let server: HoldfastServer;
let registry: Server;
let isAway = false;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const port = await freePort();
  registry = createServer((request, response) => {
    if (isAway) return void response.writeHead(503).end();
    readFile(`../shared/fixtures/charts${request.url ?? ''}`, 'utf8').then(
      (text) => response.end(text),
      () => response.writeHead(404).end(),
    );
  }).listen(port, '127.0.0.1');
  await once(registry, 'listening');
  server = await prepareServer({ env: { CHARTS_URL: `http://127.0.0.1:${port}` } });
  await startWithRoles(server, ['editor', 'viewer']);
});
test.afterAll(async () => {
  await server.dispose();
  registry.close();
});

const wizard = (page: Page) => page.getByRole('dialog', { name: /^Add Integration/ });
const output = (page: Page) => wizard(page).getByRole('region', { name: 'What installs it' });

/** A tile, a field that is filled in, the chart that comes out. */
const TILES: readonly [string, Record<string, string>, string][] = [
  ['Azure', { 'Tenant ID': 'acme' }, 'mission-control-azure'],
  [
    'Prometheus',
    { 'Prometheus URL *': 'http://prometheus:9090', 'Topology name *': 'metrics' },
    'mission-control-prometheus',
  ],
  ['Flux', { 'Topology name': 'deployments' }, 'mission-control-flux'],
  ['Kubernetes', { 'Cluster name *': 'production' }, 'mission-control-kubernetes'],
  ['Mission Control', { 'Connection name': 'own-db' }, 'mission-control-watchtower'],
];

test('each GitOps tile becomes what installs its chart; without the registry there are the usual fields', async ({
  page,
}) => {
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/settings/integrations`);
  await page.getByRole('button', { name: 'Add Integration' }).click();
  for (const [tile, fields, chart] of TILES) {
    await wizard(page).getByRole('button', { name: tile }).first().click();
    await expect(wizard(page).getByText(`Chart ${chart}`)).toBeVisible({ timeout: 30_000 });
    await expect(wizard(page).getByText(/must be installed in Flux/)).toBeVisible();
    for (const [label, value] of Object.entries(fields)) {
      if (label.endsWith('*'))
        await expect(output(page).getByRole('button', { name: 'Copy' })).toBeDisabled();
      await wizard(page).getByRole('textbox', { name: label, exact: true }).fill(value);
    }
    await expect(output(page).getByRole('button', { name: 'Copy' }), tile).toBeEnabled();
    const text = output(page).getByRole('tabpanel');
    await expect(text, tile).toContainText('kind: HelmRelease');
    await expect(text, tile).toContainText(Object.values(fields)[0] ?? '');
    await output(page).getByRole('tab', { name: 'Helm CLI' }).click();
    await expect(text, tile).toContainText(`helm upgrade --install ${chart} flanksource/${chart}`);
    if (tile === 'Kubernetes') expect(await findings(page)).toEqual([]);
    await wizard(page).getByRole('button', { name: 'Choose another one' }).click();
  }
  isAway = true;
  await wizard(page).getByRole('button', { name: 'AWS' }).click();
  await expect(wizard(page).getByText(/could not be read \(.*HTTP 503/)).toBeVisible({ timeout: 30_000 });
  await expect(wizard(page).getByLabel('Namespace')).toHaveValue('mission-control');
  await expect(wizard(page).getByLabel('Interval')).toHaveValue('30m');
  await wizard(page).getByLabel('Interval').fill('often');
  await expect(output(page).getByRole('status')).toContainText('interval: A duration such as 30m or 1h');
});

test('a topology is added here, refused while it is broken, and leads back to the list once saved', async ({
  page,
}) => {
  await logIn(page, server.url, accountOf('editor'));
  await page.goto(`${server.url}/settings/integrations?add=choose`);
  await wizard(page).getByRole('button', { name: 'Custom Topology' }).click();
  const save = wizard(page).getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await wizard(page).getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await expect(save).toBeEnabled();

  await wizard(page).getByRole('radio', { name: 'YAML' }).click();
  const spec = wizard(page).getByRole('textbox', { name: 'Spec' });
  await spec.fill('# what customers see\nmade_up: kept\ncomponents:\n  - name: front\n    order: first\n');
  await expect(save).toBeDisabled();
  await expect(wizard(page).getByText(/Still to fill in: components\.0\.order/)).toBeVisible();
  await spec.fill('# what customers see\nmade_up: kept\ncomponents:\n  - name: front\n');
  await wizard(page).getByRole('radio', { name: 'Form' }).click();
  await wizard(page).getByLabel('Schedule').fill('@every 5m');
  await wizard(page).getByRole('radio', { name: 'YAML' }).click();
  for (const text of ['# what customers see', 'made_up: kept', '@every 5m', 'name: front'])
    await expect(spec).toContainText(text);
  await save.click();
  await expect(page.getByText('shop added successfully')).toBeVisible({ timeout: 60_000 });
  await expect(wizard(page)).toBeHidden();

  await page.getByRole('link', { name: 'shop' }).first().click({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/settings\/integrations\/topologies\//);
  await page.getByRole('tab', { name: 'Job History' }).click();
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Spec' }).click();
  await page.getByRole('textbox', { name: 'Icon' }).last().fill('shop');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL(/\/settings\/integrations$/, { timeout: 60_000 });

  await page.goto(`${server.url}/settings/integrations/pipelines/1`);
  await expect(page.getByRole('heading', { name: 'Unknown type' })).toBeVisible({ timeout: 60_000 });
});

test('a viewer looks at integrations and adds none', async ({ page }) => {
  await logIn(page, server.url, accountOf('viewer'));
  await page.goto(`${server.url}/settings/integrations?add=gitops-kubernetes`);
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Add Integration' })).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
