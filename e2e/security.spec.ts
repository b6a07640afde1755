/**
 * What people write is text: rows whose every text is markup are shown in a real browser, and nothing of it runs,
 * loads or becomes an element. The page's own policy is watched, too: it never has to stop anything.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { fileServer } from './support/file-server.ts';
import { signIn, waitUntilLoaded } from './support/sign-in.ts';
import { walkTo } from './support/walk-to.ts';

const NAME = 'hostile';
const MARKUP = `${NAME}<img src=x onerror="window.pwned=1"><svg onload="window.pwned=2"></svg><script>window.pwned=3</script>`;
const ADDRESS = 'javascript:window.pwned=4';
const MARKDOWN = `${MARKUP} [click](${ADDRESS}) <a href="${ADDRESS}">here</a> @[${MARKUP}](user:x)`;

interface Seen {
  pwned: unknown;
  reports: string[];
}

/** Counts what ran and what the policy stopped, from before the first script of each page. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { cspReports: seen });
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
}

const seenIn = (page: Page) =>
  page.evaluate((): Seen => {
    const { pwned, cspReports } = window as unknown as { pwned?: unknown; cspReports: string[] };
    return { pwned: pwned ?? null, reports: cspReports };
  });

/** Elements that only the markup of a row could have made. */
const foreignElements = (page: Page) =>
  page
    .locator('img[src="x"], svg[onload], [onerror], a[href^="javascript:" i], script:not([nonce]):not([src])')
    .count();

interface NewRow {
  table: string;
  row: Record<string, unknown>;
}

/** One row in each table whose texts a page shows; `person` is who made them. */
function hostileRows(person: string): NewRow[] {
  const id = (number: number) => `40000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const texts = { name: MARKUP, description: MARKUP, icon: MARKUP };
  const labels = { [MARKUP]: MARKUP, app: MARKUP };
  const made = { created_by: person };
  return [
    // An agent's: this server shows its checks and leaves them as they are.
    { table: 'agents', row: { id: id(20), name: MARKUP, description: MARKUP } },
    {
      table: 'canaries',
      row: {
        id: id(1),
        agent_id: id(20),
        name: MARKUP,
        namespace: MARKUP,
        labels,
        spec: {
          schedule: '@every 1h',
          http: [{ name: MARKUP, description: MARKUP, url: 'https://x.example' }],
        },
        source: 'UI',
      },
    },
    {
      table: 'checks',
      row: {
        ...texts,
        id: id(2),
        canary_id: id(1),
        agent_id: id(20),
        type: 'http',
        namespace: MARKUP,
        labels,
        status: 'unhealthy',
        owner: MARKUP,
        category: MARKUP,
        severity: 'high',
        spec: { url: ADDRESS, endpoint: ADDRESS },
      },
    },
    {
      table: 'check_statuses',
      row: {
        check_id: id(2),
        time: new Date().toISOString(),
        status: false,
        duration: 1,
        error: MARKUP,
        message: MARKUP,
        details: { [MARKUP]: MARKUP },
      },
    },
    {
      table: 'config_items',
      row: {
        id: id(3),
        config_class: 'Pod',
        type: 'Kubernetes::Pod',
        name: MARKUP,
        tags: labels,
        labels,
        config: { [MARKUP]: ADDRESS },
        description: MARKUP,
        status: MARKUP,
      },
    },
    {
      table: 'components',
      row: {
        id: id(4),
        external_id: MARKUP,
        name: MARKUP,
        text: MARKUP,
        type: MARKUP,
        status: 'unhealthy',
        status_reason: MARKUP,
        owner: MARKUP,
        labels,
        properties: [{ name: MARKUP, text: MARKUP, links: [{ url: ADDRESS, text: MARKUP }] }],
      },
    },
    {
      table: 'incidents',
      row: {
        ...made,
        id: id(5),
        title: MARKUP,
        description: MARKDOWN,
        severity: 'High',
        type: 'availability',
        status: 'open',
      },
    },
    {
      table: 'hypotheses',
      row: { ...made, id: id(6), incident_id: id(5), title: MARKUP, type: 'root', status: 'possible' },
    },
    {
      table: 'comments',
      row: { ...made, id: id(7), incident_id: id(5), hypothesis_id: id(6), comment: MARKDOWN },
    },
    {
      table: 'evidences',
      row: {
        ...made,
        id: id(8),
        hypothesis_id: id(6),
        description: MARKUP,
        type: 'comment',
        evidence: { comment: MARKDOWN, url: ADDRESS },
      },
    },
    {
      table: 'playbooks',
      row: {
        id: id(9),
        name: NAME,
        title: MARKUP,
        description: MARKUP,
        category: MARKUP,
        icon: MARKUP,
        spec: { description: MARKUP, actions: [{ name: MARKUP, exec: { script: MARKUP } }] },
        source: 'UI',
      },
    },
    { table: 'teams', row: { ...made, id: id(10), name: MARKUP, icon: ADDRESS } },
    { table: 'properties', row: { name: MARKUP, value: MARKUP } },
    {
      table: 'notifications',
      row: {
        id: id(12),
        name: NAME,
        title: MARKUP,
        template: MARKUP,
        events: ['check.failed'],
        person_id: person,
        source: 'UI',
      },
    },
  ];
}

test.setTimeout(300_000);

const server = fileServer();

/** What the address made of the page is there: its heading is the last of it. */
async function isDrawn(page: Page): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible({ timeout: 60_000 });
}

/** Writes the rows as their author's own page would; answers the tables that did not take theirs. */
async function seed(page: Page): Promise<string[]> {
  const person = await page.evaluate(async () => {
    const answer = await fetch('/api/auth/whoami');
    const { payload } = (await answer.json()) as { payload: { user: { id: string } } };
    return payload.user.id;
  });
  return page.evaluate(async (rows) => {
    const refused: string[] = [];
    for (const { table, row } of rows) {
      const answer = await fetch(`/api/db/${table}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(row),
      });
      if (!answer.ok) refused.push(`${table}: ${await answer.text()}`);
    }
    return refused;
  }, hostileRows(person));
}

