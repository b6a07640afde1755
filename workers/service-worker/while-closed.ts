/**
 * What is done with the store while no page is open. It is most of this program, and a page that opens waits until the
 * service worker's own script has run: so this is run when the first event needs it (decision 0094).
 */
import { drainOutbox } from '../sync/drain.ts';
import { createWorkerPlatform } from '../sync/platform.ts';
import { createPushEvents } from './push-events.ts';

/** Sends what waits to be sent; rejects while there is no network, so that the browser calls again. */
export function sendWaiting(): Promise<void> {
  return drainOutbox(createWorkerPlatform());
}

/** What is done at events of notifications. */
export function openPushEvents(scope: ServiceWorkerGlobalScope): ReturnType<typeof createPushEvents> {
  return createPushEvents(scope, createWorkerPlatform());
}
