/** A device that writes commands about one incident, for tests of its outbox. Needs fake-indexeddb. */
import { Dexie } from 'dexie';
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import { createCommandBackend } from './command-backend.ts';
import { guid } from './guid.ts';
import { createDevice, createTestClock, STORE_NAME } from './outbox-device.ts';
import { outboxDbName } from '../../workers/store/store-names.ts';

export const [incident, root] = [guid(1), guid(2)];
/** An incident with a root hypothesis. */
export const create: CommandRequest = {
  name: 'create_incident',
  args: { id: incident, rootHypothesisId: root, title: 'Down' },
};
/** Another title of it. */
export function rename(title: string): CommandRequest {
  return { name: 'edit_incident', args: { id: incident, changes: { title } } };
}
/** The nth comment on it. */
export function comment(n: number): CommandRequest {
  return { name: 'add_comment', args: { id: guid(n), incidentId: incident, comment: `comment ${n}` } };
}

/** A device with its outbox, and a server. */
export function setup() {
  const clock = createTestClock();
  const backend = createCommandBackend(clock.now);
  const device = createDevice({ fetch: (url, init) => backend.fetch(url, init), clock });
  const worker = device.open();
  const { outbox } = worker;
  const write = async (request: CommandRequest) => (await outbox.append(request, device.context())).commandId;
  const redo = async (commandId: string) => (await outbox.redo(commandId, device.context())).commandId;
  const states = async () => (await outbox.items()).map(({ state }) => state);
  const drain = async () => {
    const run = await worker.start();
    await clock.runUntil(async () =>
      (await states()).every(({ kind }) => kind !== 'kept' && kind !== 'sent'),
    );
    await run.stop();
  };
  const raw = async <T>(work: (db: Dexie) => Promise<T>): Promise<T> => {
    const db = new Dexie(outboxDbName(STORE_NAME), { indexedDB: device.idb, IDBKeyRange });
    await db.open();
    try {
      return await work(db);
    } finally {
      db.close();
    }
  };
  return { clock, backend, device, worker, outbox, write, redo, states, drain, raw };
}

/** What a server answers to a command that it doesn't do. */
export function refuse(
  code: 'forbidden' | 'precondition_failed' | 'gone',
  current: Record<string, unknown> | null = null,
) {
  return { kind: 'refused', code, message: 'no', current } as const;
}
