/** Many things at once in lists of every kind: chosen, changed, taken back; and a scraper that is tried before it is kept. */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { bar, report } from './support/chosen.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { ADMIN } from './support/holdfast-server.ts';
import { logIn } from './support/sign-in.ts';

test.describe.configure({ timeout: 240_000 });

const server = fileServer({ env: { EGRESS_ALLOW: '127.0.0.1' } });

test('a scraper is tried before it is kept', async ({ page }) => {
  await logIn(page, server.url);
  await page.goto(`${server.url}/settings/config_scrapers?add=true`);
  const form = page.getByRole('dialog');
  await form.getByRole('radio', { name: 'YAML' }).click();
  await form
    .getByRole('textbox')
    .last()
    .fill(
      `http:\n  - type: Page\n    id: $.name\n    name: $.name\n    url: ${server.url.replace('localhost', '127.0.0.1')}/manifest.webmanifest\n`,
    );
  await form.getByRole('button', { name: 'Try now' }).click();
  const results = page.getByRole('list', { name: 'What it would bring' });
  await expect(results).toContainText('http[0]: read', { timeout: 60_000 });
  await expect(results).toContainText('1 item');
  expect(await findings(page)).toEqual([]);
});

test('playbooks and silences are chosen in their lists, too', async ({ page }) => {
  await logIn(page, server.url);
  const make = async (path: string, data: object) => {
    const made = await page.request.post(`${server.url}${path}`, { headers: { origin: server.url }, data });
    expect(made.ok(), await made.text()).toBe(true);
  };
  for (const name of ['drain', 'restart'])
    await make('/api/db/playbooks', {
      name,
      title: name,
      source: 'UI',
      spec: { actions: [{ name: 'say', exec: { script: 'true' } }] },
    });
  for (const description of ['upgrade', 'moving'])
    await make('/api/notification/silence', {
      name: description,
      description,
      from: 'now',
      until: 'now+1h',
      selector: 'team=shop',
    });
  for (const [path, names] of [
    ['/playbooks', ['drain', 'restart']],
    ['/notifications/silences', ['upgrade', 'moving']],
  ] as const) {
    await page.goto(`${server.url}${path}`);
    for (const name of names)
      await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check({ timeout: 60_000 });
    await expect(bar(page)).toContainText('2 chosen');
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await report(page).getByRole('button', { name: 'Undo' }).click();
    await expect(report(page)).toContainText('nothing was sent');
    await expect(page.getByRole('checkbox', { name: /^Choose / })).not.toHaveCount(0);
    expect(await findings(page)).toEqual([]);
  }
});

