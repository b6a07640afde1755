/** Changes of what is set up, over real HTTP: what each does to its row, whose rights count, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { THINGS, type ThingTable } from '../../src/domain/bulk/things.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice } from './support/command-device.ts';
import { seedCanary } from './support/check-seed-query.ts';
import { SEEDED_TABLES, seedThing } from './support/thing-seed-query.ts';

describe('commands on things', () => {
  let server: TestServer;
  let admin: CommandDevice;

  beforeAll(async () => {
    server = await startTestServer(await openMigratedDatabase('postgres'));
    admin = await openDevice(server, 'admin');
  });
  afterAll(async () => {
    await server.stop();
    await server.db.close();
  });

  const made = (table: ThingTable) => seedThing(server.db, table, admin.personId);
  const change = (table: ThingTable, thing: string, what: object) => ({
    name: 'change_thing',
    args: { table, id: thing, change: what },
  });
  const row = (table: string, thing: string) =>
    admin.browser
      .get(`/api/db/${table}?id=eq.${thing}`)
      .then(async (answer) => ((await answer.json()) as Record<string, unknown>[])[0]);

  test.each(SEEDED_TABLES)('%s: each change it has, then deleted', async (table) => {
    const thing = await made(table);
    const { pause, hasLabels, hasNamespace } = THINGS[table];
    const paused = () => (pause === 'column' ? { is_paused: true } : { annotations: { suspend: 'true' } });
    if (pause !== null) {
      await admin.apply(change(table, thing, { do: 'pause' }));
      expect(await row(table, thing)).toMatchObject(paused());
      await admin.apply(change(table, thing, { do: 'resume' }));
      expect(await row(table, thing)).not.toMatchObject(paused());
    }
    if (hasLabels) {
      await admin.apply(
        change(table, thing, { do: 'label', labels: { set: { team: 'shop', old: 'x' } } }),
        change(table, thing, { do: 'label', labels: { set: { team: 'till' }, remove: ['old'] } }),
      );
      expect((await row(table, thing))?.['labels']).toEqual({ team: 'till' });
    }
    if (hasNamespace) {
      await admin.apply(change(table, thing, { do: 'move', namespace: 'elsewhere' }));
      expect(await row(table, thing)).toMatchObject({ namespace: 'elsewhere' });
    }
    await admin.apply(change(table, thing, { do: 'delete' }), change(table, thing, { do: 'delete' }));
    expect((await row(table, thing))?.['deleted_at']).toEqual(expect.any(String));
    const after = hasNamespace ? { do: 'move', namespace: 'x' } : pause === null ? null : { do: 'pause' };
    if (after !== null)
      expect(await admin.send(change(table, thing, after))).toMatchObject({
        kind: 'refused',
        code: 'gone',
      });
  });

  test('a silence ends now, one that has not begun as well, and one that is over stays as it was', async () => {
    const silence = async (from: string, until: string) => {
      const silenceId = id();
      const args = { silenceId, selector: 'team=shop', from, until };
      await admin.apply({ name: 'create_silence', args });
      return silenceId;
    };
    const [running, planned] = [
      await silence('2026-01-01T00:00:00Z', '2099-01-01T00:00:00Z'),
      await silence('2098-01-01T00:00:00Z', '2099-01-01T00:00:00Z'),
    ];
    const ends = async (silenceId: string) => {
      await admin.apply(change('notification_silences', silenceId, { do: 'end' }));
      return row('notification_silences', silenceId);
    };
    const ended = await ends(running);
    expect(Date.parse(String(ended?.['until']))).toBeLessThan(Date.parse('2098-01-01'));
    expect((await ends(running))?.['until']).toBe(ended?.['until']);
    const { from, until } = (await ends(planned)) ?? {};
    expect(from).toBe(until);
    expect(await admin.send(change('teams', await made('teams'), { do: 'end' }))).toMatchObject({
      kind: 'refused',
      code: 'invalid',
    });
  });

  test('each table asks for its own right', async () => {
    const editor = await openDevice(server, 'editor');
    const responder = await openDevice(server, 'responder');
    const [connection, canary] = [await made('connections'), await seedCanary(server.db)];
    const move = { do: 'move', namespace: 'x' };
    const forbidden = { kind: 'refused', code: 'forbidden' };
    expect(await editor.send(change('connections', connection, move))).toMatchObject(forbidden);
    expect(await editor.send(change('canaries', canary, move))).toMatchObject({ kind: 'applied' });
    expect(await responder.send(change('canaries', canary, move))).toMatchObject(forbidden);
    // Nor is anybody told whether there is such a thing.
    expect(await responder.send(change('connections', id(), move))).toMatchObject(forbidden);
  });

  test('what comes from a file is changed there', async () => {
    const canary = await seedCanary(server.db, 'ConfigFile');
    expect(await admin.send(change('canaries', canary, { do: 'delete' }))).toMatchObject({
      kind: 'refused',
      code: 'invalid',
      message: 'This health check comes from ConfigFile and is changed there, not here',
    });
  });

  test('what is kept for an agent is not moved onto what the agent has by that name', async () => {
    const agent = id();
    await server.db.run(`insert into agents (id, name) values ($1::uuid, 'edge')`, [agent]);
    const keep = async (namespace: string) => {
      const spec = { http: [{ name: 'in', url: 'https://example.com' }] };
      const data = { id: id(), name: 'kept', namespace, source: 'UI', spec, agent_id: agent };
      expect((await admin.browser.post('/api/db/canaries', data)).status).toBe(201);
      return data.id;
    };
    await keep('here');
    const there = await keep('there');
    const move = (namespace: string) => change('canaries', there, { do: 'move', namespace });
    expect(await admin.send(move('here'))).toMatchObject({ kind: 'refused', code: 'invalid' });
    expect(await admin.send(move('elsewhere'))).toMatchObject({ kind: 'applied' });
  });

  test('the server itself is no agent to be deleted', async () => {
    const local = '00000000-0000-0000-0000-000000000000';
    expect(await admin.send(change('agents', local, { do: 'delete' }))).toMatchObject({
      kind: 'refused',
      code: 'invalid',
    });
  });
});
