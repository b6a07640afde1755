/** The shell: where addresses lead, who sees what, what is switched off, what went wrong, and what is said. */
import { expect, test, type Page } from '@playwright/test';
import { sessionCookie } from '../bench/signed-in-proxy.ts';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { ADMIN, prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { fillLogin, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { startWeatherProxy } from './support/weather-proxy.ts';

test.setTimeout(240_000);

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await prepareServer();
  await startWithRoles(server, ['viewer', 'editor', 'responder']);
});

test.afterAll(() => server.dispose());

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const isLive = (page: Page) =>
  expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });

async function enter(page: Page, path: string, role?: string): Promise<void> {
  await signIn(page, server.url, path, role === undefined ? ADMIN : accountOf(role));
  await expect(menu(page)).toBeVisible({ timeout: 60_000 });
}

/** As a page of the app would ask. */
async function call(page: Page, method: string, path: string, body?: unknown): Promise<number> {
  return page.evaluate(
    async ([how, where, what]) => {
      const answer = await fetch(where as string, {
        method: how as string,
        headers: { 'content-type': 'application/json' },
        ...(what === undefined ? {} : { body: JSON.stringify(what) }),
      });
      return answer.status;
    },
    [method, path, body] as const,
  );
}

/** Ends the page's session on the server, as another browser of the same user would. */
async function revoke(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const flow = await fetch(`${server.url}/api/.ory/self-service/logout/browser`, { headers });
  const { logout_token: token } = (await flow.json()) as { logout_token: string };
  const answer = await fetch(`${server.url}/api/.ory/self-service/logout?token=${token}`, {
    headers,
    redirect: 'manual',
  });
  expect(answer.status).toBeLessThan(400);
}

test('the root leads to health while there is no component, and former addresses to where things are now', async ({
  page,
}) => {
  await page.goto(`${server.url}/`);
  await expect(page).toHaveURL(/\/login\?return_to=/, { timeout: 60_000 });
  await fillLogin(page);
  await expect(menu(page)).toBeVisible({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/health/, { timeout: 60_000 });
  await expect(page).toHaveTitle('Health · Holdfast');
  const id = '018f4a9e-0000-7000-8000-000000000001';
  const moves = [
    ['/configs', '/catalog'],
    ['/configs?search=pod', '/catalog?search=pod'],
    [`/config/${id}`, `/catalog/${id}`],
    ['/settings/notifications/rules?a=1', '/notifications/rules?a=1'],
    ['/notifications/silence', '/notifications/silences/add'],
    ['/agents', '/settings/agents'],
    ['/installation/saas/agent', '/help#agent'],
  ];
  for (const [from, to] of moves) {
    await page.goto(`${server.url}${from}`);
    await expect(page).toHaveURL(`${server.url}${to}`);
  }
  await expect(page.locator('#agent')).toBeInViewport();
  await page.goto(`${server.url}/no/such/page`);
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
  await expect(menu(page)).toBeVisible();
});

test('the sidebar and the settings menu remember whether they are open', async ({ page }) => {
  await enter(page, '/topology');
  const settings = menu(page).getByRole('button', { name: 'Settings' });
  await expect(settings).toHaveAttribute('aria-expanded', 'false');
  await settings.click();
  await expect(menu(page).getByRole('link', { name: 'Storage' })).toBeVisible();
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  await expect(menu(page).getByRole('link', { name: 'Storage' })).toBeVisible();
});

test('viewers have no settings menu, editors have one, and a kubeconfig once a cluster is connected', async ({
  page,
  browser,
}) => {
  await enter(page, '/health', 'viewer');
  await expect(menu(page).getByRole('link', { name: 'Health' })).toBeVisible();
  await expect(menu(page).getByRole('button', { name: 'Settings' })).toBeHidden();
  await page.getByRole('button', { name: /^Profile of/ }).click();
  await expect(page.getByText('Hello, viewer Tester')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Download kubeconfig' })).toBeHidden();

  const other = await (await browser.newContext()).newPage();
  await enter(other, '/health', 'editor');
  await expect(menu(other).getByRole('button', { name: 'Settings' })).toBeVisible();
  await other.getByRole('button', { name: /^Profile of/ }).click();
  await expect(other.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(other.getByRole('menuitem', { name: 'Download kubeconfig' })).toBeHidden();
  const admin = await (await browser.newContext()).newPage();
  await enter(admin, '/health');
  const cluster = { name: 'home', namespace: 'default', type: 'kubernetes', certificate: 'kubeconfig' };
  expect(await call(admin, 'POST', '/api/db/connections', cluster)).toBe(201);
  await admin.context().close();
  await other.reload();
  await other.getByRole('button', { name: /^Profile of/ }).click();
  await expect(other.getByRole('menuitem', { name: 'Download kubeconfig' })).toBeVisible({ timeout: 60_000 });
  await other.goto(`${server.url}/help#kubeconfig`);
  await expect(other.getByText(/has a context for each cluster/)).toBeVisible();
  await other.context().close();
});

test('a feature that is switched off leaves the menus at once, its page says so, and it comes back', async ({
  page,
}) => {
  await enter(page, '/catalog');
  await isLive(page);
  const entry = menu(page).getByRole('link', { name: 'Incidents' });
  await expect(entry).toBeVisible();
  const off = { name: 'incidents.disable', value: 'true' };
  expect(await call(page, 'POST', '/api/db/properties', off)).toBe(201);
  await expect(entry).toBeHidden({ timeout: 60_000 });
  await page.goto(`${server.url}/incidents`);
  await expect(page.getByRole('heading', { name: 'Incidents is switched off' })).toBeVisible();
  expect(await call(page, 'DELETE', '/api/db/properties?name=eq.incidents.disable')).toBeLessThan(300);
  await expect(entry).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'Incidents', exact: true })).toBeVisible();
});

