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
import { drainOutbox } from '../sync/drain.ts';
import { createWorkerPlatform } from '../sync/platform.ts';
import { AppFiles, type AppFile } from './app-files.ts';
import { listenForPush } from './push-events.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: AppFile[] };

const appFiles = new AppFiles(self, self.__WB_MANIFEST);
self.addEventListener('install', (event) => event.waitUntil(appFiles.install()));
self.addEventListener('activate', (event) => event.waitUntil(appFiles.activate(event)));
cleanupOutdatedCaches();
registerRoute(appFiles.createRoute());
registerRoute(new NavigationRoute(appFiles.createHandler('/index.html'), { denylist: [/^\/api(?:\/|$)/] }));

async function reportProgress(port: MessagePort): Promise<void> {
  port.postMessage(await appFiles.progress());
}

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const message: unknown = event.data;
  const [port] = event.ports;
  if (message === PROGRESS_QUESTION && port !== undefined) event.waitUntil(reportProgress(port));
  if (message === CACHE_REST) event.waitUntil(appFiles.cacheRest());
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