test('incidents get a commander and another status, and users a role, many at once', async ({ page }) => {
  await logIn(page, server.url);
  const post = (path: string, data: object) =>
    page.request.post(`${server.url}${path}`, { headers: { origin: server.url }, data });
  const [me] = (await (
    await page.request.get(`${server.url}/api/db/people?select=id&email=eq.${ADMIN.email}`)
  ).json()) as {
    id: string;
  }[];
  const about = {
    type: 'availability',
    severity: 'low',
    status: 'open',
    description: '',
    created_by: me?.id,
  };
  // More than a page.
  const others = Array.from({ length: 105 }, (_, at) => ({ title: `lamp ${at}`, ...about }));
  expect((await post('/api/db/incidents', others)).status()).toBe(201);
  for (const title of ['till is slow', 'till is closed'])
    expect((await post('/api/db/incidents', { title, ...about })).status()).toBe(201);
  for (const firstName of ['Ada', 'Bob'])
    expect(
      (
        await post('/api/auth/invite_user', {
          firstName,
          lastName: 'Till',
          email: `${firstName.toLowerCase()}@example.org`,
          role: 'viewer',
        })
      ).ok(),
    ).toBe(true);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/incidents`);
  const cards = page.getByRole('listitem').filter({ hasText: 'till is' });
  await expect(cards).toHaveCount(2, { timeout: 60_000 });
  for (const at of [0, 1]) await cards.nth(at).getByRole('checkbox').check();
  expect(await findings(page)).toEqual([]);
  await bar(page).getByRole('button', { name: 'Assign …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Person/ }).click();
  await page.getByRole('button', { name: 'Ada Till' }).click();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await expect(report(page)).toContainText('2 done', { timeout: 60_000 });
  await report(page).getByRole('button', { name: 'Close' }).click();

  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = page.getByRole('row').filter({ hasText: 'till is' });
  await rows.nth(0).getByRole('link').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('2 chosen');
  await bar(page).getByRole('button', { name: 'Status …' }).click();
  await dialog.getByLabel('New status').selectOption('closed');
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await expect(report(page)).toContainText('2 waiting');
  await report(page).getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(2);

  // All that match, on this page or not.
  await rows.nth(0).getByRole('link').focus();
  await page.keyboard.press('x');
  await bar(page).getByRole('button', { name: 'Choose all 107 that match' }).click();
  await expect(bar(page)).toContainText('107 chosen');
  await bar(page).getByRole('button', { name: 'Status …' }).click();
  await dialog.getByLabel('New status').selectOption('closed');
  await dialog.getByRole('button', { name: 'Change 107' }).click();
  await expect(report(page)).toContainText('107 waiting');
  await report(page).getByRole('button', { name: 'Undo' }).click();
  await expect(report(page)).toContainText('nothing was sent');

  await page.goto(`${server.url}/settings/users`);
  for (const name of ['Ada Till', 'Bob Till'])
    await page.getByRole('checkbox', { name: `Choose ${name}` }).check({ timeout: 60_000 });
  await bar(page).getByRole('button', { name: 'Role …' }).click();
  await dialog.getByLabel('Role').selectOption('responder');
  await dialog.getByRole('button', { name: 'Change' }).click();
  await expect(report(page)).toContainText('2 done', { timeout: 60_000 });
  const roles = page.getByRole('row').filter({ hasText: 'Till' }).filter({ hasText: 'responder' });
  await expect(roles).toHaveCount(2, { timeout: 60_000 });
  await report(page).getByRole('button', { name: 'Undo' }).click();
  await expect(roles).toHaveCount(0, { timeout: 60_000 });
  expect(await findings(page)).toEqual([]);
});

const http = (name: string) => ({ http: [{ name, url: 'http://127.0.0.1:9/' }] });
/** Two of each, what its list is called by where rows have no name, and more than a page of what is shown in pages. */
const SEEDS: readonly (readonly [table: string, row: (name: string) => object])[] = [
  ['canaries', (name) => ({ namespace: 'default', source: 'UI', spec: http(name) })],
  ['config_scrapers', () => ({ source: 'UI', spec: { file: [{ type: 'T', id: '$.id', paths: ['x'] }] } })],
  ['topologies', (name) => ({ namespace: 'default', source: 'UI', spec: { components: [{ name }] } })],
  ['teams', () => ({ source: 'UI', icon: 'group', spec: {} })],
  ['incident_rules', () => ({ source: 'UI', spec: { components: [{ name: 'none' }] } })],
  ['logging_backends', () => ({ source: 'UI', spec: { file: { paths: ['/var/log/x'] } } })],
  ['connections', () => ({ namespace: 'default', source: 'UI', type: 'http', url: 'http://127.0.0.1:9/' })],
];
/** What is queued can be taken back for a moment. */
const HELD = [
  ...SEEDS.map(([table]) => `/settings/${table}`),
  '/settings/agents',
  '/notifications/rules',
  '/settings/integrations?pageSize=5',
];

async function choosesAll(page: Page, path: string): Promise<number> {
  await page.goto(`${server.url}${path}`);
  const boxes = page.getByRole('checkbox', { name: /^Choose (?!all on this page)/ });
  await boxes.first().check({ timeout: 60_000 });
  await bar(page)
    .getByRole('button', { name: /^Choose all \d+ that match$/ })
    .click();
  // All of them are named before any is.
  await expect(bar(page)).not.toContainText(/^1 chosen/);
  await expect(bar(page).getByRole('button', { name: /^Choose all/ })).toHaveCount(0);
  return Number(/(\d+) chosen/.exec((await bar(page).textContent()) ?? '')?.[1]);
}

async function asks(page: Page, verb: string, confirm = verb): Promise<void> {
  await bar(page).getByRole('button', { name: verb, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
}

test('in every list all that match are chosen, also those of other pages, and what was done can be taken back', async ({
  page,
}) => {
  await logIn(page, server.url);
  const make = async (path: string, data: object) => {
    const made = await page.request.post(`${server.url}${path}`, { headers: { origin: server.url }, data });
    expect(made.ok(), `${path}: ${await made.text()}`).toBe(true);
    return (await made.text()) || 'null';
  };
  for (const [table, row] of SEEDS)
    for (const name of ['all-1', 'all-2', 'all-3']) await make(`/api/db/${table}`, { name, ...row(name) });
  for (const name of ['edge-1', 'edge-2']) {
    await make('/api/agent/generate', { name });
    await make('/api/db/notifications', {
      title: name,
      events: ['check.failed'],
      custom_services: [{ name: 'hook', url: 'generic://127.0.0.1:9/' }],
    });
    await make('/api/db/properties', { name: `x.${name}`, value: 'on' });
  }
  const playbook = '018f0000-0000-7000-8000-00000000b001';
  await make('/api/db/playbooks', {
    id: playbook,
    name: 'waits',
    title: 'Waits',
    source: 'UI',
    spec: {
      approval: { type: 'any', approvers: { people: ['nobody@example.org'] } },
      actions: [{ name: 'say', exec: { script: 'true' } }],
    },
  });
  for (let at = 0; at < 7; at += 1) await make('/api/playbook/run', { id: playbook, params: {} });

  for (const path of HELD) {
    const count = await choosesAll(page, path);
    expect(count, path).toBeGreaterThan(1);
    await asks(page, 'Delete');
    await expect(report(page), path).toContainText(`${count} waiting`);
    await report(page).getByRole('button', { name: 'Undo' }).click();
    await expect(report(page), path).toContainText('nothing was sent');
  }
  // What somebody waits for is told one by one, and is not taken back.
  for (const [path, verb, confirm] of [
    ['/settings/feature-flags', 'Delete', 'Delete'],
    ['/playbooks/runs?pageSize=5', 'Cancel', 'Cancel 7 runs'],
  ] as const) {
    const count = await choosesAll(page, path);
    await asks(page, verb, confirm);
    await expect(report(page), path).toContainText(`${count} done`, { timeout: 60_000 });
    await report(page).getByText('One by one').click();
    await expect(report(page).getByRole('listitem'), path).toHaveCount(count);
    expect(await findings(page)).toEqual([]);
  }
});
