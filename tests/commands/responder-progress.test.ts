/** Who may say how far a responder is, and that the first time counts; over real HTTP, on both databases. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice, Draft } from './support/command-device.ts';
import { addPerson, editIncident, newIncident } from './support/incident-drafts.ts';
import { newTeam } from './support/team-seed-query.ts';

const refused = (code: string) => expect.objectContaining({ kind: 'refused', code }) as unknown;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let ann: CommandDevice;
  let ben: CommandDevice;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    ann = await openDevice(server, 'responder');
    ben = await openDevice(server, 'responder');
  });
  afterAll(() => server.stop());

  function step(incidentId: string, responderId: string, name = 'acknowledged', isSet = true): Draft {
    return {
      name: 'set_responder_progress',
      args: { id: responderId, incidentId, step: name, isSet },
    };
  }
  async function times(responderId: string): Promise<Record<string, string | null> | undefined> {
    const [row] = await server.db.rows(
      z.custom<Record<string, string | null>>(),
      'select acknowledged, resolved, closed from responders where id = $1',
      [responderId],
    );
    return row;
  }

  test('a responder tells its own progress, step by step, and takes a step back', async () => {
    const ids = await newIncident(ann);
    const responderId = id();
    await ben.apply(addPerson(ids, responderId, ben.personId));
    await ben.apply(step(ids.incidentId, responderId));
    const first = await times(responderId);
    expect(first).toEqual({ acknowledged: expect.any(String) as string, resolved: null, closed: null });
    // Again from a second device: the first time stays.
    await ben.twin().apply(step(ids.incidentId, responderId));
    expect(await times(responderId)).toEqual(first);
    await ben.apply(
      step(ids.incidentId, responderId, 'resolved'),
      step(ids.incidentId, responderId, 'closed'),
    );
    expect(Object.values((await times(responderId)) ?? {})).not.toContain(null);
    await ben.apply(step(ids.incidentId, responderId, 'closed', false));
    expect(await times(responderId)).toMatchObject({ closed: null });
  });

  test('nobody tells the progress of another, but the commander of the incident', async () => {
    const ids = await newIncident(ann);
    const responderId = id();
    await ann.apply(addPerson(ids, responderId, ann.personId));
    expect(await ben.send(step(ids.incidentId, responderId))).toEqual(refused('forbidden'));
    const changes = { commander_id: ben.personId };
    await ann.apply(editIncident(ids.incidentId, changes, { commander_id: null }));
    await ben.apply(step(ids.incidentId, responderId));
    expect(await times(responderId)).toMatchObject({ acknowledged: expect.any(String) as string });
  });

  test('a team’s progress is told by its members', async () => {
    const ids = await newIncident(ann);
    const responderId = id();
    const teamId = await newTeam(server.db, [ben.personId]);
    await ann.apply({
      name: 'add_responder',
      args: { id: responderId, incidentId: ids.incidentId, type: 'system', teamId },
    });
    expect(await ann.send(step(ids.incidentId, responderId))).toEqual(refused('forbidden'));
    await ben.apply(step(ids.incidentId, responderId));
  });

  test('of who was removed, or of another incident, there is none', async () => {
    const ids = await newIncident(ann);
    const other = await newIncident(ann);
    const responderId = id();
    await ann.apply(addPerson(ids, responderId, ann.personId));
    expect(await ann.send(step(other.incidentId, responderId))).toEqual(refused('invalid'));
    expect(await ann.send(step(ids.incidentId, responderId, 'reopened'))).toEqual(refused('invalid'));
    await ann.apply({ name: 'remove_responder', args: { id: responderId, incidentId: ids.incidentId } });
    expect(await ann.send(step(ids.incidentId, responderId))).toEqual(refused('gone'));
  });
});
