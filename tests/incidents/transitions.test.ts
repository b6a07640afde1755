/**
 * The transition table of spec 3 §4, exhaustively: from × to × role on the server as it is online, and from × to ×
 * what it has become meanwhile for what was chosen offline.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { INCIDENT_STATUSES } from '../../src/domain/incident/incident.ts';
import { openDevice, type CommandDevice } from '../commands/support/command-device.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { insertIncident, setStatusOf, statusOf } from './support/incident-query.ts';

/** Written out once more by hand: what the specification allows. */
const ALLOWED: Readonly<Record<string, string>> = {
  new: 'new open investigating mitigated resolved closed',
  open: 'open investigating mitigated resolved closed',
  investigating: 'investigating mitigated resolved closed',
  mitigated: 'mitigated resolved closed open',
  resolved: 'resolved closed open',
  closed: 'closed open',
};
const allows = (from: string, to: string) => (ALLOWED[from] ?? '').split(' ').includes(to);

const ROLES = { admin: true, editor: true, commander: true, responder: true, viewer: false, none: false };

const setStatus = (id: string, from: string, to: string) => ({
  name: 'set_incident_status',
  args: { id, from, to },
});

/** Up to two hundred commands each; a busy machine may take its time. */
const LIMIT_MS = 120_000;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let commander: CommandDevice;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    commander = await openDevice(server, 'commander');
  });
  afterAll(() => server.stop());

  describe.each(Object.entries(ROLES))('%s', (role, mayWrite) => {
    test(
      'goes where the table leads, and nowhere else',
      async () => {
        const device = await openDevice(server, ...(role === 'none' ? [] : [role]));
        for (const from of INCIDENT_STATUSES) {
          for (const to of INCIDENT_STATUSES) {
            const { incidentId } = await insertIncident(server.db, { status: from, by: commander.personId });
            const outcome = await device.send(setStatus(incidentId, from, to));
            const code = mayWrite ? 'precondition_failed' : 'forbidden';
            const isDone = mayWrite && allows(from, to);
            expect([from, to, outcome]).toEqual([
              from,
              to,
              isDone
                ? expect.objectContaining({ kind: 'applied' })
                : expect.objectContaining({ kind: 'refused', code }),
            ]);
            expect([from, to, await statusOf(server.db, incidentId)]).toEqual([from, to, isDone ? to : from]);
          }
        }
      },
      LIMIT_MS,
    );
  });

  test(
    'what was chosen offline counts only from the status that was seen; the rest says what stands there now',
    async () => {
      const { incidentId } = await insertIncident(server.db, { status: 'open', by: commander.personId });
      for (const from of INCIDENT_STATUSES) {
        for (const now of INCIDENT_STATUSES) {
          for (const to of INCIDENT_STATUSES) {
            await setStatusOf(server.db, incidentId, now);
            const outcome = await commander.send(setStatus(incidentId, from, to));
            const isDone = now === to || (now === from && allows(from, to));
            expect([from, now, to, outcome]).toEqual([
              from,
              now,
              to,
              isDone
                ? expect.objectContaining({ kind: 'applied' })
                : {
                    kind: 'refused',
                    code: 'precondition_failed',
                    message: expect.stringContaining(now) as string,
                    current: { status: now },
                  },
            ]);
            expect(await statusOf(server.db, incidentId)).toBe(isDone ? to : now);
          }
        }
      }
    },
    LIMIT_MS,
  );
});