test('the error pages say what happened and lead on', async ({ page }) => {
  await page.goto(`${server.url}/error?error_code=BAD_SESSION`);
  await expect(page.getByText(/^Bad Session\. Please try logging out and logging in again/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go back' })).toHaveAttribute('href', '/');
  await page.goto(`${server.url}/error?error_code=ELSE`);
  await expect(page.getByText('Unknown error')).toBeVisible();
  // An unknown flow error can't be told: home, which wants a sign-in.
  for (const path of ['/error/00000000-0000-4000-8000-000000000000', '/error?id=none']) {
    await page.goto(`${server.url}${path}`);
    await expect(page).toHaveURL(/\/login\?return_to=%2F/);
  }
});

test('a toast goes after five seconds, stays while it is looked at, and outlives the dialog it came from', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, '/settings/users');
  await page.getByRole('button', { name: 'Invite User' }).click();
  const form = page.getByRole('dialog', { name: 'Invite User' });
  await form.getByLabel('First Name').fill('Ada');
  await form.getByLabel('Last Name').fill('Lovelace');
  await form.getByLabel('Email').fill('toast@example.test');
  await form.getByLabel('Role').selectOption('viewer');
  await form.getByRole('button', { name: 'Invite', exact: true }).click();
  const modal = page.getByRole('dialog', { name: 'User invited' });
  await expect(modal.getByRole('button', { name: 'Copy' })).toBeVisible({ timeout: 60_000 });
  // Time stands still from here on, and goes by when it is told to.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await modal.getByRole('button', { name: 'Copy' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Copied to clipboard' });
  await expect(toast).toBeVisible();
  await modal.getByRole('button', { name: 'Close' }).click();
  await expect(modal).toBeHidden();
  await toast.hover();
  await page.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await page.mouse.move(10, 400);
  await page.clock.runFor(4900);
  await expect(toast).toBeVisible();
  await page.clock.runFor(200);
  await expect(toast).toBeHidden();
});

