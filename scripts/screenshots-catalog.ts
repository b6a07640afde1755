/**
 * `npx tsx scripts/screenshots-catalog.ts`: takes the catalog's pictures of docs/screenshots from a real server with
 * invented clusters. Run `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { clusterEstate } from '../e2e/support/graph-estate.ts';
import { ADMIN, prepareServer } from '../e2e/support/holdfast-server.ts';
import { pathOf } from './screenshot-kit.ts';

const SIZES = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
};
const SETTLE_MS = 3000;
const SIZE = 20;
const { rootId } = clusterEstate(SIZE);

const PAGES = {
  catalog: '/catalog',
  'catalog-list': '/catalog?configType=Kubernetes%3A%3APod',
  'catalog-changes': '/catalog/changes',
  'catalog-insights': '/catalog/insights',
  item: `/catalog/${rootId}`,
  graph: `/catalog/${rootId}/relationships?relationship=soft`,
} as const;

async function tour(
  browser: Browser,
  url: string,
  look: { size: keyof typeof SIZES; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const context = await browser.newContext({ viewport: SIZES[look.size], colorScheme: look.colorScheme });
  const page = await context.newPage();
  await page.goto(`${url}/login?return_to=/catalog`);
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-row-kind]').first().waitFor();
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(`${url}${path}`);
    if (name === 'graph') {
      await page.getByRole('radio', { name: 'Graph' }).click();
      await page.locator('[data-card]').first().waitFor();
      if (look.size !== 'phone') await page.getByRole('button', { name: 'Fit the graph into view' }).click();
    }
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: pathOf(`${name}-${look.size}-${look.colorScheme}`) });
  }
  await context.close();
}

const server = await prepareServer();
const env = { ...process.env, DATA_DIR: server.dataDir };
const seed = '--checks 50 --configs 2000 --changes 1500 --relationships 6000 --insights 400';
execFileSync('npm', ['run', '--silent', 'seed', '--', ...seed.split(' ')], { stdio: 'inherit', env });
const script = ['--import', 'tsx', 'e2e/support/add-estate-query.ts', server.dataDir, String(SIZE)];
execFileSync(process.execPath, script, { stdio: 'inherit' });
await server.start();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
});
try {
  await tour(browser, server.url, { size: 'desk', colorScheme: 'light' });
  await tour(browser, server.url, { size: 'desk', colorScheme: 'dark' });
  await tour(browser, server.url, { size: 'tablet', colorScheme: 'light' });
  await tour(browser, server.url, { size: 'phone', colorScheme: 'light' });
  await tour(browser, server.url, { size: 'phone', colorScheme: 'dark' });
} finally {
  await browser.close();
  await server.dispose();
}
