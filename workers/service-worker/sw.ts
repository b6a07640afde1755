/**
 * The app shell without a network: every built file is kept, and any page that a browser opens is the kept
 * index.html. It holds no business data and never answers for /api. A new version waits until the user agrees;
 * until then the running pages keep the files they were started with. When it is woken for the outbox it runs the sync
 * worker's own sender; it never owns what is sent.
 */
import { cacheNames, clientsClaim } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  getCacheKeyForURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { PROGRESS_QUESTION } from '../../src/contract/offline-progress.ts';
import { OUTBOX_SYNC_TAG } from '../../src/contract/outbox-tag.ts';
import { drainOutbox } from '../sync/drain.ts';
import { createWorkerPlatform } from '../sync/platform.ts';
import { listenForPush } from './push-events.ts';
import type { PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const FILES = self.__WB_MANIFEST;
precacheAndRoute(FILES);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [/^\/api(?:\/|$)/] }));

/** Tells how much of the app is cached, 0 to 1: less than all while it is installed, or after the browser took some. */
async function tellProgress(port: MessagePort): Promise<void> {
  const cache = await caches.open(cacheNames.precache);
  const cached = new Set((await cache.keys()).map(({ url }) => url));
  const keys = FILES.map((file) => getCacheKeyForURL(typeof file === 'string' ? file : file.url));
  const count = keys.filter((key) => key !== undefined && cached.has(key)).length;
  port.postMessage(count / FILES.length);
}

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const message: unknown = event.data;
  const [port] = event.ports;
  if (message === PROGRESS_QUESTION && port !== undefined) event.waitUntil(tellProgress(port));
  if (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'SKIP_WAITING'
  ) {
    event.waitUntil(self.skipWaiting());
  }
});

/** Browsers that can call when the network is back, also when no tab is open any more; others don't send this. */
self.addEventListener('sync', (event: Event) => {
  const isOurs = 'tag' in event && event.tag === OUTBOX_SYNC_TAG;
  if (isOurs && event instanceof ExtendableEvent) event.waitUntil(drainOutbox(createWorkerPlatform()));
});

listenForPush(self, createWorkerPlatform);

// The page that installed the worker is served by it at once, so that a first visit is enough to go offline.
clientsClaim();