test('a menu and a panel open with the keyboard, keep the focus in, and give it back when Escape closes them', async ({
  page,
}) => {
  await enter(page, '/health?hidePassing=false');
  await isLive(page);
  const docs = page.getByRole('button', { name: 'Docs', exact: true });
  await docs.press('Enter');
  const items = page.getByRole('menu').getByRole('menuitem');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(items.last()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(docs).toBeFocused();
  const view = page.getByRole('button', { name: 'View', exact: true });
  await view.press('Enter');
  const panel = page.getByRole('dialog', { name: 'View', exact: true });
  await expect(view).toHaveAttribute('aria-expanded', 'true');
  const inside = panel.locator(':focus');
  await expect(inside).toHaveCount(1);
  for (const key of ['Tab', 'Shift+Tab', 'Shift+Tab', 'Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key);
    await expect(inside, key).toHaveCount(1);
  }
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(view).toBeFocused();
  await view.click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(panel).toBeHidden();
});

test('where the file of the panels cannot be loaded words say so, and everything else goes on', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route(/FloatingPanel/, (route) => route.abort());
  let loads = 0;
  page.on('load', () => void (loads += 1));
  await enter(page, '/health?hidePassing=false');
  const profile = page.getByRole('button', { name: /^Profile/ });
  const words = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  // After the first load the page looks once, by itself, whether a reload brings the file.
  await expect.poll(() => loads, { timeout: 60_000 }).toBe(2);
  await profile.click();
  await expect(words).toBeVisible({ timeout: 60_000 });
  await profile.click();
  await expect(words).toBeHidden();
  await page.getByRole('searchbox').fill('nothing is called so');
  await expect(page.getByRole('searchbox')).toHaveValue('nothing is called so');
  expect(loads).toBe(2);
  await context.close();
});

test('a revoked session leads over the checker to the login page and back to where one was', async ({
  page,
}) => {
  await enter(page, '/health?hidePassing=false');
  await isLive(page);
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(frame.url()));
  // Its event stream ends, and the next question is answered with 401.
  await revoke(page);
  await expect(page).toHaveURL(/\/login\?return_to=/, { timeout: 60_000 });
  expect(visited.some((url) => url.includes('/auth-state-checker?return_to='))).toBe(true);
  await fillLogin(page);
  await expect(page).toHaveURL(/\/health\?.*hidePassing=false/, { timeout: 60_000 });
});

test('the checker sends who is signed in back, and only within this app', async ({ page }) => {
  await enter(page, '/topology');
  await page.goto(`${server.url}/auth-state-checker?return_to=%2Fcatalog%3Fsearch%3Dx`);
  await expect(page).toHaveURL(`${server.url}/catalog?search=x`);
  await page.goto(`${server.url}/auth-state-checker?return_to=%2F%2Fexample.com`);
  await expect(page).toHaveURL(/\/health/, { timeout: 60_000 });
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('offline, an expired session still shows what is kept, and says how old it is; online it asks to sign in', async ({
    page,
    context,
  }) => {
    // The browser's own offline mode may miss a worker that is busy, which then hears of the end of its session.
    const proxy = await startWeatherProxy(server.url);
    try {
      await signIn(page, proxy.url, '/topology');
      await expect(menu(page)).toBeVisible({ timeout: 60_000 });
      const name = 'kept component';
      const component = { name, external_id: name, type: 'Node', status: 'healthy' };
      expect(await call(page, 'POST', '/api/db/components', component)).toBe(201);
      await expect(page.getByRole('link', { name })).toBeVisible({ timeout: 60_000 });
      await waitUntilOfflineReady(page);
      proxy.weather.loss = 1;
      await context.setOffline(true);
      await revoke(page);
      await page.reload();
      await expect(page.getByRole('link', { name })).toBeVisible({ timeout: 60_000 });
      await expect(page.getByTestId('connectivity')).toContainText(/Offline/, { timeout: 60_000 });
      // The flags of the last visit hold: nothing waits for an answer that can't come.
      await menu(page).getByRole('link', { name: 'Catalog' }).click();
      await expect(page.getByRole('heading', { name: 'Catalog', exact: true })).toBeVisible();
      proxy.weather.loss = 0;
      await context.setOffline(false);
      await expect(page).toHaveURL(/\/login\?return_to=%2Fcatalog/, { timeout: 60_000 });
    } finally {
      await proxy.stop();
    }
  });
});

test('dashboard, catalog and playbooks list what is there, and a search narrows it', async ({ page }) => {
  await enter(page, '/catalog');
  for (const name of ['payments-db', 'payments-api', 'search'])
    expect(
      await call(page, 'POST', '/api/db/config_items', {
        name,
        type: 'Kubernetes::Pod',
        config_class: 'Pod',
      }),
    ).toBe(201);
  await expect(page.getByRole('button', { name: /^Pod/ })).toContainText('3', { timeout: 60_000 });
  await page.getByRole('searchbox').fill('payments');
  await expect(page.locator('[data-row-kind="item"]')).toHaveCount(2);
  await expect(page).toHaveURL(/search=payments/);
  await page.getByRole('link', { name: 'payments-db' }).click();
  await expect(page.getByRole('heading', { name: 'payments-db' })).toBeVisible();

  const playbook = {
    name: 'restart',
    title: 'Restart a pod',
    category: 'Kubernetes',
    spec: { actions: [{ name: 'restart', exec: { script: 'true' } }] },
    source: 'UI',
  };
  expect(await call(page, 'POST', '/api/db/playbooks', playbook)).toBe(201);
  await menu(page).getByRole('link', { name: 'Playbooks' }).click();
  await expect(page.getByRole('heading', { name: 'Kubernetes' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'Restart a pod' })).toBeVisible({ timeout: 60_000 });
});

