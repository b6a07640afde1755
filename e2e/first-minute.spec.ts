/** The first minute: an empty server says what to add first, the demo has something on every page. */
import { expect, test, type Page } from '@playwright/test';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { signIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

test.setTimeout(400_000);

/** An age, a latency or an uptime, or none yet: they go on while one looks elsewhere. */
const FIGURE = /–|\d+(\.\d+)?(ms|mo|[smhdwy%])/g;

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function startServer(args: string[]): Promise<HoldfastServer> {
  const server = await prepareServer({ args });
  await server.start();
  return server;
}

async function enter(page: Page, server: HoldfastServer): Promise<void> {
  await signIn(page, server.url, '/');
  await expect(menu(page)).toBeVisible({ timeout: 120_000 });
}

test('an empty server leads from its start card to the form of a first check, and each empty list says what to do', async ({
  page,
}) => {
  const server = await startServer([]);
  try {
    await enter(page, server);
    await expect(page).toHaveURL(/\/health/, { timeout: 120_000 });
    const card = page.getByRole('region', { name: 'Get started' });
    await expect(card.getByRole('listitem')).toHaveCount(3);
    await card.getByRole('link', { name: 'Add a health check' }).click();
    await expect(page.getByRole('heading', { name: 'Add check' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'HTTP', exact: true })).toBeVisible();
    const empty: [string, RegExp][] = [
      ['/settings/teams', /Add the first one above/],
      ['/settings/config_scrapers', /Add the first one above/],
      ['/settings/topologies', /Add the first one above/],
      ['/settings/incident_rules', /Add the first one above/],
      ['/settings/logging_backends', /Add the first one above/],
      ['/settings/connections', /Add the first one above/],
      ['/settings/agents', /None has reported yet/],
      ['/settings/feature-flags', /Add one to switch/],
      ['/catalog/changes', /longer time range/],
      ['/incidents', /create an incident/i],
    ];
    for (const [path, hint] of empty) {
      await walkTo(page, path);
      await expect(page.getByText(hint), path).toBeVisible({ timeout: 60_000 });
    }
  } finally {
    await server.dispose();
  }
});

test.describe('the demo', () => {
  let server: HoldfastServer;

  test.beforeAll(async () => {
    test.setTimeout(400_000);
    server = await startServer(['--demo']);
  });
  test.afterAll(() => server.dispose());

  /** Until the last of its stories has been told. */
  async function waitForDemo(page: Page): Promise<void> {
    const read = () =>
      page.evaluate(async () => {
        const rows: unknown = await (await fetch('/api/db/responders?select=id')).json();
        return Array.isArray(rows) ? rows.length : 0;
      });
    await expect.poll(read, { timeout: 240_000 }).toBe(6);
  }

  test('every entry of the menu has something to show, and the last cell of a row opens it', async ({
    page,
  }) => {
    await enter(page, server);
    await waitForDemo(page);
    await expect(page.getByText('Demo data', { exact: true })).toBeVisible({ timeout: 60_000 });
    await page.goto(`${server.url}/`);
    await expect(page).toHaveURL(/\/topology/, { timeout: 60_000 });
    const shown: [string, RegExp][] = [
      ['/topology', /payments/],
      ['/health?hidePassing=false', /card-gateway/],
      ['/incidents?status=all', /Card payments fail/],
      ['/catalog', /Deployment/],
      ['/playbooks', /Restart a deployment/],
      ['/notifications', /Card payments fail/],
      ['/notifications/rules', /incident\.created/],
      ['/settings/connections', /ledger-db/],
      ['/settings/users', /Ada Berg/],
      ['/settings/teams', /payments/],
      ['/settings/incident_rules', /Payments down/],
      ['/settings/config_scrapers', /production-eu/],
      ['/settings/topologies', /company/],
      ['/settings/canaries', /card-gateway/],
    ];
    for (const [path, text] of shown) {
      await walkTo(page, path);
      await expect(page.locator('main').getByText(text).first(), path).toBeVisible({ timeout: 60_000 });
    }
  });

  test('the keyboard reaches every list, opens a row, goes on in its heading and comes back to it', async ({
    page,
  }) => {
    await enter(page, server);
    await waitForDemo(page);
    /** How a row opens: a page with a heading, or a dialog over the list. */
    type Opens = 'page' | 'dialog';
    const lists: [string, Opens][] = [
      ['/topology', 'page'],
      ['/health?hidePassing=false&groupBy=none', 'dialog'],
      ['/incidents?status=all', 'page'],
      ['/catalog?groupBy=none', 'page'],
      ['/catalog/changes', 'dialog'],
      ['/catalog/insights', 'dialog'],
      ['/catalog/scrapers', 'page'],
      ['/notifications', 'dialog'],
      ['/settings/connections', 'dialog'],
      ['/settings/users', 'dialog'],
      ['/settings/teams', 'page'],
      ['/settings/incident_rules', 'page'],
      ['/settings/config_scrapers', 'page'],
      ['/settings/topologies', 'page'],
      ['/settings/canaries', 'page'],
      ['/settings/integrations', 'page'],
    ];
    const focused = page.locator(':focus');
    /** What the row with the focus says, whatever the time is. */
    const said = async () =>
      ((await focused.count()) === 1 ? ((await focused.textContent()) ?? '') : '').replace(FIGURE, '#');
    const inList = page.locator('main :is([data-row-link], [data-row-kind], td button, td input):focus');
    for (const [path, opens] of lists) {
      await walkTo(page, path);
      const rows = page.locator('main :is([data-row-link], [data-row-kind], td button)');
      await expect(rows.first(), path).toBeVisible({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Jump to the list' }).press('Enter');
      await expect(inList, path).toBeVisible();
      const search = page.locator('main').getByRole('searchbox').first();
      if (await search.isVisible()) {
        await search.focus();
        await search.press('Escape');
        await expect(search, path).not.toBeFocused();
        await search.press('ArrowDown');
        await expect(inList, path).toBeVisible();
      }
      const row = await said();
      await page.keyboard.press('Enter');
      if (opens === 'page') {
        await expect(page.locator('main h1:focus'), path).toBeAttached({ timeout: 60_000 });
        await page.goBack();
      } else {
        const opened = page.getByRole('dialog');
        await expect(opened.locator(':focus').or(page.locator('dialog:focus')), path).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(opened, path).toBeHidden();
      }
      await expect.poll(said, { message: path, timeout: 60_000 }).toBe(row);
    }
  });

  test('what has no column on a narrow screen is told whole under the name', async ({ page }) => {
    await enter(page, server);
    await waitForDemo(page);
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto(`${server.url}/catalog`);
    await expect(page.getByRole('columnheader', { name: 'Cost (30d)' })).toBeVisible({ timeout: 60_000 });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/catalog?configType=Kubernetes::Deployment`);
    await page
      .getByRole('button', { name: /, Cost of / })
      .first()
      .click({ timeout: 60_000 });
    await expect(page.getByText('Last 7 days', { exact: true })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['settings/users', 'settings/canaries', 'settings/connections', 'catalog/changes']) {
      await walkTo(page, `/${name}`);
      const facts = page.locator('[data-fact]');
      await expect(facts.first(), name).toBeVisible({ timeout: 60_000 });
      // Only a text that is longer than the screen is wide ends in dots, and stands alone in its line.
      const cut = await facts.evaluateAll((all) =>
        all
          .filter((fact) => fact.scrollWidth > fact.clientWidth + 1)
          .filter((fact) => fact.clientWidth + 1 < (fact.parentElement?.clientWidth ?? 0))
          .map((fact) => fact.textContent),
      );
      expect(cut, name).toEqual([]);
    }
  });

  test('a row of a table opens wherever it is pressed', async ({ page }) => {
    await enter(page, server);
    await waitForDemo(page);
    const opens: [string, RegExp][] = [
      ['/settings/connections', /connections/],
      ['/settings/teams', /\/settings\/teams\/[\w-]+/],
      ['/settings/incident_rules', /\/settings\/incident_rules\/[\w-]+/],
      ['/settings/config_scrapers', /\/settings\/config_scrapers\/[\w-]+/],
      ['/settings/topologies', /\/settings\/topologies\/[\w-]+/],
      ['/settings/canaries', /\/settings\/canaries\/[\w-]+/],
      ['/catalog/changes', /change=/],
      ['/catalog/insights', /insight=/],
      ['/catalog/scrapers', /\/catalog\/scrapers\/[\w-]+/],
      ['/incidents', /\/incidents\/[\w-]+/],
    ];
    for (const [path, address] of opens) {
      await walkTo(page, path);
      const row = page
        .locator('main [role="row"], main tbody tr')
        .filter({ has: page.locator('[data-row-link]') });
      await expect(row.first(), path).toBeVisible({ timeout: 60_000 });
      const cell = row.first().locator('td, [role="gridcell"], [role="cell"]').last();
      // A table that has just found its width draws its rows anew.
      await expect.poll(() => cell.boundingBox(), { message: path }).not.toBeNull();
      const box = await cell.boundingBox();
      // Where nothing of its own stands in the cell: its right edge.
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + (box?.height ?? 0) / 2);
      if (path === '/settings/connections') await expect(page.getByRole('dialog'), path).toBeVisible();
      else await expect(page, path).toHaveURL(address);
    }
  });
});
