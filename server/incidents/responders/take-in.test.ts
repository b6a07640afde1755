/** What outside systems say is taken over within bounds, whatever they send, on both databases. */
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { takeIn } from './take-in.ts';
import { seedIncident, seedResponder, seedTeam } from './testing/responder-setting.ts';

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
  });

  it('a hundred comments in one look, two thousand of one ticket, however many come', async () => {
    const world = await seedIncident(db, 'Database down');
    const team = await seedTeam(db, world.person, {});
    const responder = await seedResponder(db, world, { team, properties: { responderType: 'ca' } });
    const look = () => {
      const comments = Array.from({ length: 300 }, (_, place) => ({
        id: nodePlatform.newId(),
        author: 'Mallory',
        text: `again ${place}`,
      }));
      const state = { status: null, phase: null, comments };
      return takeIn(responder, state, { db, now: () => nodePlatform.now(), notify: () => undefined });
    };
    expect(await look()).toBe(100);
    await db.run(
      `insert into responder_remote_comments (responder_id, external_id)
       select $1::uuid, 'known ' || n from generate_series(1, 1870) as n`,
      [responder],
    );
    expect(await look()).toBe(30);
    expect(await look()).toBe(0);
  });
});
