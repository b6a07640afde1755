/** Topologies from files, on a server with another project's data: what they build is on the page, and follows them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { startHttpBin } from '../server/health/testing/http-bin.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { logIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { prepareTarget, type TargetService } from './support/target-service.ts';

const DATA_SET = '../shared/fixtures/dataset';
const TOPOLOGIES = '../shared/fixtures/topologies';
const SOON = { timeout: 60_000 };

// Real work on a busy machine.
test.describe.configure({ timeout: 240_000 });

let server: HoldfastServer;
let bin: Awaited<ReturnType<typeof startHttpBin>>;
let target: TargetService;
let folder: string;

const document = (kind: string, name: string, spec: string) =>
  `apiVersion: canaries.flanksource.com/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${spec.replaceAll(/^/gm, '  ')}\n`;
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), 'holdfast-topologies-'));
  bin = await startHttpBin(null);
  target = await prepareTarget();
  await target.up();
  for (const file of readdirSync(TOPOLOGIES)) {
    const text = readFileSync(join(TOPOLOGIES, file), 'utf8');
    write(file, text.replaceAll('https://httpbin.flanksource.com', `http://127.0.0.1:${bin.port}`));
  }
  const check = `schedule: '@every 10s'\nhttp:\n  - name: till answers\n    url: ${target.url}\n    labels: {app: till}`;
  write('till-check.yaml', document('Canary', 'till', check));
  server = await prepareServer({ env: { TOPOLOGIES_DIR: folder, CANARIES_DIR: folder } });
  execFileSync('npm', ['run', '--silent', 'import', '--', DATA_SET, '--skip-unknown'], {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: server.dataDir },
  });
  await server.start();
});
test.afterAll(async () => {
  await server.dispose();
  await target.down();
  await bin.stop();
  rmSync(folder, { recursive: true, force: true });
});

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

async function open(page: Page, path: string): Promise<void> {
  await logIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

/** Goes to the page of the card of that name. */
async function enter(page: Page, name: string): Promise<void> {
  await card(page, name).getByRole('link', { name, exact: true }).click(SOON);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible(SOON);
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what the files of another project describe is on the page, and without a network', async ({
    page,
    context,
  }) => {
    await open(page, '/topology');
    for (const name of ['kube-dns', 'selector', 'single-check', 'test-topology-for-each', 'logistics'])
      await expect(card(page, name)).toBeVisible(SOON);
    await enter(page, 'test-topology-for-each');
    await expect(page.getByRole('article')).toHaveCount(3, SOON);
    for (const text of ['team-b', 'amd', 'Acme', 'Mars'])
      await expect(card(page, 'component-c')).toContainText(text, SOON);
    await expect(card(page, 'component-a')).toContainText('2 parts');

    await page.goto(`${server.url}/topology`);
    await enter(page, 'test-topology-with-parent-lookup');
    await expect(card(page, 'Parent-3')).toContainText('2 parts', SOON);
    await page.getByRole('radio', { name: 'Outline' }).click();
    await expect(page.getByRole('treeitem')).toHaveCount(4, SOON);

    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.goto(`${server.url}/topology?search=Child-2`);
    await expect(page.getByRole('article')).toHaveCount(3, SOON);
  });
});

test('the data set is counted as the server counts it', async ({ page }) => {
  await open(page, '/topology');
  await enter(page, 'logistics');
  await expect(card(page, 'logistics-api')).toHaveAttribute('data-health', 'unhealthy', SOON);
  await enter(page, 'logistics-api');
  const checks = page.getByRole('button', { name: /^Checks \d/ });
  await checks.click();
  await expect(page.getByRole('list', { name: 'Checks' }).getByRole('listitem').first()).toBeVisible();
  await enter(page, 'logistics-db');
  await page.getByRole('button', { name: 'Incidents 1', exact: true }).click(SOON);
  await expect(page.getByRole('list', { name: 'Incidents' })).toContainText('Logistics API is down');
});

test('a topology that is edited in its file changes the open page; removed, it leaves it', async ({
  page,
}) => {
  const shop = (...names: string[]) =>
    document('Topology', 'shop', `components:\n${names.map((name) => `  - name: ${name}`).join('\n')}`);
  write('shop.yaml', shop('catalog', 'basket'));
  await open(page, '/topology');
  await enter(page, 'shop');
  await expect(page.getByRole('article')).toHaveCount(2, SOON);
  write('shop.yaml', shop('basket', 'checkout'));
  await expect(card(page, 'checkout')).toBeVisible(SOON);
  await expect(card(page, 'catalog')).toHaveCount(0, SOON);
  await expect(card(page, 'basket')).toBeVisible();
  await page.goto(`${server.url}/topology`);
  await expect(card(page, 'shop')).toBeVisible(SOON);
  rmSync(join(folder, 'shop.yaml'));
  await expect(card(page, 'shop')).toHaveCount(0, SOON);
});

test('a check that turns red turns its component and all above it, on the open pages', async ({
  page,
  context,
}) => {
  const spec = `components:
  - name: counter
    components:
      - name: till
        checks:
          - selector: {labelSelector: app=till}`;
  write('market.yaml', document('Topology', 'market', spec));
  await open(page, '/topology');
  await expect(card(page, 'market')).toHaveAttribute('data-health', 'healthy', SOON);
  const inner = await context.newPage();
  await inner.goto(`${server.url}/topology?search=till`);
  await enter(inner, 'till');
  await expect(inner.getByRole('button', { name: 'Checks 1', exact: true })).toBeVisible(SOON);
  target.answer(500);
  await expect(card(page, 'market')).toHaveAttribute('data-health', 'unhealthy', SOON);
  await expect(card(inner, 'till')).toHaveAttribute('data-health', 'unhealthy', SOON);
  target.answer(200);
  await expect(card(page, 'market')).toHaveAttribute('data-health', 'healthy', SOON);
  await expect(card(inner, 'till')).toHaveAttribute('data-health', 'healthy', SOON);
});
