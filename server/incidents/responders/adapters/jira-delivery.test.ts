/** Responders in Jira, over real HTTP to a stand-in, on both databases. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { retryDelivery } from '../delivery-query.ts';
import {
  deliveryOf,
  responderSetting,
  seedComment,
  seedIncident,
  seedResponder,
  seedTeam,
} from '../testing/responder-setting.ts';
import type { ResponderSetting, World } from '../testing/responder-setting.ts';
import { startStandInJira, statusOf } from '../testing/stand-in-jira.ts';
import type { StandInJira } from '../testing/stand-in-jira.ts';

const PASSWORD = 'jira-pass-word';
const FORM = {
  responderType: { label: 'Jira', value: 'jira' },
  project: 'OPS',
  issueType: 'Task',
  priority: '1',
};
const DEFAULTS = { summary: '{{number}} needs you', description: 'Look at {{.incident.title}}' };
const MINUTE_MS = 60_000;

forEachDatabase((_name, openDatabase) => {
  describe('a responder in Jira', () => {
    let db: Database;
    let jira: StandInJira;
    let setting: ResponderSetting;
    let world: World;

    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      await db.run('delete from event_queue');
      await db.run('delete from responder_deliveries');
      jira = await startStandInJira('bot', PASSWORD);
      setting = responderSetting(db);
      world = await seedIncident(db, 'Database down');
      return () => jira.close();
    });
    afterAll(async () => {
      await db.run('delete from event_queue');
    });

    const addResponder = async (client: object = {}) => {
      const clients = { jira: { url: jira.url, username: 'bot', password: PASSWORD, ...client } };
      const team = await seedTeam(db, world.person, clients);
      const responder = await seedResponder(db, world, { team, properties: FORM });
      await setting.settle();
      return { team, responder };
    };
    const comments = () =>
      db.rows(
        z.custom<{ comment: string; external_created_by: string | null; hypothesis_id: string | null }>(),
        'select comment, external_created_by, hypothesis_id from comments where incident_id = $1 order by created_at, id',
        [world.incident],
      );

    it('becomes an issue whose key and link are shown', async () => {
      const { responder } = await addResponder({ defaults: DEFAULTS });
      expect(jira.issues).toHaveLength(1);
      const [issue] = jira.issues;
      expect(issue?.fields).toMatchObject({
        project: { key: 'OPS' },
        issuetype: { name: 'Task' },
        priority: { id: '1' },
        labels: [`holdfast-${responder}`],
      });
      expect(issue?.fields['summary']).toMatch(/^INC-\d+ needs you$/);
      expect(issue?.fields['description']).toBe(
        `Look at Database down\n\nIncident: https://holdfast.example/incidents/${world.incident}`,
      );
      expect(await deliveryOf(db, responder)).toMatchObject({
        state: 'delivered',
        attempts: 1,
        error: null,
        url: `${jira.url}/browse/OPS-1`,
        remote_status: 'To Do',
      });
      const key = await db.text('select external_id from responders where id = $1', [responder]);
      expect(key).toBe('OPS-1');
    });

    it('is called again after a failure of the other side, and once only', async () => {
      jira.trouble.push({ path: /issue$/, method: 'POST', answer: { status: 503, body: 'out' }, times: 1 });
      const { responder } = await addResponder();
      expect(await deliveryOf(db, responder)).toMatchObject({ state: 'waiting', attempts: 1 });
      expect((await deliveryOf(db, responder))?.error).toContain('jira answered 503');
      await setting.settle();
      expect(jira.issues).toHaveLength(0);
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(jira.issues).toHaveLength(1);
      expect(await deliveryOf(db, responder)).toMatchObject({ state: 'delivered', attempts: 2, error: null });
    });

    it('is found again when only the answer was lost', async () => {
      const answer = { status: 502, body: '<html>' };
      jira.trouble.push({ path: /issue$/, method: 'POST', answer, isAfter: true, times: 1 });
      const { responder } = await addResponder();
      expect(jira.issues).toHaveLength(1);
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(jira.issues).toHaveLength(1);
      expect(await deliveryOf(db, responder)).toMatchObject({ state: 'delivered' });
    });

    it('is not called twice by two processes', async () => {
      const team = await seedTeam(db, world.person, {
        jira: { url: jira.url, username: 'bot', password: PASSWORD },
      });
      await seedResponder(db, world, { team, properties: FORM });
      const { signal } = new AbortController();
      const both = [setting.process(), setting.process()];
      for (let round = 0; round < 3; round += 1)
        await Promise.all(both.map((process) => process.settle(signal)));
      expect(jira.issues).toHaveLength(1);
    });

    it('shows a wrong password at once, without telling it, and works after another try', async () => {
      const { responder, team } = await addResponder({ password: 'wrong-pass-word' });
      const failed = await deliveryOf(db, responder);
      expect(failed).toMatchObject({ state: 'failed', attempts: 1 });
      expect(failed?.error).toContain(
        'check the username and the password or token (responder_clients.jira)',
      );
      expect(failed?.error).not.toContain(Buffer.from('bot:wrong-pass-word').toString('base64'));
      await db.run(
        `update teams set spec = jsonb_set(spec, '{responder_clients,jira,password}', to_jsonb($2::text)) where id = $1`,
        [team, PASSWORD],
      );
      const retried = await db.transaction((tx) => retryDelivery(tx, responder, new Date()));
      expect(retried).toBe(1);
      await setting.settle();
      expect(await deliveryOf(db, responder)).toMatchObject({ state: 'delivered', error: null });
      expect(await db.transaction((tx) => retryDelivery(tx, responder, new Date()))).toBe(0);
    });

    it('gives up after six attempts', async () => {
      jira.trouble.push({ path: /./, method: 'POST', answer: { status: 500, body: {} }, times: 99 });
      jira.trouble.push({ path: /search/, method: 'GET', answer: { status: 500, body: {} }, times: 99 });
      const { responder } = await addResponder();
      for (let round = 0; round < 8; round += 1) {
        setting.advance(300 * MINUTE_MS);
        await setting.settle();
      }
      expect(await deliveryOf(db, responder)).toMatchObject({ state: 'failed', attempts: 6 });
    });

    it('gets our comments once each, in order, also when an answer was lost', async () => {
      const { responder } = await addResponder();
      jira.trouble.push({
        path: /comment$/,
        method: 'POST',
        answer: { status: 504, body: 'late' },
        isAfter: true,
        times: 1,
      });
      await seedComment(db, world, 'first');
      await setting.settle();
      await seedComment(db, world, 'second');
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(jira.issues[0]?.comments.map(({ body }) => body)).toEqual(['Ada: first', 'Ada: second']);
      expect((await comments()).map(({ comment }) => comment)).toEqual(['first', 'second']);
      const copies = await db.rows(
        z.custom<{ external_id: string }>(),
        'select external_id from comment_responders where responder_id = $1 order by external_id',
        [responder],
      );
      expect(copies.map((copy) => copy.external_id)).toEqual(['OPS-1-c1', 'OPS-1-c2']);
    });

    it('brings comments from there in once, and not back after they were deleted here', async () => {
      const { responder } = await addResponder();
      jira.issues[0]?.comments.push({ id: 'x1', body: 'on it', author: { displayName: 'Grace' } });
      for (let round = 0; round < 2; round += 1) {
        setting.advance(6 * MINUTE_MS);
        await setting.settle();
      }
      expect(await comments()).toEqual([
        { comment: 'on it', external_created_by: 'Grace', hypothesis_id: world.root },
      ]);
      expect(jira.issues[0]?.comments).toHaveLength(1);
      const told = await db.rows(
        z.unknown(),
        `select id from incident_histories where type = 'responder.commented' and responder_id = $1`,
        [responder],
      );
      expect(told).toHaveLength(1);
      await db.run('delete from comments where incident_id = $1', [world.incident]);
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(await comments()).toEqual([]);
    });

    it('follows the incident, and the responder follows the issue', async () => {
      const { responder } = await addResponder();
      const issue = jira.issues[0];
      await db.run(`update incidents set status = 'investigating' where id = $1`, [world.incident]);
      await setting.settle();
      expect(issue?.status.name).toBe('In Progress');
      await db.run(`update incidents set status = 'mitigated' where id = $1`, [world.incident]);
      await setting.settle();
      expect(issue?.comments.at(-1)?.body).toMatch(/^INC-\d+ is mitigated now$/);
      if (issue !== undefined) issue.status = statusOf('Done');
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect((await deliveryOf(db, responder))?.remote_status).toBe('Done');
      const [row] = await db.rows(
        z.custom<Record<string, boolean>>(),
        `select acknowledged is not null as acknowledged, resolved is not null as resolved, closed is not null as closed
           from responders where id = $1`,
        [responder],
      );
      expect(row).toEqual({ acknowledged: true, resolved: true, closed: false });
      if (issue !== undefined) issue.status = statusOf('To Do');
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(await db.text('select resolved::text from responders where id = $1', [responder])).toBeNull();
    });

    it('is told of its removal, and never called when that came first', async () => {
      const { responder } = await addResponder();
      await db.run('update responders set deleted_at = now() where id = $1', [responder]);
      await setting.settle();
      expect(jira.issues[0]?.comments.map(({ body }) => body)).toEqual([
        expect.stringMatching(/this responder was removed/),
      ]);
      const team = await seedTeam(db, world.person, {
        jira: { url: jira.url, username: 'bot', password: PASSWORD },
      });
      const other = await seedResponder(db, world, { team, properties: FORM });
      await db.run('update responders set deleted_at = now() where id = $1', [other]);
      await setting.settle();
      expect(jira.issues).toHaveLength(1);
    });

    it('offers the projects that it may write in to the form of its team', async () => {
      const { team } = await addResponder();
      const [row] = await db.rows(
        z.custom<{ own: { responder_clients: Record<string, unknown> } }>(),
        `select own from feed_resources where kind = 'team' and id = $1`,
        [team],
      );
      expect(row?.own.responder_clients).toEqual({
        jira: {
          values: {
            projects: [
              {
                key: 'OPS',
                name: 'Operations',
                issueTypes: [{ id: '10001', name: 'Task' }],
                priorities: [{ id: '1', name: 'Highest' }],
              },
            ],
          },
        },
      });
      const jobs = await db.rows(
        z.custom<{ name: string; status: string }>(),
        `select name, status from job_history where resource_type = 'team' and resource_id = $1 order by name`,
        [team],
      );
      expect(jobs).toEqual([
        { name: 'ResponderOptions', status: 'SUCCESS' },
        { name: 'ResponderSync', status: 'SUCCESS' },
      ]);
    });
  });
});
