/** The sync worker in hosted mode, against a front, two backends and a real provider. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { openHostedDevice, type HostedDevice } from './hosted-device.ts';
import { startHostedEstate, type HostedEstate } from './hosted-estate.ts';

let estate: HostedEstate;
const databases: Database[] = [];
const devices: HostedDevice[] = [];

async function openDatabase(): Promise<Database> {
  const db = await openMigratedDatabase('postgres');
  databases.push(db);
  return db;
}

async function openDevice(login = 'ada'): Promise<HostedDevice> {
  const device = await openHostedDevice(estate.front.url, login);
  devices.push(device);
  return device;
}

const LONG = { timeout: 30_000 };
const inPlace = (device: HostedDevice, slug: string) => expect.poll(() => device.place(), LONG).toBe(slug);
const inStep = (device: HostedDevice) =>
  expect
    .poll(() => [device.seen.status?.connection, device.seen.status?.lastError ?? null], LONG)
    .toEqual(['live', null]);
const newIncident = (title: string) => ({
  name: 'create_incident' as const,
  args: { id: randomUUID(), rootHypothesisId: randomUUID(), title },
});
const titles = async (device: HostedDevice) =>
  (await device.rows('incidents')).map((row) => (row as { title?: unknown }).title);
const databaseNames = async (device: HostedDevice, storeName: string) =>
  (await device.idb.databases()).flatMap(({ name = '' }) => (name.startsWith(storeName) ? [name] : []));

describe('a device in hosted mode', () => {
  beforeAll(async () => {
    estate = await startHostedEstate(openDatabase, { own: 'own' });
  });
  afterAll(async () => {
    await estate.stop();
    for (const db of databases) await db.close();
  });
  afterEach(async () => {
    for (const device of devices.splice(0)) await device.service.stop();
  });

  test('works nowhere until an organisation was chosen, and shows nothing before', async () => {
    const device = await openDevice();
    await expect.poll(() => device.seen.session.kind, LONG).toBe('no-organization');
    expect((await device.organizations()).map(({ slug }) => slug)).toEqual([
      'directly',
      'engines',
      'nowhere',
      'own',
    ]);
    expect(await device.choose('engines')).toMatchObject({ status: 204 });
    await inPlace(device, 'engines');
    await inStep(device);
  });

  test('who makes an organisation works in it: it has no backend yet, which is being provided', async () => {
    const device = await openDevice('eve');
    await expect.poll(() => device.seen.session.kind, LONG).toBe('no-organization');
    expect(await device.ask({ do: 'create-organization', name: 'Eve & Sons' })).toMatchObject({
      status: 201,
      body: { slug: 'eve-sons', role: 'admin' },
    });
    await expect.poll(() => device.seen.session.kind, LONG).toBe('provisioning');
  });

  test('live changes of the organisation arrive through the front, and what is written goes there', async () => {
    const [mine, theirs] = [await openDevice(), await openDevice()];
    for (const device of [mine, theirs]) {
      await device.choose('engines');
      await inPlace(device, 'engines');
      await inStep(device);
    }
    const command = newIncident(`engines ${randomUUID()}`);
    expect(await mine.service.send(command)).toMatchObject({ ok: true });
    await expect.poll(() => titles(theirs)).toContain(command.args.title);
    const stored = await estate.engines.db.rows(z.unknown(), 'select id from incidents where title = $1', [
      command.args.title,
    ]);
    expect(stored).toHaveLength(1);
  });

  test('direct mode: data goes straight to the backend with a token, signing in stays at the front', async () => {
    const device = await openDevice();
    await device.choose('directly');
    await inPlace(device, 'directly');
    await inStep(device);
    const direct = device.calls.filter(({ url }) => url.startsWith(estate.directly.url));
    expect(direct.map(({ url }) => new URL(url).pathname)).toContain('/api/sync/changes');
    expect(direct.every(({ headers }) => headers.get('authorization')?.startsWith('Bearer ') === true)).toBe(
      true,
    );
    expect(direct.every(({ headers }) => headers.get('cookie') === null)).toBe(true);
    const atFront = device.calls.filter(({ url }) => url.startsWith(estate.front.url));
    expect(atFront.some(({ url }) => url.includes('/api/sync/') || url.includes('/api/db/'))).toBe(false);
    expect(atFront.some(({ headers }) => headers.get('authorization') !== null)).toBe(false);
    const command = newIncident('written directly');
    expect(await device.service.send(command)).toMatchObject({ ok: true });
    await expect.poll(() => titles(device)).toContain('written directly');
    await expect.poll(() => device.seen.outbox.items).toEqual([]);
  });

  test('a token that the backend refuses is replaced once, and the user stays signed in', async () => {
    const device = await openDevice();
    await device.choose('directly');
    await inPlace(device, 'directly');
    await inStep(device);
    const given = () => device.calls.filter(({ url }) => url.endsWith('/api/auth/backend-token')).length;
    const before = given();
    device.state.refusals = 1;
    await device.service.refresh();
    await expect.poll(given, LONG).toBe(before + 1);
    await inStep(device);
    expect(device.place()).toBe('directly');
  });

  test('switching takes away what was kept of the organisation before', async () => {
    const device = await openDevice();
    await device.choose('engines');
    await inPlace(device, 'engines');
    await inStep(device);
    const before = device.storeName();
    expect(await databaseNames(device, before)).not.toEqual([]);
    await device.choose('directly');
    await inPlace(device, 'directly');
    await inStep(device);
    expect(device.storeName()).not.toBe(before);
    expect(await databaseNames(device, before)).toEqual([]);
    expect(device.seen.sessions).toContain('switching');
  });

  test('what was not sent waits sealed for its organisation, reaches no other, and is sent on return', async () => {
    const device = await openDevice();
    await device.choose('engines');
    await inPlace(device, 'engines');
    await inStep(device);
    const command = newIncident(`sealed ${randomUUID()}`);
    const store = device.storeName();
    device.state.cut = /\/sync\/commands/;
    expect(await device.service.send(command)).toMatchObject({ ok: true });
    await expect.poll(() => device.seen.outbox.items.length).toBe(1);
    await device.choose('directly');
    await inPlace(device, 'directly');
    await inStep(device);
    expect(device.seen.outbox.items).toEqual([]);
    expect(await databaseNames(device, store)).toEqual([`${store}-outbox`]);
    const count = async (db: Database) =>
      (await db.rows(z.unknown(), 'select id from incidents where title = $1', [command.args.title])).length;
    device.state.cut = null;
    await device.service.refresh();
    await inStep(device);
    expect(await count(estate.directly.db)).toBe(0);
    await device.choose('engines');
    await inPlace(device, 'engines');
    await expect.poll(() => count(estate.engines.db), LONG).toBe(1);
    expect(await count(estate.directly.db)).toBe(0);
  });

  test('an organisation that was chosen elsewhere meanwhile is neither read nor written by mistake', async () => {
    const device = await openDevice();
    await device.choose('engines');
    await inPlace(device, 'engines');
    await inStep(device);
    const engines = device.storeName();
    const other = (await device.organizations()).find(({ slug }) => slug === 'own');
    // Another tab of the same browser, with a worker of its own.
    const select = `${estate.front.url}/api/auth/organizations/${other?.id ?? ''}/select`;
    expect((await device.send(select, { method: 'POST' })).status).toBe(204);
    await device.service.send(newIncident('for engines'));
    // The refusal makes the worker ask where the session works now.
    await inPlace(device, 'own');
    expect(device.storeName()).not.toBe(engines);
    const stored = await estate.front.db.rows(
      z.unknown(),
      `select id from incidents where title = 'for engines'`,
    );
    expect(stored).toEqual([]);
  });

  test('the front’s own organisation: its admins are admins here, in streams too, for as long as they are', async () => {
    const device = await openDevice('olga');
    await inPlace(device, 'own');
    await inStep(device);
    const roles = () => (device.seen.session.kind === 'signed-in' ? device.seen.session.user.roles : null);
    expect(roles()).toEqual(['admin']);
    // The streams' watch has looked at the session by now; connections are not for everybody's eyes.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const secretId = randomUUID();
    await estate.front.db.run(
      `insert into connections (id, name, type) values ($1, 'told to admins', 'http')`,
      [secretId],
    );
    estate.front.notifier.notify('connections');
    await expect.poll(async () => (await device.rows('connections')).map(({ id }) => id)).toContain(secretId);
    await estate.front.db.run(`update organization_members m set role = 'member'
      from people p where p.id = m.person_id and p.name = 'Olga'`);
    expect(await device.service.checkSession()).toEqual({ ok: true, value: true });
    expect(roles()).toEqual([]);
  });

  test('signing out leads to the provider, which ends its own session and sends people back', async () => {
    const device = await openDevice();
    await device.service.signOut({ keepOutbox: false });
    const answer = await device.send(`${estate.front.url}/api/auth/oidc/sign-out`, {});
    const location = answer.headers.get('location') ?? '';
    expect(answer.status).toBe(303);
    expect(location.startsWith(`${estate.provider.issuer}/session/end`)).toBe(true);
    expect(new URL(location).searchParams.get('post_logout_redirect_uri')).toBe(`${estate.front.url}/login`);
    const page = await fetch(location);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logout')]);
  });
});
