/** Entry of the compute worker: one service for all pages (SharedWorker), or for one (Worker). */
import { expose } from 'comlink';
import { COMPUTE_ACTIONS } from '../../src/contract/actions/compute-actions.ts';
import { createAct } from '../act.ts';
import { openAcross } from '../opened.ts';
import type { ComputeApi } from './api.ts';
import { computeActions, createComputeService } from './compute-service.ts';
import { workerPlatform } from './platform.ts';
import type { LiveHandler } from './subscriptions/live-handler.ts';
import { liveHandlers } from './subscriptions/live-handlers.ts';

const handlers = liveHandlers(
  import.meta.glob<{ query: LiveHandler }>(['./queries/**/*.ts', '!./queries/**/*.test.ts'], { eager: true }),
);
const service = createComputeService(workerPlatform, handlers);

/** What is called back across threads has to be marked as such. */
const api: ComputeApi = {
  act: createAct(COMPUTE_ACTIONS, computeActions(service)),
  ask: (name, args, listener) => openAcross(listener, (tell) => service.ask(name, args, tell)),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(api, port);
  });
} else {
  expose(api);
}
