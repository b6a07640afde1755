/** Entry of the compute worker: one service for all pages (SharedWorker), or for one (Worker). */
import { expose, proxy } from 'comlink';
import type { ComputeApi } from './api.ts';
import { createComputeService } from './compute-service.ts';
import { workerPlatform } from './platform.ts';
import type { LiveHandler } from './subscriptions/live-handler.ts';
import { liveHandlers } from './subscriptions/live-handlers.ts';

const handlers = liveHandlers(
  import.meta.glob<{ query: LiveHandler }>(['./queries/*.ts', '!./queries/*.test.ts'], { eager: true }),
);
const service = createComputeService(workerPlatform, handlers);

/** What is called back across threads has to be marked as such. */
const door: ComputeApi = {
  ...service,
  ask: async (name, args, listener) => proxy(await service.ask(name, args, listener)),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(door, port);
  });
} else {
  expose(door);
}
