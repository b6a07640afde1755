/**
 * Notifications while no page is open: shows what the server pushed, tells it what became of each message, opens the
 * page that it is about, and writes acknowledgements into the outbox, from where they are sent like everything else.
 */
import { OPEN_PAGE } from '../../src/contract/open-page.ts';
import { OUTBOX_SYNC_TAG } from '../../src/contract/outbox/outbox-tag.ts';
import { pushMessageSchema, type PushMessage } from '../../src/contract/push.ts';
import { LOCK_SCREEN_SNOOZE_MS } from '../../src/domain/notification/acknowledgement.ts';
import { drainOutbox, keepCommand, tellNewAddress, tellReceipt } from '../sync/drain.ts';
import type { SyncPlatform } from '../sync/platform.ts';
import { MESSAGES } from './messages.ts';

const ICON = '/icon-192.png';
const INBOX = '/inbox';
const APPROVE = 'approve';
const ACKNOWLEDGE = 'acknowledge';
const SNOOZE = 'snooze';

/** Chromium's, not in the standard library's types. */
interface ShownOptions extends NotificationOptions {
  actions: { action: string; title: string }[];
  timestamp: number;
}

interface SubscriptionChange extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null;
}

interface Scope {
  scope: ServiceWorkerGlobalScope;
  platform: SyncPlatform;
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

/** Browsers show the first two or three. */
function actionsOf(message: PushMessage | null): ShownOptions['actions'] {
  const own =
    message?.about === undefined
      ? []
      : [
          { action: ACKNOWLEDGE, title: MESSAGES.acknowledge },
          { action: SNOOZE, title: MESSAGES.snooze },
        ];
  const approve = message?.approveUrl === undefined ? [] : [{ action: APPROVE, title: MESSAGES.approve }];
  return [...own, ...approve, { action: 'open', title: MESSAGES.open }];
}

/** The app's number is that of what is on the screen. */
async function showCount(scope: ServiceWorkerGlobalScope): Promise<void> {
  const { length } = await scope.registration.getNotifications();
  if ('setAppBadge' in scope.navigator) await scope.navigator.setAppBadge(length);
}

async function showOnScreen(scope: ServiceWorkerGlobalScope, message: PushMessage | null): Promise<void> {
  const options: ShownOptions = {
    body: message?.body ?? MESSAGES.unknownBody,
    tag: message?.tag ?? 'unknown',
    icon: ICON,
    badge: ICON,
    timestamp: message === null ? Date.parse('') : Date.parse(message.at),
    data: message ?? { url: INBOX },
    actions: actionsOf(message),
  };
  const { timestamp: _timestamp, ...timeless } = options;
  await scope.registration.showNotification(
    message?.title ?? MESSAGES.product,
    Number.isNaN(options.timestamp) ? timeless : options,
  );
}

/** The server hears that it came even when it can't be shown: the person is then told by another way. */
async function show({ scope, platform }: Scope, message: PushMessage | null): Promise<void> {
  const id = message?.receipt?.id;
  try {
    await showOnScreen(scope, message);
  } catch (error) {
    if (id !== undefined) await tellReceipt(platform, { step: 'received', id });
    throw error;
  }
  await Promise.all([
    showCount(scope),
    id === undefined ? Promise.resolve() : tellReceipt(platform, { step: 'shown', id }),
  ]);
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

/** What is shown of a notification that this version did not write: its address, where it has one. */
function messageOf({ data, title, body, tag }: Notification): PushMessage | { url: string } {
  const parsed = pushMessageSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const { url }: { url?: unknown } = typeof data === 'object' && data !== null ? data : {};
  const written = pushMessageSchema.safeParse({ v: 1, title, body, tag, url, at: '' });
  return written.success ? written.data : { url: INBOX };
}

/** Approving opens its confirmation: nothing is approved from outside the app. */
function urlOf(message: PushMessage | { url: string }, action: string): string {
  return action === APPROVE && 'approveUrl' in message ? (message.approveUrl ?? INBOX) : message.url;
}

async function say({ scope }: Scope, title: string, message: PushMessage): Promise<void> {
  const { tag, url } = message;
  await scope.registration.showNotification(title, {
    body: message.title,
    tag,
    icon: ICON,
    silent: true,
    data: { url },
  });
}

/** Written down on this device before anything else; sent now, or when there is a network again. */
async function acknowledge(at: Scope, message: PushMessage, isSnooze: boolean): Promise<void> {
  const { platform, scope } = at;
  const { about, receipt } = message;
  if (about === undefined || receipt === undefined) return;
  const isKept = await keepCommand(platform, {
    personId: receipt.personId,
    name: message.title,
    request: (nowMs) => ({
      name: 'acknowledge',
      args: {
        id: platform.newId(),
        kind: about.kind,
        resourceId: about.id,
        messageId: receipt.id,
        until: isSnooze ? new Date(nowMs + LOCK_SCREEN_SNOOZE_MS).toISOString() : null,
      },
    }),
  });
  if (!isKept) return say(at, MESSAGES.notKept, message);
  try {
    await drainOutbox(platform);
  } catch {
    // There is no network: what is kept is sent when the browser says that there is one, or the app is opened.
    const { sync } = scope.registration as { sync?: { register(tag: string): Promise<void> } };
    await sync?.register(OUTBOX_SYNC_TAG).catch(() => undefined);
    await say(at, MESSAGES.kept, message);
  }
}

async function act(at: Scope, notification: Notification, action: string): Promise<void> {
  const { scope, platform } = at;
  const message = messageOf(notification);
  const isFull = 'title' in message;
  if (isFull && message.about !== undefined && (action === ACKNOWLEDGE || action === SNOOZE))
    await acknowledge(at, message, action === SNOOZE);
  else {
    await open(scope, urlOf(message, action));
    if (isFull && message.receipt !== undefined)
      await tellReceipt(platform, { step: 'acted', id: message.receipt.id, action: 'open' });
  }
  await showCount(scope);
}

async function dismiss({ scope, platform }: Scope, notification: Notification): Promise<void> {
  const message = messageOf(notification);
  await showCount(scope);
  if ('title' in message && message.receipt !== undefined)
    await tellReceipt(platform, { step: 'acted', id: message.receipt.id, action: 'dismiss' });
}

/** The browser gave the subscription a new address: the server has to know it. */
async function resubscribe(
  { scope, platform }: Scope,
  { oldSubscription }: SubscriptionChange,
): Promise<void> {
  if (oldSubscription === null) return;
  const made = await scope.registration.pushManager.subscribe(oldSubscription.options);
  const { keys, endpoint = '' } = made.toJSON();
  const subscription = { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await tellNewAddress(platform, subscription, oldSubscription.endpoint);
}

/** What is done at each of these events. */
export function createPushEvents(scope: ServiceWorkerGlobalScope, platform: SyncPlatform) {
  const at = { scope, platform };
  return {
    show: (event: PushEvent) => show(at, readMessage(event)),
    act: ({ notification, action }: NotificationEvent) => act(at, notification, action),
    dismiss: ({ notification }: NotificationEvent) => dismiss(at, notification),
    resubscribe: (event: ExtendableEvent) => resubscribe(at, event as SubscriptionChange),
  };
}
