/** Entry of the sync worker: one service for all pages (SharedWorker), or one a page (Worker), of which one leads. */
import { expose } from 'comlink';
import { SYNC_ACTIONS } from '../../src/contract/actions/sync-actions.ts';
import { createAct } from '../act.ts';
import { openAcross } from '../opened.ts';
import { actionHandlers } from './actions/action-handlers.ts';
import type { SyncApi } from './api.ts';
import { createWorkerPlatform } from './platform.ts';
import type { QueryHandler } from './subscriptions/query-handler.ts';
import { queryHandlers } from './subscriptions/query-handlers.ts';
import { subscribeStatus } from './status/all-status.ts';
import { SyncService } from './sync-service.ts';

const handlers = queryHandlers(
  import.meta.glob<{ query: QueryHandler }>(['./queries/**/*.ts', '!./queries/**/*.test.ts'], {
    eager: true,
  }),
);
const service = new SyncService(createWorkerPlatform(), handlers);
service.start();

/** What is called back across threads has to be marked as such. */
const api: SyncApi = {
  ask: (name, args, listener) => openAcross(listener, (tell) => service.ask(name, args, tell)),
  send: (...asked) => service.send(...asked),
  act: createAct(SYNC_ACTIONS, actionHandlers(service)),
  status: (listener) => openAcross(listener, (tell) => subscribeStatus(service, tell)),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(api, port);
  });
} else {
  expose(api);
}
