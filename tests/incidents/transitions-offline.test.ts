/**
 * The transition table on the device itself: every from × to, by every role, chosen with the network cut and sent
 * when it is back, through the real sync worker and the real server.
 */
import 'fake-indexeddb/auto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { pendingRow } from '../../src/contract/commands/pending-row.ts';
import { INCIDENT_STATUSES, mayBecome } from '../../src/domain/incident/incident.ts';
import { openSyncDevice, type SyncDevice } from '../backends/sync-device.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { insertIncident, statusOf } from './support/incident-query.ts';

const ROLES = { admin: true, editor: true, commander: true, responder: true, viewer: false };
const PAIRS = INCIDENT_STATUSES.flatMap((from) => INCIDENT_STATUSES.map((to) => ({ from, to })));

describe('chosen offline', () => {
  let server: TestServer;
  let device: SyncDevice | null = null;
  beforeAll(async () => {
    const db = await openMigratedDatabase('postgres');
    server = await startTestServer(db, { heartbeatMs: 400 });
    return async () => {
      await server.stop();
      await db.close();
    };
  });
  afterEach(async () => {
    await device?.stop();
    device = null;
  });

  test.each(Object.entries(ROLES))(
    '%s: every choice shows at once; sent later, it is done or in the inbox',
    async (role, mayWrite) => {
      const author = await server.account(role);
      const cases = await Promise.all(
        PAIRS.map(async (pair) => ({
          ...pair,
          id: (await insertIncident(server.db, { status: pair.from, by: author.id })).incidentId,
        })),
      );
      const opened = await openSyncDevice(server, author.email);
      device = opened;
      await expect
        .poll(async () => {
          const known = new Set((await opened.rows('incidents')).map(({ id }) => id));
          return cases.filter(({ id }) => !known.has(id)).length;
        })
        .toBe(0);
      opened.cut(true);
      const rows = new Map((await opened.rows('incidents')).map((row) => [row.id, row]));
      for (const { id, from, to } of cases)
        expect(
          await opened.service.send({ name: 'set_incident_status', args: { id, from, to } }),
        ).toMatchObject({
          ok: true,
        });
      await expect.poll(() => opened.seen.outbox.items.length).toBe(PAIRS.length);
      const shown = cases.map(
        ({ id }) =>
          pendingRow(rows.get(id) ?? null, opened.seen.outbox.items, { collection: 'incidents', id })?.[
            'status'
          ],
      );
      expect(shown).toEqual(cases.map(({ to }) => to));
      for (const { id, from } of cases) expect(await statusOf(server.db, id)).toBe(from);

      opened.cut(false);
      const isDone = ({ from, to }: (typeof PAIRS)[number]) => mayWrite && mayBecome(from, to);
      const refused = cases.filter((one) => !isDone(one));
      const left = () =>
        opened.seen.outbox.items.map(({ touches, state }) => [
          touches[0],
          state.kind === 'refused' ? state.code : state.kind,
        ]);
      const code = mayWrite ? 'precondition_failed' : 'forbidden';
      await expect.poll(left, { timeout: 30_000 }).toEqual(refused.map(({ id }) => [id, code]));
      for (const one of cases)
        expect([one.from, one.to, await statusOf(server.db, one.id)]).toEqual([
          one.from,
          one.to,
          isDone(one) ? one.to : one.from,
        ]);
    },
    120_000,
  );
});
