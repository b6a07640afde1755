/** Real scrapes seen in the browser: a watched file, a local PostgreSQL, a recorded cluster, AWS as it is played here. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { pino } from 'pino';
import { makeTestCertificate } from '../server/health/testing/test-certificate.ts';
import { freePort } from '../tests/security/support/free-port.ts';
import { startEmbeddedPostgres } from '../server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../server/platform/db/embedded/embedded-postgres.ts';
import { openPostgresDatabase } from '../server/platform/db/postgres-database.ts';
import { startRecordedCluster } from '../server/catalog/scrapers/testing/recorded-cluster.ts';
import { startRecordedAws } from '../server/catalog/scrapers/testing/recorded-aws.ts';
import type { RecordedAws } from '../server/catalog/scrapers/testing/recorded-aws.ts';
import type { RecordedCluster } from '../server/catalog/scrapers/testing/recorded-cluster.ts';
import { prepareServer } from './support/holdfast-server.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

const LISTS = '../shared/fixtures/kubernetes/lists';
const silent = pino({ level: 'silent' });

test.setTimeout(240_000);

let folder: string;
let aws: RecordedAws;
let cluster: RecordedCluster;
let postgres: EmbeddedPostgres;
let server: HoldfastServer;

const CAR = { reg_no: 'HH-AB 12', model: 'i4', state: 'healthy', color: 'blue', tyres: 'summer' };

/** In one go: a scheduled run must not read half of it. */
function writeCar(change: Partial<typeof CAR> = {}): void {
  writeFileSync(join(folder, 'next-car'), JSON.stringify({ ...CAR, ...change }));
  renameSync(join(folder, 'next-car'), join(folder, 'data/car.json'));
}

const scraper = (name: string, spec: string) =>
  `kind: ScrapeConfig\nmetadata: { name: ${name} }\nspec:\n  schedule: '@every 30s'\n${spec}`;

function writeScrapers(): void {
  writeFileSync(
    join(folder, 'cars.yaml'),
    scraper(
      'cars',
      `  file:
    - type: Car
      id: $.reg_no
      name: $.model
      health: $.state
      tags: { fleet: hamburg }
      paths: [data/*.json]
`,
    ),
  );
  writeFileSync(
    join(folder, 'tables.yaml'),
    scraper(
      'tables',
      `  sql:
    - connection: ${postgres.url('postgres')}?sslmode=disable
      type: Postgres::Table
      id: $.id
      name: $.name
      query: select id::text, name, rows from inventory
`,
    ),
  );
  writeFileSync(
    join(folder, 'cluster.yaml'),
    scraper(
      'cluster',
      `  kubernetes:
    - clusterName: recorded
      kubeconfig: { value: '${cluster.kubeconfig}' }
`,
    ),
  );
}

/** As Athena reads it: in the last day, week and month one machine cost more than it did before. */
function writeCostReport(): void {
  const row = (...values: string[]) => ({ Data: values.map((VarCharValue) => ({ VarCharValue })) });
  aws.others.set('StartQueryExecution', { QueryExecutionId: 'q' });
  aws.others.set('GetQueryExecution', { QueryExecution: { Status: { State: 'SUCCEEDED' } } });
  aws.others.set('GetQueryResults', {
    ResultSet: { Rows: [row('resource', 'day', 'week', 'month'), row('i-1', '14.4', '100', '400')] },
  });
  writeFileSync(
    join(folder, 'bill.yaml'),
    scraper(
      'bill',
      `  aws:
    - accessKey: { value: AKIA }
      secretKey: { value: secret }
      endpoint: ${aws.url}
      region: [eu-west-1]
      include: [EC2Instance]
      costReporting: { database: billing, table: report }
`,
    ),
  );
}

async function startPostgres(): Promise<void> {
  postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    logger: silent,
    port: await freePort(),
  });
  const db = await openPostgresDatabase({ url: postgres.url('postgres'), logger: silent });
  await db.script(`create table inventory (id int, name text, rows int);
    insert into inventory values (1, 'orders', 12), (2, 'customers', 3)`);
  await db.close();
}

