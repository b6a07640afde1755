/** Entry of the sync worker: one service for all pages (SharedWorker), or one a page (Worker), of which one leads. */
import { expose, proxy } from 'comlink';
import type { Stop, SyncApi } from './api.ts';
import { createWorkerPlatform } from './platform.ts';
import { SyncService } from './sync-service.ts';

const service = new SyncService(createWorkerPlatform());
service.start();

/** What is called back across threads has to be marked as such. */
async function marked(stop: Promise<Stop>): Promise<Stop> {
  return proxy(await stop);
}

const door: SyncApi = {
  subscribeSession: (listener) => marked(service.subscribeSession(listener)),
  subscribeStatus: (listener) => marked(service.subscribeStatus(listener)),
  subscribeFailedCanaries: (listener) => marked(service.subscribeFailedCanaries(listener)),
  callIdentity: (request) => service.identity.call(request),
  subscribeShell: (listener) => marked(service.subscribeShell(listener)),
  checkSession: () => service.checkSession(),
  flowError: (id) => service.identity.flowError(id),
  signOut: (options) => service.signOut(options),
  send: (...asked) => service.send(...asked),
  subscribeOutbox: (listener) => marked(service.subscribeOutbox(listener)),
  redoCommand: (commandId) => service.redoCommand(commandId),
  dropCommand: (commandId) => service.dropCommand(commandId),
  appliedCommands: (commandIds) => service.appliedCommands(commandIds),
  subscribeDrafts: (listener) => marked(service.subscribeDrafts(listener)),
  writeDraft: (key, text) => service.writeDraft(key, text),
  subscribeCatchUp: (listener) => marked(service.subscribeCatchUp(listener)),
  dismissCatchUp: () => service.dismissCatchUp(),
  storageFacts: () => service.storageFacts(),
  rebuildStore: () => service.rebuildStore(),
  refresh: () => service.refresh(),
  setPollInterval: (intervalMs) => service.setPollInterval(intervalMs),
  setSummaryRange: (range) => service.setSummaryRange(range),
  setDeviceState: (state) => service.setDeviceState(state),
  subscribeHistory: (query, listener) => marked(service.subscribeHistory(query, listener)),
  subscribeGraph: (checkId, range, listener) => marked(service.subscribeGraph(checkId, range, listener)),
  subscribeCheckDetail: (checkId, listener) => marked(service.subscribeCheckDetail(checkId, listener)),
  subscribeCanary: (canaryId, listener) => marked(service.subscribeCanary(canaryId, listener)),
  subscribeRelated: (kind, id, listener) => marked(service.subscribeRelated(kind, id, listener)),
  subscribeTable: (question, listener) => marked(service.subscribeTable(question, listener)),
  subscribeCatalog: (kind, id, listener) => marked(service.subscribeCatalog(kind, id, listener)),
  subscribeChanges: (question, listener) => marked(service.subscribeChanges(question, listener)),
  subscribeSpecSchema: (file, listener) => marked(service.subscribeSpecSchema(file, listener)),
  subscribeCatalogSummary: (question, listener) =>
    marked(service.subscribeCatalogSummary(question, listener)),
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
