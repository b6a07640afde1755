/** Entry of the compute worker: one service for all pages (SharedWorker), or for one (Worker). */
import { expose, proxy } from 'comlink';
import type { ComputeApi } from './api.ts';
import { createComputeService } from './compute-service.ts';
import { workerPlatform } from './platform.ts';

const service = createComputeService(workerPlatform);

/** What is called back across threads has to be marked as such. */
const door: ComputeApi = {
  ...service,
  openHealthView: async (query, window, listener) =>
    proxy(await service.openHealthView(query, window, listener)),
  subscribeCheck: async (checkId, listener) => proxy(await service.subscribeCheck(checkId, listener)),
  subscribeTransitions: async (question, listener) =>
    proxy(await service.subscribeTransitions(question, listener)),
  subscribeUnread: async (userId, listener) => proxy(await service.subscribeUnread(userId, listener)),
  openLiveQuery: async (question, listener) => proxy(await service.openLiveQuery(question, listener)),
  openChanges: async (question, listener) => proxy(await service.openChanges(question, listener)),
  openCatalogView: async (query, window, listener) =>
    proxy(await service.openCatalogView(query, window, listener)),
  openInsightView: async (query, window, listener) =>
    proxy(await service.openInsightView(query, window, listener)),
  openRelations: async (question, listener) => proxy(await service.openRelations(question, listener)),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(door, port);
  });
} else {
  expose(door);
}
