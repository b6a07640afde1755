import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { accountOf, startWithRoles } from './support/accounts.ts';
import { makeTestCertificate } from '../server/health/testing/test-certificate.ts';
import { PushedBrowser, startPushStandIn, type PushStandIn } from '../tests/push/push-service-stand-in.ts';
import { prepareServer, type HoldfastServer } from './support/holdfast-server.ts';
import { signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { prepareTarget, type TargetService } from './support/target-service.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(360_000);

const SOON = { timeout: 60_000 };
let server: HoldfastServer;
let canaries: string;
let push: PushStandIn;
let target: TargetService;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  target = await prepareTarget();
  await target.up();
  const certificate = await makeTestCertificate(30);
  push = await startPushStandIn(certificate);
  canaries = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(canaries, 'ca.pem'), certificate.ca);
  // Nothing listens at the till's: it fails from its first run on.
  const places = { till: '127.0.0.1:1', scale: `127.0.0.1:${target.port}` };
  const checks = Object.entries(places).map(([name, at]) => `    - { name: ${name}, endpoint: "${at}" }`);
  const canary = [
    'kind: Canary',
    'metadata: { name: shop, namespace: shop }',
    'spec:',
    '  schedule: "@every 2s"',
  ];
  writeFileSync(join(canaries, 'shop.yaml'), [...canary, '  tcp:', ...checks, ''].join('\n'));
  server = await prepareServer({
    env: {
      CANARIES_DIR: canaries,
      EGRESS_ALLOW: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: join(canaries, 'ca.pem'),
    },
  });
  await startWithRoles(server, ['viewer', 'responder']);
});

test.afterAll(async () => {
  await server.dispose();
  await push.stop();
  rmSync(canaries, { recursive: true, force: true });
});

async function openCheck(page: Page): Promise<string> {
  const row = page.locator('[data-row-kind="check"]').filter({ hasText: 'till' });
  await expect(row).toHaveAttribute('data-health', 'unhealthy', SOON);
  await row.click();
  await expect(page).toHaveURL(/checkId=/);
  return new URL(page.url()).searchParams.get('checkId') ?? '';
}

interface WorkerScope {
  registration: ServiceWorkerRegistration;
  dispatchEvent(event: Event): boolean;
  PushEvent: new (type: string, init: { data: string }) => Event;
  NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Event;
}

/** As a browser's push service brings it. */
async function deliver(context: BrowserContext, message: object): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker?.evaluate((data) => {
    // What a page's types don't have.
    const scope = globalThis as unknown as WorkerScope;
    scope.dispatchEvent(new scope.PushEvent('push', { data }));
  }, JSON.stringify(message));
}

/** As somebody taps one of its buttons: a tap by the system can't be made here; the event that it sends can. */
async function tap(context: BrowserContext, action: string): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(async (chosen) => {
    const scope = globalThis as unknown as WorkerScope;
    const [notification] = await scope.registration.getNotifications();
    if (notification === undefined) throw new Error('no notification');
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: chosen }));
  }, action);
}

test('a check is acknowledged on its page, seen by others, and told again when that is taken back', async ({
  page,
  browser,
}) => {
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none', accountOf('responder'));
  await openCheck(page);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Acknowledge' }).click(SOON);
  await page.getByRole('menuitem', { name: /^4 hours, until/ }).click();
  await expect(drawer.getByText(/^Snoozed by .* until/)).toBeVisible(SOON);
  const other = await browser.newContext();
  const viewer = await other.newPage();
  await signIn(viewer, server.url, '/health?hidePassing=false&groupBy=none', accountOf('viewer'));
  await openCheck(viewer);
  await expect(viewer.getByRole('dialog').getByText(/^Snoozed by .* until/)).toBeVisible(SOON);
  await expect(viewer.getByRole('button', { name: 'Tell again' })).toBeHidden();
  await drawer.getByRole('button', { name: 'Tell again' }).click();
  await expect(viewer.getByRole('dialog').getByText(/^Snoozed by/)).toBeHidden(SOON);
  await other.close();
});

test('a pushed message is shown, says so, and is acknowledged from the lock screen while the app is closed', async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['notifications'], { origin: server.url });
  await signIn(page, server.url, '/health?hidePassing=false&groupBy=none', accountOf('responder'));
  await waitUntilOfflineReady(page);
  await expect.poll(() => context.serviceWorkers().length, SOON).toBeGreaterThan(0);
  const phone = new PushedBrowser(push);
  const headers = { origin: server.url };
  const subscribed = await page.request.post(`${server.url}/api/push/subscriptions`, {
    headers,
    data: phone.subscription,
  });
  expect(subscribed.status()).toBe(201);
  const personId = await page.evaluate(async () => {
    const answer = (await (await fetch('/api/auth/whoami')).json()) as { payload: { user: { id: string } } };
    return answer.payload.user.id;
  });
  const other = await browser.newContext();
  const admin = await other.newPage();
  await signIn(admin, server.url, '/health?hidePassing=false&groupBy=none');
  const made = await admin.request.post(`${server.url}/api/db/notifications`, {
    headers,
    data: { events: ['check.failed'], source: 'UI', person_id: personId },
  });
  expect(made.status()).toBe(201);
  const row = admin.locator('[data-row-kind="check"]').filter({ hasText: 'scale' });
  await expect(row).toHaveAttribute('data-health', 'healthy', SOON);
  await target.down();
  await expect.poll(() => phone.messages().length, SOON).toBe(1);
  const [message] = phone.messages();

  await deliver(context, message ?? {});
  const receipts = async () => {
    const path = '/api/db/notification_send_history_summary?select=receipts&status=eq.sent';
    const rows = (await (await admin.request.get(`${server.url}${path}`)).json()) as {
      receipts: { shown_at: string | null; action: string | null }[];
    }[];
    return rows.flatMap((one) => one.receipts);
  };
  await expect.poll(async () => (await receipts()).map((one) => one.shown_at !== null), SOON).toEqual([true]);
  // A page of nobody's keeps the browser; the app itself is closed.
  const empty = await context.newPage();
  await page.close();
  await tap(context, 'acknowledge');
  await row.click();
  await expect(admin.getByRole('dialog').getByText(/^Acknowledged by/)).toBeVisible(SOON);
  expect((await receipts()).map((one) => one.action)).toEqual(['acknowledge']);
  await empty.close();
  await other.close();
});

test('how one is reached is seen and chosen in the profile', async ({ page }) => {
  await signIn(page, server.url, '/profile-settings', accountOf('viewer'));
  const section = page.getByRole('region', { name: 'How you are reached' });
  await expect(section.getByText(/no device takes notifications/)).toBeVisible(SOON);
  await section.getByLabel('Quiet hours').check();
  await section.getByLabel('Time zone').fill('Mars/Olympus');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText('is not a time zone that is known here')).toBeVisible();
  await section.getByLabel('Time zone').fill('Europe/Berlin');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible(SOON);
  await page.reload();
  await expect(section.getByLabel('Time zone')).toHaveValue('Europe/Berlin', SOON);
});
