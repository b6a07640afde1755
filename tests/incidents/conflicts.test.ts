/**
 * Two people do something to the same incident, neither knowing of the other: every pair of commands in both
 * orders. The second is done as well, or refused with the right reason, once; where both are done the order does
 * not show; nobody's words are overwritten in silence (design §4 laws 4, 6, 7).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { openDevice, type CommandDevice } from '../commands/support/command-device.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { deleteIncident } from './support/incident-query.ts';
import { expectedRefusal, INCIDENT_GOES, RIVALS, type Rival, type Scene } from './support/rival-commands.ts';
import { insertScene, readScene } from './support/scene-query.ts';

/** Dozens of commands each; a busy machine may take its time. */
const LIMIT_MS = 120_000;

describe('on PostgreSQL, which locks rows for real', () => {
  let db: Database;
  let server: TestServer;
  let ada: CommandDevice;
  let bo: CommandDevice;
  let strangers: [string, string];

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db);
    ada = await openDevice(server, 'responder');
    // An administrator: may change another's comment, so that every pair is a matter of order, not of rights.
    bo = await openDevice(server, 'admin');
    const [one, other] = [await server.account('responder'), await server.account('responder')];
    strangers = [one.id, other.id];
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
  });

  const newScene = () => insertScene(server.db, { author: ada.personId, responder: bo.personId, strangers });

  /** Both one after the other; answers what became of the second, and of the incident. */
  async function play(scene: Scene, first: Rival, second: Rival) {
    expect((await ada.send(first.draft(scene))).kind).toBe('applied');
    const draft = second.draft(scene);
    const outcome = await bo.send(draft);
    return { outcome, end: await readScene(server.db, scene) };
  }

  async function expectOutcome(first: Rival, second: Rival): Promise<string | null> {
    const { outcome, end } = await play(await newScene(), first, second);
    const code = expectedRefusal(first, second);
    expect([first.label, second.label, outcome]).toEqual([
      first.label,
      second.label,
      expect.objectContaining(code === null ? { kind: 'applied' } : { kind: 'refused', code }),
    ]);
    const [field, value] = first.sets ?? ['', null];
    if (code === 'precondition_failed')
      expect(outcome).toMatchObject({ current: { [field.split('.')[1] ?? '']: value } });
    return code === null ? end : null;
  }

  test.each(RIVALS.map((one, at) => ({ one, at, label: one.label })))(
    'beside "$label" every other command, before or after it, is done or refused for the reason that it is',
    async ({ one, at }) => {
      for (const other of RIVALS.slice(at)) {
        const after = await expectOutcome(one, other);
        const before = await expectOutcome(other, one);
        // Where both are done in either order, the order must not show.
        if (after !== null && before !== null) expect([other.label, before]).toEqual([other.label, after]);
      }
    },
    LIMIT_MS,
  );

  test(
    'after the incident itself went, what needs it is refused as gone, and deletions are content',
    async () => {
      for (const second of RIVALS) {
        const scene = await newScene();
        await deleteIncident(server.db, scene.incidentId);
        const code = expectedRefusal(INCIDENT_GOES, second);
        expect([second.label, await bo.send(second.draft(scene))]).toEqual([
          second.label,
          expect.objectContaining(code === null ? { kind: 'applied' } : { kind: 'refused', code }),
        ]);
      }
    },
    LIMIT_MS,
  );
});
