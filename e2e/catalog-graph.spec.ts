/** The relationship graph in a real browser: drawn, opened by the keyboard, followed to an item, also offline. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { clusterEstate } from './support/graph-estate.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { prepareServer } from './support/holdfast-server.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

/** The first load takes its time on a busy machine. */
test.setTimeout(240_000);

const SIZE = 20;
const { rootId } = clusterEstate(SIZE);
let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await prepareServer();
  const script = ['--import', 'tsx', 'e2e/support/add-estate-query.ts', server.dataDir, String(SIZE)];
  await promisify(execFile)(process.execPath, script);
  await server.start();
});

test.afterAll(() => server.dispose());

const card = (page: Page, name: RegExp) => page.locator('[data-card]').and(page.getByRole('link', { name }));

/** How much of what there is the picture shows. */
const shown = (page: Page) => page.getByRole('status').filter({ hasText: 'shown' });

/** Each line leaves and enters the cards at the sides that the direction asks for. */
async function expectLines(page: Page, direction: 'LR' | 'TB'): Promise<void> {
  const [from, to] = direction === 'LR' ? ['right', 'left'] : ['bottom', 'top'];
  const ends = (type: string, side: string) =>
    page.locator(`[data-direction="${direction}"] .react-flow__handle-${side}.${type}`);
  const nodes = page.locator('.react-flow__node');
  const count = await nodes.count();
  await expect(ends('source', from!)).toHaveCount(count, { timeout: 60_000 });
  await expect(ends('target', to!)).toHaveCount(count);
  // A line is a path: from its start to its end it goes along the direction.
  const along = page.locator('.react-flow__edge-path').evaluateAll(
    (paths, isAcross) =>
      paths.every((path) => {
        const numbers = (path.getAttribute('d') ?? '').match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
        const [start, end] = [numbers.slice(0, 2), numbers.slice(-2)];
        return isAcross ? (end[0] ?? 0) > (start[0] ?? 0) : (end[1] ?? 0) > (start[1] ?? 0);
      }),
    direction === 'LR',
  );
  expect(await along).toBe(true);
}

async function openGraph(page: Page, search = 'relationship=soft'): Promise<void> {
  await page.goto(`${server.url}/catalog/${rootId}/relationships?${search}`);
  await page.getByRole('radio', { name: 'Graph' }).click();
  await expect(card(page, /^cluster-of-20/)).toBeVisible({ timeout: 60_000 });
  await expect(shown(page)).toContainText('12 of 20 shown', { timeout: 60_000 });
}

test('the graph is drawn; the keyboard moves along its lines, opens a group and then an item', async ({
  page,
}) => {
  await logIn(page, server.url);
  await openGraph(page);
  // Only cards in sight are in the document, and the first view has them all: the item, 12 related ones, 2 groups.
  await expect(page.locator('[data-card]')).toHaveCount(15);
  await expectLines(page, 'LR');
  await page.getByRole('radio', { name: 'Top to bottom' }).click();
  await expectLines(page, 'TB');
  await page.getByRole('radio', { name: 'Left to right' }).click();
  const closed = page.getByRole('button', { name: /^4 × Pod/, expanded: false });
  await expect(closed).toHaveCount(2);

  await card(page, /^cluster-of-20/).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/Kubernetes::Namespace/);
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^cluster-of-20/);
  await expect(page.locator('[data-card][tabindex="0"]')).toHaveCount(1);

  await page.getByRole('button', { name: 'Fit the graph into view' }).click();
  await closed.first().focus();
  await page.keyboard.press('Space');
  await expect(shown(page)).toContainText('16 of 20 shown');
  await expect(page.locator(':focus')).toHaveAttribute('aria-expanded', 'true');
  // A key leads to a card that is drawn.
  await expect(card(page, /Kubernetes::Pod/).first()).toBeVisible();

  await page.keyboard.press('ArrowRight');
  const pod = page.locator(':focus');
  await expect(pod).toHaveAttribute('href', /\/catalog\//);
  const href = (await pod.getAttribute('href')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}${href}`);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network the graph and the table are the same', async ({ page, context }) => {
    await signIn(page, server.url);
    await openGraph(page);
    await waitUntilOfflineReady(page);
    await context.setOffline(true);
    await page.reload();
    await expect(card(page, /^cluster-of-20/)).toBeVisible({ timeout: 60_000 });
    await expect(shown(page)).toContainText('12 of 20 shown', { timeout: 60_000 });
    await page.getByRole('radio', { name: 'Table' }).click();
    const rows = page.getByRole('table', { name: 'Relationships' }).locator('tbody tr');
    await expect(rows.filter({ hasText: 'cluster-of-20' })).toContainText('This item');
    await expect(page.getByRole('status').filter({ hasText: 'related' })).toContainText('20 related items');
  });
});

test('incoming off keeps outgoing on; filters and depth are in the link', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/catalog/${rootId}/relationships`);
  const [incoming, outgoing] = ['Incoming', 'Outgoing'].map((name) => page.getByRole('switch', { name }));
  await expect(incoming!).not.toBeChecked({ timeout: 60_000 });
  await expect(outgoing!).toBeChecked();
  await expect(outgoing!).toBeDisabled();
  await incoming!.click();
  await outgoing!.click();
  await expect(page).toHaveURL(/incoming=true.*outgoing=false/);
  await incoming!.click();
  await expect(outgoing!).toBeChecked();
  await page.getByLabel('Depth').selectOption('1');
  await expect(page).toHaveURL(/depth=1/);
  await expect(shown(page)).toContainText('2 of 20 shown', { timeout: 60_000 });
});
