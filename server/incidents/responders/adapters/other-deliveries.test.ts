/** Responders in ServiceNow, behind webhooks and by e-mail, over real HTTP and SMTP, on both databases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import PostalMime from 'postal-mime';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { startLocalSmtp } from '../../../notifications/testing/local-smtp.ts';
import { startLocalServer } from '../../../catalog/scrapers/testing/local-server.ts';
import type { Answered } from '../../../catalog/scrapers/testing/local-server.ts';
import {
  deliveryOf,
  responderSetting,
  seedComment,
  seedIncident,
  seedResponder,
  seedTeam,
} from '../testing/responder-setting.ts';
import type { World } from '../testing/responder-setting.ts';
import { startStandInServiceNow } from '../testing/stand-in-servicenow.ts';

const MINUTE_MS = 60_000;

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let world: World;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    await db.run('delete from event_queue');
    await db.run('delete from responder_deliveries');
    world = await seedIncident(db, 'Database down');
  });
  const responderOf = async (type: string, client: object | null, form: object = {}) => {
    const team = await seedTeam(db, world.person, client === null ? {} : { [type]: client });
    return seedResponder(db, world, { team, properties: { responderType: type, ...form } });
  };
  const setStatus = (status: string) =>
    db.run('update incidents set status = $2 where id = $1', [world.incident, status]);

  describe('a responder in ServiceNow', () => {
    it('is called, told and read', async () => {
      const snow = await startStandInServiceNow();
      try {
        const setting = responderSetting(db);
        const client = { url: snow.url, username: 'u', password: 'secret://snow/password' };
        const responder = await responderOf('service_now', client, { category: 'db', description: 'Help' });
        await setting.settle();
        expect(snow.rows[0]).toMatchObject({ category: 'db', correlation_id: responder, urgency: '2' });
        const basic = Buffer.from('u:value of snow/password').toString('base64');
        expect(snow.server.asked[0]?.headers['authorization']).toBe(`Basic ${basic}`);
        expect(await db.text('select external_id from responders where id = $1', [responder])).toBe('INC001');
        await seedComment(db, world, 'hello');
        await setting.settle();
        const entry = { element_id: 'sys1', element: 'comments' };
        snow.journal.push({ ...entry, sys_id: 'x', value: 'on it', sys_created_by: 'grace' });
        await setStatus('resolved');
        await setting.settle();
        expect(snow.rows[0]).toMatchObject({ state: '6', close_code: 'Solved (Permanently)' });
        for (let round = 0; round < 2; round += 1) {
          setting.advance(6 * MINUTE_MS);
          await setting.settle();
        }
        expect((await deliveryOf(db, responder))?.remote_status).toBe('Resolved');
        const comments = await db.rows(
          z.unknown(),
          'select comment, external_created_by as by from comments where incident_id = $1 order by created_at, id',
          [world.incident],
        );
        expect(comments).toEqual([
          { comment: 'hello', by: null },
          { comment: 'on it', by: 'grace' },
        ]);
        expect(snow.journal.filter(({ element }) => element === 'comments')).toHaveLength(2);
      } finally {
        await snow.close();
      }
    });
  });

  describe('a responder behind a webhook', () => {
    const serve = async (answer: () => Answered) => {
      const server = await startLocalServer(answer);
      return {
        server,
        bodies: () => server.asked.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
      };
    };

    it('gets each event signed, with a key by which a repeated one is known', async () => {
      let isAway = true;
      const { server, bodies } = await serve(() =>
        isAway
          ? { status: 500, body: 'no' }
          : { body: { id: 77, url: 'https://desk.example/77', status: 'queued' } },
      );
      try {
        const setting = responderSetting(db);
        const client = { url: `${server.url}/hook`, secret: 'signing-secret-1', token: 'bearer-token-1' };
        const responder = await responderOf('vmware', client, { product: 'vSphere' });
        await setting.settle();
        isAway = false;
        setting.advance(MINUTE_MS);
        await setting.settle();
        const [first, second] = server.asked;
        expect([first?.headers['idempotency-key'], second?.headers['idempotency-key']]).toEqual([
          responder,
          responder,
        ]);
        const expected = createHmac('sha256', 'signing-secret-1')
          .update(second?.body ?? '')
          .digest('hex');
        expect(second?.headers['x-holdfast-signature']).toBe(`sha256=${expected}`);
        expect(second?.headers['authorization']).toBe('Bearer bearer-token-1');
        expect(await deliveryOf(db, responder)).toMatchObject({
          state: 'delivered',
          url: 'https://desk.example/77',
          remote_status: 'queued',
        });
        await seedComment(db, world, 'hello');
        await setStatus('closed');
        await setting.settle();
        await db.run('update responders set deleted_at = now() where id = $1', [responder]);
        await setting.settle();
        expect(bodies().map(({ event }) => event)).toEqual([
          'responder.added',
          'responder.added',
          'comment.added',
          'incident.status',
          'responder.removed',
        ]);
        expect(bodies()[2]).toMatchObject({
          incident: { id: world.incident, url: `https://holdfast.example/incidents/${world.incident}` },
          responder: { id: responder, type: 'vmware', external_id: '77', fields: { product: 'vSphere' } },
          comment: { author: 'Ada', text: 'hello' },
        });
      } finally {
        await server.close();
      }
    });

    it.each<[string, Answered, RegExp, 'waiting' | 'failed']>([
      ['a page', { body: '<html>sign in</html>' }, /no JSON/, 'waiting'],
      ['an endless answer', { body: 'x'.repeat(3_000_000) }, /more than can be read/, 'waiting'],
      ['an id of the wrong kind', { body: { id: { a: 1 } } }, /wrong kind/, 'waiting'],
      ['too many requests', { status: 429, headers: { 'retry-after': '600' }, body: '{}' }, /429/, 'waiting'],
      ['a redirect', { status: 302, headers: { location: '/x' }, body: '' }, /it has moved/, 'failed'],
      [
        'a refusal that quotes the address',
        {
          status: 400,
          body: { message: 'nothing at /hooks/0123456789abcdef0123?key=k-e-y of u:in%the-url' },
        },
        /nothing at \/hooks\/\*\*\*\?key=\*\*\* of u:\*\*\*$/,
        'failed',
      ],
      [
        'a refusal that quotes the token',
        { status: 400, body: { message: 'bad bearer-token-1' } },
        /bad \*\*\*/,
        'failed',
      ],
    ])('that answers %s is told so in words', async (_what, answer, error, state) => {
      const { server } = await serve(() => answer);
      try {
        const setting = responderSetting(db);
        const url = `${server.url.replace('://', '://u:in%the-url@')}/hooks/0123456789abcdef0123?key=k-e-y`;
        const responder = await responderOf('ca', { url, token: 'bearer-token-1' });
        await setting.settle();
        const delivery = await deliveryOf(db, responder);
        expect(delivery?.state).toBe(state);
        expect(delivery?.error).toMatch(error);
        setting.advance(MINUTE_MS);
        await setting.settle();
        // Who asks to be left alone for ten minutes is left alone.
        expect(server.asked).toHaveLength(state === 'failed' || answer.status === 429 ? 1 : 2);
      } finally {
        await server.close();
      }
    });

    it.each(['', '#@real.example', '?@real.example', '\\@real.example', '/@real.example'])(
      'does not get what was kept secret for another host, also not as %s',
      async (disguise) => {
        const { server } = await serve(() => ({ body: {} }));
        try {
          const url = `${server.url}${disguise}`;
          const setting = responderSetting(db);
          const team = await seedTeam(db, world.person, {
            ca: { url: 'https://real.example/hook', token: 'bearer-token-1' },
          });
          const { spec } = (
            await db.rows(
              z.custom<{ spec: { responder_clients: { ca: object } } }>(),
              'select spec from teams where id = $1',
              [team],
            )
          )[0] ?? { spec: { responder_clients: { ca: {} } } };
          expect(JSON.stringify(spec)).not.toContain('bearer-token-1');
          const moved = { ...spec.responder_clients.ca, url };
          await db.run('update teams set spec = $2::jsonb where id = $1', [
            team,
            JSON.stringify({ responder_clients: { ca: moved } }),
          ]);
          const responder = await seedResponder(db, world, { team, properties: { responderType: 'ca' } });
          await setting.settle();
          expect(server.asked).toHaveLength(0);
          expect(await deliveryOf(db, responder)).toMatchObject({
            state: 'failed',
            error: expect.stringMatching(
              /^responder_clients\.ca\.(?:token|url) has to be entered again in the team, because its url points to another host$/,
            ),
          });
        } finally {
          await server.close();
        }
      },
    );

    it('without a client is only recorded', async () => {
      const setting = responderSetting(db);
      const bare = await responderOf('oracle', null);
      const formOnly = await responderOf('redhat', { defaults: { product: 'RHEL' } });
      await setting.settle();
      expect([await deliveryOf(db, bare), await deliveryOf(db, formOnly)]).toEqual([null, null]);
    });
  });

  describe('a responder by e-mail', () => {
    it('gets a mail with the incident and its link, then answers to it', async () => {
      const smtp = await startLocalSmtp();
      try {
        const setting = responderSetting(db, { smtpUrl: smtp.url });
        const form = {
          to: 'ops@example.com, two@example.com',
          subject: 'Help\r\nBcc: x@example.com',
          body: '<b>now</b>',
        };
        const responder = await responderOf('email', {}, form);
        await setting.settle();
        expect(smtp.mails.map(({ to }) => to)).toEqual([['ops@example.com'], ['two@example.com']]);
        const first = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
        expect(first.subject).toBe('Help Bcc: x@example.com');
        expect(first.text).toContain(`https://holdfast.example/incidents/${world.incident}`);
        expect(first.html).toContain('&lt;b&gt;now&lt;/b&gt;');
        await seedComment(db, world, 'any news?');
        await setting.settle();
        const answer = await PostalMime.parse(smtp.mails[2]?.raw ?? '');
        expect([answer.inReplyTo, answer.subject]).toEqual([first.messageId, 'Re: Help Bcc: x@example.com']);
        expect(answer.text).toContain('Ada: any news?');
        expect(await deliveryOf(db, responder)).toMatchObject({ state: 'delivered', url: null });
      } finally {
        await smtp.close();
      }
    });

    it('that becomes a file, because there is no mail server, is not said to have reached anybody', async () => {
      const mailFolder = await mkdtemp(join(tmpdir(), 'holdfast-mail-'));
      const setting = responderSetting(db, { mailFolder });
      const form = { to: 'ops@example.com', subject: 'Help', body: 'now' };
      const responder = await responderOf('email', {}, form);
      await setting.settle();
      await rm(mailFolder, { recursive: true });
      expect(await deliveryOf(db, responder)).toMatchObject({
        state: 'delivered',
        remote_status: 'Written to a file, no mail server',
      });
    });

    it('who is a person gets one mail; an address that is refused shows at once', async () => {
      const smtp = await startLocalSmtp();
      try {
        const setting = responderSetting(db, { smtpUrl: smtp.url });
        await db.run(
          `insert into responders (incident_id, type, person_id, created_by) values ($1, 'person', $2, $2)`,
          [world.incident, world.person],
        );
        const refused = await responderOf('email', {}, { to: 'x@refused.example' });
        await setting.settle();
        await seedComment(db, world, 'hello');
        await setting.settle();
        expect(smtp.mails).toHaveLength(1);
        const mail = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
        expect(mail.subject).toMatch(/^\[INC-\d+\] high: Database down$/);
        expect(await deliveryOf(db, refused)).toMatchObject({
          state: 'failed',
          error: 'The mail server refused the mail (550)',
        });
      } finally {
        await smtp.close();
      }
    });
  });
});