test.beforeAll(async () => {
  test.setTimeout(360_000);
  folder = mkdtempSync(join(tmpdir(), 'holdfast-scrapes-'));
  mkdirSync(join(folder, 'data'));
  writeCar();
  const objects = ['pods.json', 'nodes.json', 'deployments.json', 'replicasets.json'].map(
    (name) => JSON.parse(readFileSync(join(LISTS, name), 'utf8')) as Record<string, unknown>,
  );
  cluster = await startRecordedCluster(objects, await makeTestCertificate(2));
  aws = await startRecordedAws();
  await startPostgres();
  writeScrapers();
  writeCostReport();
  server = await prepareServer({ env: { SCRAPERS_DIR: folder } });
  await server.start();
});
test.afterAll(async () => {
  await server.dispose();
  await postgres.stop();
  await cluster.close();
  await aws.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a scraper of that name and waits for its result. */
async function scrape(page: Page, name: string): Promise<void> {
  // Its file may not be read yet, and a scheduled run may be under way.
  await expect
    .poll(
      async () => {
        const found = await page.request.get(
          `${server.url}/api/db/config_scrapers?select=id&name=like.*${name}&deleted_at=is.null`,
        );
        const [row] = (await found.json()) as { id: string }[];
        const answer = await page.request.post(`${server.url}/api/config/run/${row?.id ?? ''}`, {
          headers: { origin: server.url },
        });
        return answer.status();
      },
      { timeout: 90_000 },
    )
    .toBe(200);
}

test('a file edited at its source appears as a change with its diff on the open page', async ({ page }) => {
  await logIn(page, server.url);
  await scrape(page, 'cars');
  await page.goto(`${server.url}/catalog?search=i4`);
  await page.getByText('i4', { exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'i4', exact: true })).toBeVisible({ timeout: 30_000 });
  await page
    .getByRole('navigation', { name: 'Parts of the item' })
    .getByRole('link', { name: /Changes/ })
    .click();
  await expect(page.getByText('No changes match.')).toBeVisible();

  writeCar({ tyres: 'winter', state: 'unhealthy' });
  await scrape(page, 'cars');
  const changes = page.getByRole('table', { name: 'Changes' });
  await expect(changes.getByText('Health changed from healthy')).toBeVisible({ timeout: 60_000 });
  await changes.getByRole('row').filter({ hasText: 'state, tyres' }).locator('[data-row-link]').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Before')).toContainText('"tyres": "summer"');
  await expect(dialog.getByLabel('After')).toContainText('"tyres": "winter"');
});

test('a cost that a report knows is its item’s in the list, and a press shows the day, the week and the month', async ({
  page,
}) => {
  await logIn(page, server.url);
  await scrape(page, 'bill');
  await page.goto(`${server.url}/catalog?configType=AWS%3A%3AEC2%3A%3AInstance`);
  await page.getByRole('button', { name: '$400, Cost of web-1' }).click({ timeout: 60_000 });
  const costs = page.getByRole('dialog', { name: 'Cost of web-1' });
  for (const text of ['Last day$14.4', 'Last 7 days$100.0', 'Last 30 days$400'])
    await expect(costs).toContainText(text);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a database and a cluster fill the catalog, and all of it is there without a network', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url);
    await scrape(page, 'tables');
    await scrape(page, 'cluster');
    await page.goto(`${server.url}/catalog`);
    await waitUntilOfflineReady(page);
    await expect(page.getByText('Table', { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('Pod', { exact: true })).toBeVisible();
    await page.getByText('Table', { exact: true }).click();
    await expect(page.getByText('orders', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('customers', { exact: true }).first()).toBeVisible();

    await context.setOffline(true);
    await page.goto(`${server.url}/catalog?configType=Kubernetes%3A%3APod`);
    const rows = page.locator('a[href^="/catalog/"]').filter({ hasText: /-/ });
    await rows.first().click();
    await page
      .getByRole('navigation', { name: 'Parts of the item' })
      .getByRole('link', { name: /Relationships/ })
      .click();
    await expect(page.getByText(/recorded|Node|ReplicaSet|Namespace/).first()).toBeVisible();
    await context.setOffline(false);
  });
});
