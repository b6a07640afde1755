/** Entry of the sync worker: one service for all pages (SharedWorker), or one a page (Worker), of which one leads. */
import { expose, proxy } from 'comlink';
import { SYNC_ACTIONS } from '../../src/contract/actions/sync-actions.ts';
import { createAct } from '../act.ts';
import { actionHandlers } from './actions/action-handlers.ts';
import type { SyncApi } from './api.ts';
import { createWorkerPlatform } from './platform.ts';
import type { QueryHandler } from './subscriptions/query-handler.ts';
import { queryHandlers } from './subscriptions/query-handlers.ts';
import { subscribeStatus } from './status/all-status.ts';
import { SyncService } from './sync-service.ts';

const handlers = queryHandlers(
  import.meta.glob<{ query: QueryHandler }>(['./queries/*.ts', '!./queries/*.test.ts'], { eager: true }),
);
const service = new SyncService(createWorkerPlatform(), handlers);
service.start();

/** What is called back across threads has to be marked as such. */
const api: SyncApi = {
  ask: async (name, args, listener) => proxy(await service.ask(name, args, listener)),
  send: (...asked) => service.send(...asked),
  act: createAct(SYNC_ACTIONS, actionHandlers(service)),
  status: async (listener) => proxy(await subscribeStatus(service, listener)),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(api, port);
  });
} else {
  expose(api);
}
