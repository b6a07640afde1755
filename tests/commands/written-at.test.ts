/** Work that was done without a network keeps the hour in which it was done, beside that of its arrival. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice } from './support/command-device.ts';
import {
  addComment,
  addEvidence,
  addHypothesis,
  addPerson,
  createIncident,
  newIncident,
} from './support/incident-drafts.ts';

const WRITTEN = '2026-01-05T10:02:00.123Z';
const HOUR_MS = 3_600_000;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let device: CommandDevice;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    device = await openDevice(server, 'responder');
  });
  afterAll(() => server.stop());

  /** `written_at` as devices get it, by kind of record. */
  async function replicated(incidentId: string): Promise<{ kind: string; written: string | null }[]> {
    return server.db.rows(
      z.custom<{ kind: string; written: string | null }>(),
      `select kind, own ->> 'written_at' as written from feed_incident_records
        where incident_id = $1 and kind <> 'read' order by kind`,
      [incidentId],
    );
  }

  const writtenOfComment = (commentId: string) =>
    server.db.text('select written_at::text from comments where id = $1', [commentId]);

  test('rows of every kind keep when they were written, and devices get it', async () => {
    const ids = { incidentId: id(), rootId: id() };
    const drafts = [
      createIncident(ids),
      addHypothesis(ids, id()),
      addEvidence(ids, id()),
      addComment(ids, id()),
      addPerson(ids, id(), device.personId),
    ];
    await device.apply(...drafts.map((draft) => ({ ...draft, writtenAt: WRITTEN })));
    const records = await replicated(ids.incidentId);
    expect(new Set(records.map(({ kind }) => kind))).toEqual(
      new Set(['hypothesis', 'evidence', 'comment', 'responder', 'history']),
    );
    for (const { kind, written } of records)
      expect([kind, new Date(written ?? 0).toISOString()]).toEqual([kind, WRITTEN]);
    const [incident] = await server.db.rows(
      z.custom<{ written: string; created: string }>(),
      `select written_at::text as written, created_at::text as created from feed_incidents where id = $1`,
      [ids.incidentId],
    );
    expect(new Date(incident?.written ?? 0).toISOString()).toBe(WRITTEN);
    expect(Date.parse(incident?.created ?? '')).toBeGreaterThan(Date.parse(WRITTEN) + HOUR_MS);
  });

  describe('nothing is kept', () => {
    test.each([
      ['of a device that says nothing', undefined],
      ['of an hour to come', () => new Date(Date.now() + HOUR_MS).toISOString()],
      ['of what is no time', () => 'yesterday'],
    ])('%s', async (_what, written) => {
      const ids = await newIncident(device);
      const [before, commentId] = [id(), id()];
      await device.apply(
        { ...addComment(ids, before), writtenAt: WRITTEN },
        { ...addComment(ids, commentId), ...(written === undefined ? {} : { writtenAt: written() }) },
      );
      expect(await writtenOfComment(before)).not.toBeNull();
      expect(await writtenOfComment(commentId)).toBeNull();
    });
  });
});
