/** What the browser has to do with notifications: permission, its subscription, the app's badge. */

export type PushAbility =
  | 'able'
  /** iPhones and iPads notify only apps that were added to the home screen. */
  | 'needs-home-screen'
  | 'unable';

/** Taking it back may need a push service that doesn't answer, or a service worker that never starts. */
const SILENCE_MS = 3000;

export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** `needs-home-screen` on an iPhone or iPad whose browser allows it to installed apps alone. */
export function pushAbility(): PushAbility {
  if ('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)
    return 'able';
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return isApple && !('PushManager' in globalThis) ? 'needs-home-screen' : 'unable';
}

/** The user said no to notifications of this site; only the browser's settings change that. */
export function isBlocked(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'denied';
}

/** The user said yes. */
export function isAllowed(): boolean {
  return pushAbility() === 'able' && Notification.permission === 'granted';
}

/** Must be called while the user's click is being handled. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

/** Absent where this build has no service worker: `ready` would never come. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  return (await navigator.serviceWorker.getRegistration()) === undefined
    ? undefined
    : navigator.serviceWorker.ready;
}

function factsOf(subscription: PushSubscription): BrowserSubscription {
  const { endpoint = '', keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

/** The subscription of this browser; null for none. */
export async function currentSubscription(): Promise<BrowserSubscription | null> {
  if (pushAbility() !== 'able') return null;
  const found = await (await registration())?.pushManager.getSubscription();
  return found === null || found === undefined ? null : factsOf(found);
}

const base64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Subscribes with the server's key; one that was made with another key is of no use to this server. */
export async function subscribeBrowser(key: string): Promise<BrowserSubscription | null> {
  const manager = (await registration())?.pushManager;
  if (manager === undefined) return null;
  const known = await manager.getSubscription();
  if (known !== null && base64url(known.options.applicationServerKey) !== key) await known.unsubscribe();
  return factsOf(await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/** Does nothing where there is no subscription. */
export async function unsubscribeBrowser(): Promise<void> {
  await (await (await registration())?.pushManager.getSubscription())?.unsubscribe();
}

async function takeNotificationsBack(): Promise<void> {
  const known = await registration();
  for (const shown of (await known?.getNotifications()) ?? []) shown.close();
  await unsubscribeBrowser();
}

/** Nothing of the one who was here is shown any more, or comes: pages can't ask a service worker who is on. */
export async function silenceBrowser(): Promise<void> {
  showBadge(0);
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, SILENCE_MS));
  await Promise.race([takeNotificationsBack(), isOver]);
}

/** The number at the app's icon, where there is one. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // Not every platform shows one, and some ask for permission first: the bell has the number, too.
  const ignore = () => undefined;
  if (count === 0) void navigator.clearAppBadge().catch(ignore);
  else void navigator.setAppBadge(count).catch(ignore);
}

/** True while another tab or app is in front. */
export function isPageHidden(): boolean {
  return document.visibilityState === 'hidden';
}

/** Shows it beside the page, as a pushed one: the same tag is one notification. */
export async function notifyHere(note: {
  title: string;
  body: string;
  url: string;
  tag: string;
}): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const { title, body, url, tag } = note;
  await (await registration())?.showNotification(title, { body, tag, icon: '/icon-192.png', data: { url } });
}
