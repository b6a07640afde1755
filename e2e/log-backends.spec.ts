/** Log backends of every kind on a real server: their lines on one page, and one that has a million. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { box, status, table } from './support/log-page.ts';
import { startLogServices } from './support/log-services.ts';
import { logIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

test.describe.configure({ timeout: 240_000 });

const ALL = '00000000-0000-4000-8000-000000000102';
const HUGE = '00000000-0000-4000-8000-000000000103';

let server: HoldfastServer;
let folder: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), 'holdfast-e2e-logs-'));
  mkdirSync(join(folder, 'shop'));
  writeFileSync(join(folder, 'shop', 'app.log'), `${new Date().toISOString()} INFO of another component\n`);
  server = await prepareServer({ env: { LOGS_DIR: folder, EGRESS_ALLOW: 'loopback' } });
  await server.start();
  const page = await browser.newPage();
  await logIn(page, server.url);
  const post = async (table: string, data: object) => {
    const asked = { data, headers: { origin: server.url } };
    const answer = await page.request.post(`${server.url}/api/db/${table}`, asked);
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  for (const [id, name] of [
    [ALL, 'all'],
    [HUGE, 'huge'],
  ])
    await post('components', {
      type: 'Service',
      status: 'healthy',
      namespace: 'default',
      id,
      name,
      external_id: name,
      log_selectors: [{ name: 'app', labels: { app: name } }],
    });
  await post('logging_backends', {
    name: 'files',
    source: 'UI',
    spec: { file: { paths: ['$(labels.app)/*.log'] } },
  });
  await page.close();
});
test.afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('lines of every kind of backend come to one page; of a million it holds what it says, and stays quick', async ({
  page,
}) => {
  const services = await startLogServices();
  try {
    await logIn(page, server.url);
    await page.goto(`${server.url}/logs`);
    const headers = { origin: server.url };
    for (const [name, spec] of Object.entries(services.specs)) {
      const data = { name, spec, source: name === 'cloudwatch' ? 'KubernetesCRD' : 'UI' };
      const asked = { data, headers: { ...headers, prefer: 'return=representation' } };
      const added = await page.request.post(`${server.url}/api/db/logging_backends`, asked);
      expect(added.ok(), `${name}: ${await added.text()}`).toBe(true);
      const [{ id } = { id: '' }] = (await added.json()) as { id: string }[];
      const tried = await page.request.post(`${server.url}/api/logs/test`, { data: { id }, headers });
      expect(tried.ok(), `${name}: ${await tried.text()}`).toBe(true);
    }
    // What comes from elsewhere can be tried, and not be changed or deleted.
    await walkTo(page, '/settings/logging_backends');
    await page.getByRole('link', { name: 'cloudwatch', exact: true }).click({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Test' }).click();
    await expect(page.getByText('It answers; without a component it has no line to show.')).toBeVisible();
    await expect(page.getByText('This comes from KubernetesCRD: change it there.')).toBeVisible();
    for (const name of ['Update', 'Delete']) await expect(page.getByRole('button', { name })).toHaveCount(0);
    await walkTo(page, `/logs?topologyId=${ALL}`);
    for (const name of Object.keys(services.specs))
      await expect(table(page).getByText(`from ${name}`), name).toBeVisible({ timeout: 60_000 });
    // None of the others failed: only the files of this test have nothing of it.
    await expect(page.getByRole('list', { name: 'About these lines' }).getByRole('listitem')).toHaveText([
      /^.*files: /,
    ]);

    await page.goto(`${server.url}/logs?topologyId=${HUGE}&start=1mo`);
    await page.getByRole('button', { name: 'Read all' }).click();
    await expect(
      page.getByText('This device holds 100,000 lines; narrow the time for older ones.'),
    ).toBeVisible({
      timeout: 120_000,
    });
    expect(services.given()).toBeLessThan(200_000);
    await box(page).fill('hit 99999 ');
    await expect(status(page)).toHaveText('1 of 100,000 lines');
  } finally {
    await services.close();
  }
});