test('in a browser without shared and service workers a flag that is changed on the server reaches every open tab at once, without a reload', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker');
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
  });
  await enter(page, '/incidents');
  const other = await context.newPage();
  await other.goto(`${server.url}/incidents`);
  const cookie = await sessionCookie(server.url);
  const elsewhere = (method: string, path: string, body?: string) =>
    fetch(`${server.url}/api/db/properties${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  let reloads = 0;
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Incidents', exact: true })).toBeVisible({
      timeout: 60_000,
    });
    await isLive(tab);
    expect(await tab.evaluate(() => 'SharedWorker' in globalThis || 'serviceWorker' in navigator)).toBe(
      false,
    );
    tab.on('request', (request) => {
      if (request.isNavigationRequest()) reloads += 1;
    });
  }
  const off = JSON.stringify({ name: 'incidents.disable', value: 'true' });
  expect((await elsewhere('POST', '', off)).status).toBe(201);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Incidents is switched off' })).toBeVisible();
    await expect(menu(tab).getByRole('link', { name: 'Incidents' })).toHaveCount(0);
  }
  expect((await elsewhere('DELETE', '?name=eq.incidents.disable')).status).toBeLessThan(300);
  for (const tab of [page, other])
    await expect(tab.getByRole('heading', { name: 'Incidents', exact: true })).toBeVisible();
  expect(reloads).toBe(0);
  await page.getByTestId('connectivity').click();
  await expect(page.getByText('No: this browser does not keep the app here')).toBeVisible();
});

test('a part of the shell whose file cannot be loaded takes nothing else with it', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const refused = new Set<string>();
  await context.route(/\/assets\/(late|SignOutSheet)-.*\.js/, (route) => {
    refused.add(new URL(route.request().url()).pathname.replace(/.*\/(\w+)-.*/, '$1'));
    return route.abort('failed');
  });
  let loads = 0;
  page.on('load', () => void (loads += 1));
  await enter(page, '/help');
  // Several of its parts are in one file, whose absence each of them survives.
  await expect.poll(() => [...refused]).toContain('late');
  // The page looks once, by itself, whether a reload brings the file.
  await expect.poll(() => loads, { timeout: 60_000 }).toBe(2);
  await expect(menu(page).getByRole('link', { name: 'Health' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Profile of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(
    page.getByRole('dialog', { name: 'This page is not stored on this device yet' }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Help', exact: true })).toBeVisible();
  await context.close();
});

test('a health-only deployment shows health without a sign-in, and nothing else', async ({ page }) => {
  test.setTimeout(360_000);
  const checksOnly = await prepareServer({ env: { CHECKS_ONLY: 'true' } });
  await checksOnly.start();
  try {
    await page.goto(checksOnly.url);
    await expect(page).toHaveURL(/\/health/, { timeout: 60_000 });
    await expect(menu(page).getByRole('link')).toHaveText(['Health', 'Help']);
    await page.getByRole('button', { name: /^Profile of/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeHidden();
    await page.goto(`${checksOnly.url}/incidents`);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
  } finally {
    await checksOnly.dispose();
  }
});

test('after a new build a page without a service worker gets the parts that are gone by one reload, and its texts stay', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await enter(page, '/incidents?create=true', 'editor');
  await page.getByLabel('Title').fill('half an incident');
  await page.goto(`${server.url}/health`);
  await expect(menu(page).getByRole('link', { name: 'Incidents' })).toBeVisible({ timeout: 60_000 });
  let isOld = true;
  await context.route(/\/assets\/IncidentsPage-/, (route) =>
    isOld ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  // What a reload brings is the new build: it has all of its parts.
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  let loads = 0;
  page.on('load', () => void (loads += 1));
  isOld = true;
  await menu(page).getByRole('link', { name: 'Incidents' }).click();
  await expect(page.getByRole('heading', { name: 'Incidents', exact: true })).toBeVisible({
    timeout: 60_000,
  });
  expect(loads).toBe(1);
  await page.getByRole('button', { name: 'New incident' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('half an incident', { timeout: 60_000 });
  await context.close();
});
