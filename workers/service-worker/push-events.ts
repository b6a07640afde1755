/**
 * Notifications while no page is open: shows what the server pushed, and opens the page that it is about, which works
 * without a network, because pages come from the cache and their rows from this device.
 */
import { OPEN_PAGE } from '../../src/contract/open-page.ts';
import { pushMessageSchema, type PushMessage } from '../../src/contract/push.ts';
import { tellNewAddress } from '../sync/drain.ts';
import type { SyncPlatform } from '../sync/platform.ts';
import { MESSAGES } from './messages.ts';

const ICON = '/icon-192.png';
const INBOX = '/inbox';
const APPROVE = 'approve';

/** Chromium's, not in the standard library's types. */
interface ShownOptions extends NotificationOptions {
  actions: { action: string; title: string }[];
  timestamp: number;
}

interface SubscriptionChange extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null;
}

function readMessage(event: PushEvent): PushMessage | null {
  try {
    const parsed = pushMessageSchema.safeParse(event.data?.json());
    return parsed.success ? parsed.data : null;
  } catch {
    // Not even JSON: a browser wants to see a notification all the same.
    return null;
  }
}

async function show(scope: ServiceWorkerGlobalScope, message: PushMessage | null): Promise<void> {
  const options: ShownOptions = {
    body: message?.body ?? MESSAGES.unknownBody,
    tag: message?.tag ?? 'unknown',
    icon: ICON,
    badge: ICON,
    timestamp: message === null ? Date.parse('') : Date.parse(message.at),
    data: { url: message?.url ?? INBOX, approveUrl: message?.approveUrl },
    actions: [
      ...(message?.approveUrl === undefined ? [] : [{ action: APPROVE, title: MESSAGES.approve }]),
      { action: 'open', title: MESSAGES.open },
    ],
  };
  const { timestamp: _timestamp, ...timeless } = options;
  await scope.registration.showNotification(
    message?.title ?? MESSAGES.product,
    Number.isNaN(options.timestamp) ? timeless : options,
  );
  const { length } = await scope.registration.getNotifications();
  if ('setAppBadge' in scope.navigator) await scope.navigator.setAppBadge(length);
}

/** In a page that is open already, without loading it anew. */
async function open(scope: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window' });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (page === undefined) {
    await scope.clients.openWindow(url);
    return;
  }
  page.postMessage({ type: OPEN_PAGE, url });
  await page.focus();
}

/** Approving opens its confirmation: nothing is approved from outside the app. */
function urlOf({ data }: Notification, action: string): string {
  const pages: { url?: unknown; approveUrl?: unknown } =
    typeof data === 'object' && data !== null ? data : {};
  const known = action === APPROVE ? pages.approveUrl : pages.url;
  return typeof known === 'string' ? known : INBOX;
}

/** The browser gave the subscription a new address: the server has to know it. */
async function resubscribe(
  scope: ServiceWorkerGlobalScope,
  { oldSubscription }: SubscriptionChange,
  platform: SyncPlatform,
): Promise<void> {
  if (oldSubscription === null) return;
  const made = await scope.registration.pushManager.subscribe(oldSubscription.options);
  const { keys, endpoint = '' } = made.toJSON();
  const subscription = { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await tellNewAddress(platform, subscription, oldSubscription.endpoint);
}

/** Listens from now on. */
export function listenForPush(scope: ServiceWorkerGlobalScope, openPlatform: () => SyncPlatform): void {
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, readMessage(event))));
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(scope, urlOf(event.notification, event.action)));
  });
  scope.addEventListener('pushsubscriptionchange', (event) => {
    const change = event as SubscriptionChange;
    change.waitUntil(resubscribe(scope, change, openPlatform()));
  });
}
