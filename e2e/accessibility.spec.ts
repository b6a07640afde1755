import { expect, test, type Page } from '@playwright/test';
import { findingsInColors } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { signIn } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

/** Four widths, eight pages and the drawer. */
test.setTimeout(600_000);

const server = fileServer({ args: ['--demo'] });

const PAGES = [
  '/health?hidePassing=false',
  '/health?hidePassing=false&layout=card',
  '/health?hidePassing=false&groupBy=none',
  '/notifications',
  '/help',
  '/incidents?status=all',
  '/outbox',
  '/settings/storage',
];

/** A window is opened as the first and made as narrow as the second: a tablet that is turned, a phone that is smaller. */
const SIZES = [
  [
    { width: 1440, height: 900 },
    { width: 820, height: 1180 },
  ],
  [
    { width: 390, height: 844 },
    { width: 360, height: 740 },
  ],
] as const;

/** Whether the page that is open is drawn at that size, fits in, and has nothing serious. */
async function lookThrough(page: Page, path: string, viewport: { width: number; height: number }) {
  await page.setViewportSize(viewport);
  await expect(page.locator('[data-row-kind]:visible, main h1:visible').first()).toBeVisible({
    timeout: 60_000,
  });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow, `${path} at ${viewport.width}`).toBeLessThanOrEqual(0);
  if (viewport.width !== 360)
    expect(await findingsInColors(page), `${path} at ${viewport.width}`).toEqual([]);
}

test('no page has serious accessibility findings, light or dark, and none is wider than its window', async ({
  page,
}) => {
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible({ timeout: 60_000 });
  expect(await findingsInColors(page)).toEqual([]);
  await signIn(page, server.url);
  await expect(page.locator('[data-row-kind]').first()).toBeVisible({ timeout: 60_000 });
  for (const [opened, narrowed] of SIZES) {
    await page.setViewportSize(opened);
    await page.goto(`${server.url}/settings/teams`);
    for (const path of PAGES) {
      await page.setViewportSize(opened);
      await walkTo(page, path);
      for (const viewport of [opened, narrowed]) await lookThrough(page, path, viewport);
    }
    for (const viewport of [opened, narrowed]) {
      await page.setViewportSize(viewport);
      await walkTo(page, '/health?hidePassing=false&groupBy=none');
      await page.locator('[data-row-kind="check"]').first().click();
      await expect(page.getByRole('dialog').getByText('Uptime').first()).toBeVisible({ timeout: 60_000 });
      expect(await findingsInColors(page), `drawer at ${viewport.width}`).toEqual([]);
    }
  }
});

test('a finger or the mouse on a bar of a check’s or group’s history says when that was, and opens nothing', async ({
  browser,
}) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 1180, height: 820 } });
  const page = await context.newPage();
  await signIn(page, server.url);
  const boards = [
    ['groupBy=none&layout=table', 'check', /^\d+ of \d+ runs healthy/],
    ['groupBy=none&layout=card', 'check', /^\d+ of \d+ runs healthy/],
    ['groupBy=canary_name&layout=table', 'group', /^Last \d+ runs of \d+ checks?: /],
  ] as const;
  for (const [layout, kind, name] of boards) {
    await page.goto(`${server.url}/health?hidePassing=false&${layout}`);
    const history = page.locator(`[data-row-kind="${kind}"] [data-runs]:not([data-runs="0"])`).first();
    await expect(history, layout).toHaveAccessibleName(name, { timeout: 60_000 });
    const { width = 0, height = 0 } = (await history.boundingBox()) ?? {};
    const newest = { x: width - 2, y: height / 2 };
    const said = page.getByText(/^(Healthy|Unhealthy|.* checks? (un)?healthy) · .*\d+:\d\d:\d\d.* ago$/);
    await history.hover({ position: newest });
    await expect(said, layout).toBeVisible({ timeout: 60_000 });
    await page.mouse.move(5, 5);
    await expect(said, layout).toBeHidden({ timeout: 60_000 });
    await history.tap({ position: newest });
    await expect(said, layout).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.locator('[data-row-kind][aria-expanded="true"]')).toHaveCount(0);
  }
  await context.close();
});
