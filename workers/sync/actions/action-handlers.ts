/** How the sync worker does its actions: each is a function of the service. */
import type { ActionHandlers } from '../../../src/contract/actions/action-definition.ts';
import type { SyncActions } from '../../../src/contract/actions/sync-actions.ts';
import { settle } from '../../act.ts';
import { approveRun, cancelRun, dryRun, readOutput, startRun } from './playbook-calls.ts';
import type { SyncService } from '../sync-service.ts';

const done = (run: Promise<unknown>) => settle(() => run.then(() => null));

/** The handlers of a service, by the names of the registry. */
export function actionHandlers(service: SyncService): ActionHandlers<SyncActions> {
  return {
    'call-identity': (request) => service.identity.call(request),
    'read-flow-error': ({ id }) => service.identity.flowError(id),
    'call-push': (call) => service.identity.push(call),
    'call-reach': (call) => service.identity.reach(call),
    'check-session': () => service.checkSession(),
    'sign-out': (options) => done(service.signOut(options)),
    refresh: () => done(service.refresh()),
    'set-poll-interval': ({ intervalMs }) => done(service.setPollInterval(intervalMs)),
    'set-summary-range': ({ range }) => done(service.setSummaryRange(range)),
    'want-collections': ({ collections }) => done(Promise.resolve(service.order.want(collections))),
    'set-device-state': (state) => done(service.setDeviceState(state)),
    async administer(action) {
      const { field, ...answer } = await service.administer(action);
      return answer.ok ? answer : { ok: false, error: { ...answer.error, field } };
    },
    'run-check': ({ checkId }) => service.runCheck(checkId),
    'run-playbook': (request) => service.playbooks((calls) => startRun(calls, request)),
    'dry-run': (request) => service.askPlaybooks((calls) => dryRun(calls, request)),
    'read-output': (place) => service.askPlaybooks((calls) => readOutput(calls, place)),
    'cancel-run': ({ runId }) => service.playbooks((calls) => cancelRun(calls, runId)),
    'approve-run': ({ runId }) => service.playbooks((calls) => approveRun(calls, runId)),
    'prepare-run': (run) => service.prepareRun(run),
    'download-snapshot': (request) => service.downloadSnapshot(request),
    'read-logs': (page) => service.readLogs(page),
    'test-log-backend': (tested) => service.testLogBackend(tested),
    'preview-rule': (asked) => service.previewRule(asked),
    'try-check': (asked) => service.tryCheck(asked),
    'try-scraper': (asked) => service.tryScraper(asked),
    'try-done': (question) => service.tryDone(question),
    'redo-command': ({ commandId }) => service.redoCommand(commandId),
    'drop-command': ({ commandId }) => service.dropCommand(commandId),
    'send-commands': (asked) => service.sendCommands(asked),
    'drop-commands': ({ commandIds }) => service.dropCommands(commandIds),
    'find-applied': ({ commandIds }) => service.appliedCommands(commandIds),
    'write-draft': ({ key, text }) => service.writeDraft(key, text),
    'dismiss-catch-up': () => done(service.dismissCatchUp()),
    'read-storage': () => service.storageFacts(),
    'rebuild-store': () => service.rebuildStore(),
  };
}
