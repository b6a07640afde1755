import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { comment, createIncident } from './support/incident-page.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';

test.use({ serviceWorkers: 'allow' });

/** Several devices each, with networks that come and go. */
test.setTimeout(300_000);

const server = fileServer({ roles: ['viewer'] });

/** A device of somebody else. */
async function openDevice(browser: Browser, account = accountOf('viewer')): Promise<Page> {
  const context = await browser.newContext({ permissions: ['notifications'] });
  const page = await context.newPage();
  await signIn(page, server.url, '/health', account);
  return page;
}

/** How somebody is mentioned in a comment. */
async function mentionOf(page: Page): Promise<string> {
  const id = await page.evaluate(async () => {
    const answer = (await (await fetch('/api/auth/whoami')).json()) as { payload: { user: { id: string } } };
    return answer.payload.user.id;
  });
  return `@[Bo](user:${id})`;
}

const count = (page: Page) => page.getByTestId('inbox-count');

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Comment', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

test('a mention reaches a viewer, is read where it was written, and is then read on the other device as well', async ({
  page,
  browser,
}) => {
  await logIn(page, server.url);
  const bo = await openDevice(browser);
  const second = await openDevice(browser);
  await createIncident(page, server.url, 'Payments fail');
  await write(page, `${await mentionOf(bo)} can you look?`);
  await expect(count(bo)).toHaveText('1', { timeout: 60_000 });
  await expect(count(second)).toHaveText('1', { timeout: 60_000 });
  // Nobody is told of what they wrote themselves.
  await expect(page.getByRole('link', { name: 'For you', exact: true })).toBeVisible();

  await bo.getByRole('link', { name: 'For you, 1 new' }).click();
  const item = bo.locator('[data-unread="true"]');
  await expect(item).toContainText('mentioned you', { timeout: 60_000 });
  await expect(item).toContainText('@Bo can you look?');
  await item.getByRole('link').click();
  await expect(bo).toHaveURL(/\/incidents\/[0-9a-f-]{36}\?comment=[0-9a-f-]{36}/);
  await expect(count(bo)).toBeHidden({ timeout: 60_000 });
  await expect(count(second)).toBeHidden({ timeout: 60_000 });
  await second.goto(`${server.url}/inbox`);
  await expect(second.locator('[data-unread="false"]')).toContainText('mentioned you', { timeout: 60_000 });
  // How far somebody has read is nothing that waits for them.
  await bo.goto(`${server.url}/outbox`);
  await expect(bo.getByRole('heading', { name: 'Nothing waits here' })).toBeVisible({ timeout: 60_000 });
  await bo.context().close();
  await second.context().close();
});

test('a mention from while the device was offline arrives with the network, and is marked read without one', async ({
  page,
  browser,
}) => {
  await logIn(page, server.url);
  const bo = await openDevice(browser);
  await waitUntilOfflineReady(bo);
  await createIncident(page, server.url, 'Queue grows');
  const mention = await mentionOf(bo);
  await bo.context().setOffline(true);
  await expect(bo.getByTestId('connectivity')).toContainText('Offline');
  await write(page, `${mention} are you there?`);
  await expect(page.locator('[data-comment]')).toContainText('are you there?');
  await expect(count(bo)).toBeHidden();
  await bo.context().setOffline(false);
  await expect(count(bo)).toHaveText('1', { timeout: 60_000 });

  await bo.context().setOffline(true);
  await expect(bo.getByTestId('connectivity')).toContainText('Offline');
  await bo.getByRole('link', { name: 'For you, 1 new' }).click();
  await bo.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(count(bo)).toBeHidden({ timeout: 60_000 });
  await expect(bo.locator('[data-unread="true"]')).toHaveCount(0);
  await bo.context().setOffline(false);
  const second = await openDevice(browser);
  await second.goto(`${server.url}/inbox`);
  await expect(second.locator('[data-unread="false"]').first()).toContainText('mentioned you', {
    timeout: 60_000,
  });
  await expect(second.locator('[data-unread="true"]')).toHaveCount(0, { timeout: 60_000 });
  await bo.context().close();
  await second.context().close();
});

test('a pushed message becomes a notification, and tapping it opens the incident without a network', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: server.url });
  await signIn(page, server.url);
  await waitUntilOfflineReady(page);
  await createIncident(page, server.url, 'Disk full');
  await comment(page, 'On it');
  const incidentUrl = new URL(page.url()).pathname;
  await page.goto(`${server.url}/health`);

  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const message = {
    v: 1,
    title: 'INC-1 Disk full',
    body: 'Ada mentioned you: @Bo look',
    url: incidentUrl,
    tag: 'incident-1',
    at: new Date().toISOString(),
  };
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: server.url,
    registrationId: await registered,
    data: JSON.stringify(message),
  });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });
  const { title, body, tag } = message;
  await expect.poll(shown, { timeout: 60_000 }).toEqual([{ title, body, tag }]);

  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline');
  await expect.poll(() => context.serviceWorkers().length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [worker] = context.serviceWorkers();
  // A tap by the system can't be made here; the event that it sends can.
  await worker?.evaluate(async () => {
    // What a page's types don't have.
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      dispatchEvent(event: Event): boolean;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
    };
    const [notification] = await scope.registration.getNotifications();
    if (notification === undefined) throw new Error('no notification');
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL(new RegExp(incidentUrl), { timeout: 60_000 });
  await expect(page.locator('[data-comment]')).toContainText('On it', { timeout: 60_000 });
  await context.setOffline(false);
});

test('text shared from another app starts an incident', async ({ page }) => {
  await signIn(page, server.url, '/health');
  await page.goto(
    `${server.url}/share?title=Checkout%20slow&description=since%20noon&url=https%3A%2F%2Fci.example%2F7`,
  );
  await expect(page.getByLabel('Title')).toHaveValue('Checkout slow', { timeout: 60_000 });
  await expect(page.getByLabel('Description')).toHaveValue('since noon\nhttps://ci.example/7');
});
