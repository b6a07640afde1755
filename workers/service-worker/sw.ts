/**
 * The app shell without a network: the built files are cached, and any page that a browser opens is the cached
 * index.html. It holds no business data and never answers for /api. A new version waits until the user agrees;
 * until then the running pages keep the files they were started with. When it is woken for the outbox it runs the sync
 * worker's own sender; it never owns what is sent.
 */
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CACHE_REST, PROGRESS_QUESTION } from '../../src/contract/offline-progress.ts';
import { OUTBOX_SYNC_TAG } from '../../src/contract/outbox/outbox-tag.ts';
import { keepZodFromMakingCode } from '../../src/lib/zod-settings.ts';
import { AppFiles, type AppFile } from './app-files.ts';
import { PageCopies } from './page-copies.ts';
import type { createPushEvents } from './push-events.ts';
import type { StaticRoute } from './static-route.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: AppFile[] };

/** Chromium's, not in the standard library's types. */
type RoutingEvent = ExtendableEvent & { addRoutes?: (routes: readonly StaticRoute[]) => Promise<void> };

const PAGE = 'index.html';
const FILES: readonly AppFile[] = self.__WB_MANIFEST;
const appFiles = new AppFiles(self, FILES);
const pageCopies = new PageCopies(self.caches, String(FILES.find(({ url }) => url === PAGE)?.revision));

/** Calls of the server, files and pages don't wait for this worker where the browser can do without it (decision 0094). */
async function addStaticRoutes(event: RoutingEvent): Promise<void> {
  if (event.addRoutes === undefined) return;
  await pageCopies.write(await appFiles.read(PAGE));
  const server: StaticRoute = { condition: { urlPattern: '/api/*' }, source: 'network' };
  // A browser that knows less of this asks the worker, as others do.
  await event.addRoutes([server, appFiles.staticRoute(), ...pageCopies.routes()]).catch(() => undefined);
}

/** Caches what is left of the files, and what was lost of the pages. */
async function cacheRest(): Promise<void> {
  await appFiles.cacheRest();
  await pageCopies.restore(() => appFiles.read(PAGE));
}

self.addEventListener('install', (event) => {
  event.waitUntil(appFiles.install().then(() => addStaticRoutes(event)));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([appFiles.activate(event), pageCopies.removeOthers()]));
});
cleanupOutdatedCaches();
registerRoute(appFiles.createRoute());
registerRoute(new NavigationRoute(appFiles.createHandler(`/${PAGE}`), { denylist: [/^\/api(?:\/|$)/] }));

async function reportProgress(port: MessagePort): Promise<void> {
  port.postMessage(await appFiles.progress());
}

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const message: unknown = event.data;
  const [port] = event.ports;
  if (message === PROGRESS_QUESTION && port !== undefined) event.waitUntil(reportProgress(port));
  if (message === CACHE_REST) event.waitUntil(cacheRest());
  if (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'SKIP_WAITING'
  ) {
    event.waitUntil(self.skipWaiting());
  }
});

keepZodFromMakingCode();
const whileClosed = () => import('./while-closed.ts');

/** Browsers that can call when the network is back, also when no tab is open any more; others don't send this. */
self.addEventListener('sync', (event: Event) => {
  const isOurs = 'tag' in event && event.tag === OUTBOX_SYNC_TAG;
  if (isOurs && event instanceof ExtendableEvent)
    event.waitUntil(whileClosed().then(({ sendWaiting }) => sendWaiting()));
});

async function withPushEvents(
  answer: (events: ReturnType<typeof createPushEvents>) => Promise<void>,
): Promise<void> {
  const { openPushEvents } = await whileClosed();
  await answer(openPushEvents(self));
}

self.addEventListener('push', (event) => event.waitUntil(withPushEvents(({ show }) => show(event))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(withPushEvents(({ act }) => act(event)));
});
self.addEventListener('notificationclose', (event) =>
  event.waitUntil(withPushEvents(({ dismiss }) => dismiss(event))),
);
self.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as ExtendableEvent;
  change.waitUntil(withPushEvents(({ resubscribe }) => resubscribe(change)));
});

// The page that installed the worker is served by it at once, so that a first visit is enough to go offline.
clientsClaim();
