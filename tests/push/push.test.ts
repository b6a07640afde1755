/** Web Push over real HTTPS, on both databases: who is told of what, and who isn't. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { makeTestCertificate } from '../../server/health/testing/test-certificate.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { addComment, addPerson, newIncident } from '../commands/support/incident-drafts.ts';
import { id, openDevice, type CommandDevice } from '../commands/support/command-device.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { freePort } from '../security/support/free-port.ts';
import { PushedBrowser, senderOf, startPushStandIn, type PushStandIn } from './push-service-stand-in.ts';

const DAY_MS = 86_400_000;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let service: PushStandIn;
  let ada: CommandDevice;
  let bo: CommandDevice;
  let browser: PushedBrowser;

  beforeAll(async () => {
    const certificate = await makeTestCertificate(30);
    service = await startPushStandIn(certificate);
    server = await startTestServer(await openDatabase(), {
      egressAllow: ['127.0.0.1'],
      pushCa: certificate.ca,
    });
    ada = await openDevice(server, 'responder');
  });
  afterAll(async () => {
    await server.stop();
    await service.stop();
  });

  beforeEach(async () => {
    bo = await openDevice(server, 'viewer');
    browser = await subscribe(bo);
  });
  afterEach(() => server.db.run('delete from push_subscriptions'));

  async function subscribe(device: CommandDevice): Promise<PushedBrowser> {
    const made = new PushedBrowser(service);
    const answer = await device.browser.post('/api/push/subscriptions', made.subscription);
    expect(answer.status).toBe(201);
    return made;
  }
  const count = (table: 'push_messages' | 'push_subscriptions', person = bo.personId) =>
    server.db.text(
      table === 'push_messages'
        ? 'select count(*)::text from push_messages where ended_at is null and person_id = $1'
        : 'select count(*)::text from push_subscriptions where person_id = $1',
      [person],
    );
  const mention = (device: CommandDevice, text = 'ask') => `${text} @[Bo B.](user:${device.personId}) now`;
  const settled = () => expect.poll(() => count('push_messages'), { timeout: 20_000 }).toBe('0');
  /** Nothing is sent while the push service is said to be down; what is decided later is decided anew. */
  async function whileDown(change: () => Promise<unknown>): Promise<void> {
    browser.answer(503);
    const ids = await newIncident(ada);
    await ada.apply(addComment(ids, id(), mention(bo)));
    await expect.poll(() => browser.deliveries().length, { timeout: 20_000 }).toBe(1);
    browser.answer(201);
    await change();
    server.advance(120_000);
    await server.direct.deliverDue(new AbortController().signal);
    expect(browser.deliveries()).toHaveLength(1);
  }

  test('a run that waits for approval is told to who may give it, with its confirmation, and to nobody twice', async () => {
    const bea = await openDevice(server, 'editor');
    const own = await subscribe(bea);
    const emailOf = (person: string) => server.db.text('select email from people where id = $1', [person]);
    const [email, viewer] = [await emailOf(bea.personId), await emailOf(bo.personId)];
    const pend = (name: string) =>
      server.db.text(
        `with playbook as (insert into playbooks (name, title, spec, source) values ($1, $1, '{}', 'UI') returning id)
         insert into playbook_runs (playbook_id, status, spec)
         select id, 'pending_approval', jsonb_build_object('approval', jsonb_build_object('approvers',
           jsonb_build_object('people', jsonb_build_array($2::text, $3::text)))) from playbook returning id::text`,
        [name, email, viewer],
      );
    const run = await pend('Restart');
    server.notifier.notify('playbook_runs');
    await expect.poll(() => own.deliveries().length, { timeout: 20_000 }).toBe(1);
    expect(own.messages()).toMatchObject([
      {
        title: 'Approve Restart?',
        body: 'A trigger asks to run it',
        url: `/playbooks/runs/${run}`,
        approveUrl: `/playbooks/runs/${run}?approve=true`,
      },
    ]);
    // A viewer is listed, but may approve nothing.
    await settled();
    expect(browser.deliveries()).toEqual([]);
    // Decided before it was sent: there is nothing to ask any more.
    own.answer(503);
    const late = await pend('Reboot');
    server.notifier.notify('playbook_runs');
    await expect.poll(() => own.deliveries().length, { timeout: 20_000 }).toBe(2);
    own.answer(201);
    await server.db.run(`update playbook_runs set status = 'cancelled' where id = $1`, [late]);
    server.advance(120_000);
    await server.direct.deliverDue(new AbortController().signal);
    expect(own.deliveries()).toHaveLength(2);
  });

  test('a mention arrives encrypted for that browser alone, signed by the key that it subscribed with', async () => {
    const ids = await newIncident(ada);
    const commentId = id();
    await ada.apply(addComment(ids, commentId, mention(bo)));
    await expect.poll(() => browser.deliveries().length, { timeout: 20_000 }).toBe(1);
    const [message] = browser.messages();
    expect(message).toMatchObject({
      title: expect.stringMatching(/^INC-\d+ Shop is slow$/) as string,
      body: expect.stringMatching(/^Test User \d+ mentioned you: ask @Bo B\. now$/) as string,
      url: `/incidents/${ids.incidentId}?comment=${commentId}`,
    });
    const [delivery] = browser.deliveries();
    if (delivery === undefined) throw new Error('nothing was delivered');
    expect(delivery.body.toString('latin1')).not.toContain('mentioned');
    expect(delivery.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    const { key } = (await (await bo.browser.get('/api/push/key')).json()) as { key: string };
    expect(senderOf(delivery)).toEqual({
      key,
      audience: service.origin,
      subject: 'mailto:holdfast@example.com',
    });
    await settled();
  });

  test('the private key lies in the database sealed', async () => {
    await bo.browser.get('/api/push/key');
    const stored = await server.db.text('select private_key from push_keys');
    expect(Buffer.from(stored ?? '', 'base64').length).toBeGreaterThan(32 + 12 + 15);
    expect(stored).not.toMatch(/^[\w-]{43}$/);
  });

  test('being called to help arrives, alone or with a team; not what one does oneself', async () => {
    const ids = await newIncident(ada);
    await ada.apply(addPerson(ids, id(), bo.personId));
    await expect.poll(() => browser.messages().length, { timeout: 20_000 }).toBe(1);
    const teamId = id();
    await server.db.run(`insert into teams (id, name, created_by) values ($1, $2, $3)`, [
      teamId,
      `Payments ${teamId}`,
      ada.personId,
    ]);
    await server.db.run('insert into team_members (team_id, person_id) values ($1, $2)', [
      teamId,
      bo.personId,
    ]);
    const [other, own] = [await newIncident(ada), await subscribe(ada)];
    await ada.apply(
      {
        name: 'add_responder',
        args: { id: id(), incidentId: other.incidentId, type: 'system', teamId },
      },
      addPerson(other, id(), ada.personId),
      addComment(other, id(), mention(ada)),
    );
    await expect.poll(() => browser.messages().length, { timeout: 20_000 }).toBe(2);
    expect(browser.messages().map(({ body }) => body.replace(/^Test User \d+ /, ''))).toEqual([
      'asks for your help',
      `asks Payments ${teamId} for help`,
    ]);
    expect(own.deliveries()).toEqual([]);
  });

  test('an edit tells those whom it mentions for the first time, nobody twice', async () => {
    const ids = await newIncident(ada);
    const commentId = id();
    const edit = async (comment: string, was: string) =>
      ada.apply({
        name: 'edit_comment',
        args: { id: commentId, incidentId: ids.incidentId, comment },
        basedOn: { comment: was },
      });
    await ada.apply(addComment(ids, commentId, 'nobody'));
    await edit(mention(bo), 'nobody');
    await expect.poll(() => browser.messages().length, { timeout: 20_000 }).toBe(1);
    await settled();
    await edit(mention(bo, 'please ask'), mention(bo));
    expect(await count('push_messages')).toBe('0');
  });

  test('what was rolled back is not sent', async () => {
    const ids = await newIncident(ada);
    const write = server.db.transaction(async (tx) => {
      await tx.run('insert into comments (id, comment, incident_id, created_by) values ($1, $2, $3, $4)', [
        id(),
        mention(bo),
        ids.incidentId,
        ada.personId,
      ]);
      throw new Error('rolled back');
    });
    await expect(write).rejects.toThrow('rolled back');
    expect(await count('push_messages')).toBe('0');
  });

  test('a push service that is down is asked again later, and then it arrives', async () => {
    browser.answer(503, { 'retry-after': '7' });
    const ids = await newIncident(ada);
    await ada.apply(addComment(ids, id(), mention(bo)));
    await expect.poll(() => browser.deliveries().length, { timeout: 20_000 }).toBe(1);
    browser.answer(201);
    server.advance(120_000);
    await server.direct.deliverDue(new AbortController().signal);
    // The server's own loop may have it in hand at that moment.
    await expect.poll(() => browser.messages().length, { timeout: 20_000 }).toBe(2);
    await settled();
  });

  test('what looks like a key and is none is refused, and keeps nobody else’s message from being sent', async () => {
    const none = `B${'A'.repeat(86)}`;
    const made = new PushedBrowser(service);
    const { keys } = made.subscription;
    const refused = await bo.browser.post('/api/push/subscriptions', {
      ...made.subscription,
      keys: { ...keys, p256dh: none },
    });
    expect(refused.status).toBe(400);
    const cy = await openDevice(server, 'viewer');
    await subscribe(cy);
    // As it came in before it was looked at.
    await server.db.run('update push_subscriptions set p256dh = $2 where person_id = $1', [
      cy.personId,
      none,
    ]);
    const ids = await newIncident(ada);
    await ada.apply(addComment(ids, id(), `${mention(cy)} and ${mention(bo)}`));
    await expect.poll(() => browser.deliveries().length, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => count('push_subscriptions', cy.personId), { timeout: 20_000 }).toBe('0');
  });

  test('a browser that gave up is forgotten', async () => {
    browser.answer(410);
    const ids = await newIncident(ada);
    await ada.apply(addComment(ids, id(), mention(bo)));
    await expect.poll(() => count('push_subscriptions'), { timeout: 20_000 }).toBe('0');
  });

  test('nothing is sent of an incident that was closed meanwhile', async () => {
    await whileDown(() => server.db.run(`update incidents set closed = now()`));
  });

  test('nothing is sent of what was read on another device meanwhile', async () => {
    await whileDown(async () => {
      const incidentId = await server.db.text(
        'select incident_id::text from push_messages order by created_at desc limit 1',
      );
      await bo.apply({
        name: 'mark_incident_read',
        args: { id: id(), incidentId, readAt: new Date(Date.now() + DAY_MS).toISOString() },
      });
    });
  });

  test('nothing is sent of a comment that was deleted, nor to whom it no longer mentions', async () => {
    await whileDown(() =>
      server.db.run(`update comments set comment = 'nobody' where comment like '%(user:%'`),
    );
    await whileDown(() => server.db.run(`delete from comments where comment like '%(user:%'`));
  });

  test('who may not read incidents any more is told nothing', async () => {
    await whileDown(() =>
      server.db.run(`update casbin_rule set v1 = 'agent' where ptype = 'g' and v0 = $1`, [bo.personId]),
    );
  });

  test('signing out ends the notifications of that browser, a session that ran out as well', async () => {
    const other = await openDevice(server, 'viewer');
    await subscribe(other);
    await server.db.run('update identity_sessions set revoked_at = now() where identity_id = $1', [
      other.personId,
    ]);
    expect(await count('push_subscriptions', other.personId)).toBe('0');
    const ids = await newIncident(ada);
    await server.db.run(`update identity_sessions set expires_at = now() where identity_id = $1`, [
      bo.personId,
    ]);
    await ada.apply(addComment(ids, id(), mention(bo)));
    await expect.poll(() => count('push_subscriptions'), { timeout: 20_000 }).toBe('0');
    expect(browser.deliveries()).toEqual([]);
  });

  test('a browser belongs to who signed in there last', async () => {
    const next = await openDevice(server, 'viewer');
    expect((await next.browser.post('/api/push/subscriptions', browser.subscription)).status).toBe(201);
    expect(await count('push_subscriptions')).toBe('0');
    expect(await count('push_subscriptions', next.personId)).toBe('1');
  });

  test('a person has ten browsers at most; those that were seen longest ago go', async () => {
    for (let made = 0; made < 11; made += 1) await subscribe(bo);
    expect(await count('push_subscriptions')).toBe('10');
    const left = await server.db.rows(z.unknown(), 'select id from push_subscriptions where endpoint = $1', [
      browser.subscription.endpoint,
    ]);
    expect(left).toEqual([]);
  });

  test('the test message arrives on the own browser only', async () => {
    const { endpoint } = browser.subscription;
    const tested = bo.browser.post('/api/push/test', { endpoint });
    await expect.poll(() => browser.messages().length, { timeout: 20_000 }).toBe(1);
    const [message] = browser.messages();
    expect(message).toMatchObject({ url: '/inbox', tag: 'test', receipt: { personId: bo.personId } });
    const receipt = { id: message?.receipt?.id ?? '', step: 'shown' };
    // What another person says of it counts for nothing.
    expect((await ada.browser.post('/api/push/receipts', receipt)).status).toBe(404);
    expect((await bo.browser.post('/api/push/receipts', receipt)).status).toBe(204);
    expect(await (await tested).json()).toEqual({ isShown: true });
    // Another person's browser isn't there for you.
    expect((await ada.browser.post('/api/push/test', { endpoint })).status).toBe(404);
  });

  test('why a test message did not arrive is one sentence, whatever answered or did not', async () => {
    const said = new Set<string>();
    for (const status of [400, 403, 500, 503, 410]) {
      browser.answer(status);
      const answer = await bo.browser.post('/api/push/test', { endpoint: browser.subscription.endpoint });
      said.add(`${answer.status} ${await answer.text()}`);
    }
    expect(await count('push_subscriptions')).toBe('0');
    // What refuses the connection, speaks no TLS, or may not be called (as it was subscribed to before).
    const closed = await freePort();
    const plain = new URL(server.url).port;
    for (const place of [`127.0.0.1:${closed}`, `127.0.0.1:${plain}`, '10.0.0.1', 'no-such-name.invalid']) {
      const device = await subscribe(bo);
      const endpoint = `https://${place}/x`;
      await server.db.run('update push_subscriptions set endpoint = $2 where endpoint = $1', [
        device.subscription.endpoint,
        endpoint,
      ]);
      const answer = await bo.browser.post('/api/push/test', { endpoint });
      said.add(`${answer.status} ${await answer.text()}`);
    }
    expect([...said]).toEqual([expect.stringMatching(/^502 .*could not be delivered.*off and on again/)]);
  });

  test('switching off forgets the own browser only', async () => {
    const drop = (device: CommandDevice) =>
      device.browser.send('DELETE', '/api/push/subscriptions', {
        body: JSON.stringify({ endpoint: browser.subscription.endpoint }),
      });
    expect((await drop(ada)).status).toBe(204);
    expect(await count('push_subscriptions')).toBe('1');
    expect((await drop(bo)).status).toBe(204);
    expect(await count('push_subscriptions')).toBe('0');
  });

  test.each([
    ['plain http', 'http://push.example.com/x'],
    ['a name and password', 'https://a:b@push.example.com/x'],
    ['no address', 'push'],
  ])('an endpoint that is %s is refused', async (_what, endpoint) => {
    const answer = await bo.browser.post('/api/push/subscriptions', { ...browser.subscription, endpoint });
    expect(answer.status).toBe(400);
  });

  test('an endpoint inside is refused with the same sentence as a name that there is not', async () => {
    const said = new Set<string>();
    const inside = [
      '169.254.169.254',
      '[::1]',
      '10.0.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '100.64.0.1',
      '[fd12::1]',
    ];
    for (const host of [...inside, '[::ffff:10.0.0.1]', 'no-such-name.invalid']) {
      const endpoint = `https://${host}/x`;
      const answer = await bo.browser.post('/api/push/subscriptions', { ...browser.subscription, endpoint });
      said.add(`${answer.status} ${await answer.text()}`);
    }
    expect([...said]).toEqual([expect.stringMatching(/^400 .*not the address of a push service/)]);
  });

  test('keys that are none are refused, naming the field', async () => {
    const { endpoint, keys } = browser.subscription;
    const bad = { endpoint, keys: { ...keys, auth: 'short' } };
    const answer = await bo.browser.post('/api/push/subscriptions', bad);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('keys.auth');
  });

  test('the tables are hidden from the data API', async () => {
    for (const table of ['push_keys', 'push_subscriptions', 'push_messages'])
      expect((await ada.browser.get(`/api/db/${table}`)).status).toBe(404);
  });
});
