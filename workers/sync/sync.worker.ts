/** Entry of the sync worker: one service for all pages (SharedWorker), or one a page (Worker), of which one leads. */
import { expose, proxy } from 'comlink';
import type { Stop, SyncApi } from './api.ts';
import { createWorkerPlatform } from './platform.ts';
import type { QueryHandler } from './subscriptions/query-handler.ts';
import { queryHandlers } from './subscriptions/query-handlers.ts';
import { SyncService } from './sync-service.ts';

const handlers = queryHandlers(
  import.meta.glob<{ query: QueryHandler }>(['./queries/*.ts', '!./queries/*.test.ts'], { eager: true }),
);
const service = new SyncService(createWorkerPlatform(), handlers);
service.start();

/** What is called back across threads has to be marked as such. */
async function marked(stop: Promise<Stop>): Promise<Stop> {
  return proxy(await stop);
}

const door: SyncApi = {
  ask: async (name, args, listener) => proxy(await service.ask(name, args, listener)),
  subscribeSession: (listener) => marked(service.subscribeSession(listener)),
  subscribeStatus: (listener) => marked(service.subscribeStatus(listener)),
  subscribeFailedCanaries: (listener) => marked(service.subscribeFailedCanaries(listener)),
  callIdentity: (request) => service.identity.call(request),
  subscribeShell: (listener) => marked(service.subscribeShell(listener)),
  checkSession: () => service.checkSession(),
  flowError: (id) => service.identity.flowError(id),
  signOut: (options) => service.signOut(options),
  send: (...asked) => service.send(...asked),
  redoCommand: (commandId) => service.redoCommand(commandId),
  dropCommand: (commandId) => service.dropCommand(commandId),
  appliedCommands: (commandIds) => service.appliedCommands(commandIds),
  writeDraft: (key, text) => service.writeDraft(key, text),
  dismissCatchUp: () => service.dismissCatchUp(),
  storageFacts: () => service.storageFacts(),
  rebuildStore: () => service.rebuildStore(),
  refresh: () => service.refresh(),
  setPollInterval: (intervalMs) => service.setPollInterval(intervalMs),
  setSummaryRange: (range) => service.setSummaryRange(range),
  setDeviceState: (state) => service.setDeviceState(state),
  administer: (action) => service.administer(action),
  callPush: (call) => service.identity.push(call),
  runCheck: (checkId) => service.runCheck(checkId),
  tryDone: (question) => service.tryDone(question),
};

if ('onconnect' in globalThis) {
  globalThis.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port !== undefined) expose(door, port);
  });
} else {
  expose(door);
}