test('markup in every text that people write is shown as text, on every page', async ({ page }) => {
  test.setTimeout(600_000);
  await watch(page);
  await signIn(page, server.url);
  expect(await seed(page)).toEqual([]);
  const id = (number: number) => `40000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const look = async (path: string) =>
    expect([path, await seenIn(page), await foreignElements(page)]).toEqual([
      path,
      { pwned: null, reports: [] },
      0,
    ]);
  for (const path of [
    '/health?hidePassing=false&groupBy=none',
    `/health?hidePassing=false&groupBy=none&checkId=${id(2)}`,
    '/incidents',
    `/incidents/${id(5)}`,
    '/topology',
    `/topology/${id(4)}`,
    `/catalog/${id(3)}`,
    '/playbooks',
    `/settings/canaries/${id(1)}`,
    '/settings/feature-flags',
  ]) {
    await walkTo(page, path);
    // The rows are there to be seen, or the test would say nothing.
    await expect(page.getByText(NAME).first(), path).toBeVisible({ timeout: 60_000 });
    await look(path);
  }
  // These have nothing of the rows in sight, but something of them at hand.
  for (const path of [
    '/catalog',
    '/notifications',
    '/settings/users',
    '/settings/agents',
    '/profile-settings',
    '/outbox',
  ]) {
    await walkTo(page, path);
    await waitUntilLoaded(page);
    await isDrawn(page);
    await look(path);
  }
});

test('markup in the address of a page is text, too', async ({ page }) => {
  await watch(page);
  const text = encodeURIComponent(MARKUP);
  for (const path of [
    `/login?return_to=${encodeURIComponent(ADDRESS)}`,
    `/login?flow=${text}&return_to=/${text}`,
    `/error?error_code=${text}&id=${text}`,
    `/recovery?token=${text}&code=${text}`,
    `/auth-state-checker?return_to=${encodeURIComponent(ADDRESS)}`,
    `/${text}`,
  ]) {
    await page.goto(`${server.url}${path}`);
    await isDrawn(page);
    expect([path, await seenIn(page), await foreignElements(page)]).toEqual([
      path,
      { pwned: null, reports: [] },
      0,
    ]);
    expect(new URL(page.url()).origin).toBe(server.url);
  }
});

test('sign-in leads to no other site, whatever the address asks for', async ({ page }) => {
  await watch(page);
  for (const asked of [
    'https://evil.example',
    '//evil.example',
    '/.//evil.example',
    '/\\evil.example',
    ADDRESS,
  ]) {
    await page.context().clearCookies();
    await page.goto(`${server.url}/login?return_to=${encodeURIComponent(asked)}`);
    await isDrawn(page);
    expect([asked, new URL(page.url()).origin]).toEqual([asked, server.url]);
  }
  // The login page asks for a form of its own, whose cookie would take the place of this one's.
  await page.goto('about:blank');
  await signIn(page, server.url);
  for (const asked of [
    'https://evil.example',
    '//evil.example',
    '/.//evil.example',
    '/\\evil.example',
    ADDRESS,
  ]) {
    await page.goto(`${server.url}/auth-state-checker?return_to=${encodeURIComponent(asked)}`);
    await expect(page).not.toHaveURL(/auth-state-checker/, { timeout: 60_000 });
    await isDrawn(page);
    expect([asked, new URL(page.url()).origin]).toEqual([asked, server.url]);
    expect((await seenIn(page)).pwned).toBeNull();
  }
});

test('markup that did get into a page would be stopped by the policy, and the watch above would tell', async ({
  page,
}) => {
  await watch(page);
  await page.goto(`${server.url}/login`);
  await isDrawn(page);
  await page.evaluate((markup) => {
    const element = document.createElement('div');
    element.innerHTML = markup;
    document.body.append(element);
  }, MARKUP);
  await expect.poll(async () => (await seenIn(page)).reports.length).toBeGreaterThan(0);
  expect((await seenIn(page)).pwned).toBeNull();
  expect(await foreignElements(page)).toBeGreaterThan(0);
});
