/** The sync worker against our real server: the change log, commands, permissions, a restored database. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openSyncDevice } from '../backends/sync-device.ts';
import { startEpoch } from '../../server/replication/change-log/state-query.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';

let server: TestServer;
const stops: (() => Promise<unknown>)[] = [];

async function openDevice(email: string) {
  const device = await openSyncDevice(server, email);
  stops.push(() => device.stop());
  return device;
}

const newIncident = (title: string) => ({
  name: 'create_incident' as const,
  args: { id: randomUUID(), rootHypothesisId: randomUUID(), title },
});

describe('on our server', () => {
  beforeAll(async () => {
    const db = await openMigratedDatabase('postgres');
    server = await startTestServer(db, { heartbeatMs: 400 });
    return async () => {
      await server.stop();
      await db.close();
    };
  });
  let email: string;
  beforeEach(async () => {
    ({ email } = await server.account('responder'));
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test('what one device writes is on the other at once, and leaves the outbox when it was seen', async () => {
    const mine = await openDevice(email);
    const theirs = await openDevice((await server.account('viewer')).email);
    const command = newIncident('Seen by all');
    expect(await mine.service.send(command)).toMatchObject({ ok: true });
    await expect.poll(() => theirs.has('incidents', command.args.id)).toBe(true);
    await expect.poll(() => mine.seen.outbox.items).toEqual([]);
    expect(await mine.has('incidents', command.args.id)).toBe(true);
    expect(await mine.has('incident_records', command.args.rootHypothesisId)).toBe(true);
  });

  test('what is written without a network is kept, sent when it is back, and there once', async () => {
    const device = await openDevice(email);
    device.cut(true);
    const command = newIncident('From a tunnel');
    await device.service.send(command);
    await device.service.send({
      name: 'add_comment',
      args: { id: randomUUID(), incidentId: command.args.id, comment: 'dark here' },
    });
    await expect
      .poll(() => device.seen.outbox.items.map(({ state }) => state.kind))
      .toEqual(['kept', 'kept']);
    device.cut(false);
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
    const found = await server.db.rows(
      z.custom<{ id: string }>(),
      'select id from comments where incident_id = $1',
      [command.args.id],
    );
    expect(found).toHaveLength(1);
  });

  test('a tab that missed another person’s sign-in sends nothing in their name; it is sent when its author is back', async () => {
    const me = await server.account('responder');
    const other = await server.account('responder');
    const device = await openDevice(me.email);
    const command = newIncident('Mine, not theirs');
    const found = () =>
      server.db.rows(z.custom<{ created_by: string }>(), 'select created_by from incidents where id = $1', [
        command.args.id,
      ]);
    await device.signInBeside(other.email);
    await device.service.send(command);
    await expect.poll(() => device.seen.session).toMatchObject({ kind: 'signed-in', user: { id: other.id } });
    expect(await found()).toEqual([]);
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
    await device.signInBeside(me.email);
    await device.service.checkSession();
    await expect.poll(found).toEqual([{ created_by: me.id }]);
  });

  test('a viewer who writes finds the refusal in the inbox, with the words kept', async () => {
    const device = await openDevice((await server.account('viewer')).email);
    await device.service.send(newIncident('Not allowed'));
    await expect
      .poll(() => device.seen.outbox.items.map(({ state }) => state))
      .toMatchObject([{ kind: 'refused', code: 'forbidden' }]);
    expect(device.seen.outbox.items[0]?.args).toMatchObject({ title: 'Not allowed' });
    const [item] = device.seen.outbox.items;
    expect(await device.service.dropCommand(item?.commandId ?? '')).toMatchObject({ ok: true });
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
  });

  test('the same field changed by both: the server keeps its value, the inbox has mine, redo wins', async () => {
    const mine = await openDevice(email);
    const theirs = await openDevice((await server.account('commander')).email);
    const command = newIncident('First');
    await mine.service.send(command);
    const { id } = command.args;
    await expect.poll(() => theirs.has('incidents', id)).toBe(true);
    mine.cut(true);
    await mine.service.send({ name: 'edit_incident', args: { id, changes: { title: 'Mine' } } });
    await theirs.service.send({ name: 'edit_incident', args: { id, changes: { title: 'Theirs' } } });
    // Not their outbox: what was written a moment ago may not be shown there yet.
    const onServer = () =>
      server.db.rows(z.custom<{ title: string }>(), 'select title from incidents where id = $1', [id]);
    await expect.poll(onServer).toEqual([{ title: 'Theirs' }]);
    mine.cut(false);
    await expect
      .poll(() => mine.seen.outbox.items.map(({ state }) => state))
      .toMatchObject([{ kind: 'refused', code: 'precondition_failed', current: { title: 'Theirs' } }]);
    await mine.service.redoCommand(mine.seen.outbox.items[0]?.commandId ?? '');
    await expect.poll(() => mine.seen.outbox.items).toEqual([]);
    const titleOf = async () => (await theirs.rows('incidents')).find((row) => row.id === id)?.['title'];
    await expect.poll(titleOf).toBe('Mine');
  });

  test('a role that is taken away takes its rows away, and brings them back with it', async () => {
    const admin = await server.account('admin');
    await server.db.run(`insert into connections (name, type) values ('c', 'postgres')`);
    const device = await openDevice(admin.email);
    await expect.poll(async () => (await device.rows('connections')).length).toBe(1);
    const setRole = (role: string) =>
      server.db.run(`update casbin_rule set v1 = $2 where ptype = 'g' and v0 = $1`, [admin.id, role]);
    await setRole('viewer');
    await expect.poll(async () => (await device.rows('connections')).length).toBe(0);
    await setRole('admin');
    await expect.poll(async () => (await device.rows('connections')).length).toBe(1);
  });

  test('after the database was restored everything is loaded anew, and the old rows stay until then', async () => {
    const device = await openDevice(email);
    const command = newIncident('Before');
    await device.service.send(command);
    await expect.poll(() => device.has('incidents', command.args.id)).toBe(true);
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
    await server.db.run('delete from incident_histories where incident_id = $1', [command.args.id]);
    await server.db.run('delete from hypotheses where incident_id = $1', [command.args.id]);
    await server.db.run('delete from incidents where id = $1', [command.args.id]);
    await startEpoch(server.db);
    await expect.poll(() => device.has('incidents', command.args.id)).toBe(false);
    await expect.poll(() => device.seen.status?.connection).toBe('live');
  });

  test('nothing that happened was reported as an error', async () => {
    const device = await openDevice(email);
    await device.service.send(newIncident('Quiet'));
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
    expect(device.errors).toEqual([]);
  });
});
