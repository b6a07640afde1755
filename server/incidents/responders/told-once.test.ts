/**
 * The law of what outside systems are told after the call: each thing once, whatever was lost on the way — the
 * process after it had noted an event, the answer to a call, the knowledge of earlier attempts. On both databases.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import { retryDelivery } from './delivery-query.ts';
import { responderSetting, seedIncident, seedResponder, seedTeam } from './testing/responder-setting.ts';
import type { ResponderSetting, World } from './testing/responder-setting.ts';
import { startStandInJira } from './testing/stand-in-jira.ts';
import type { StandInJira } from './testing/stand-in-jira.ts';
import { startStandInServiceNow } from './testing/stand-in-servicenow.ts';

const MINUTE_MS = 60_000;
const LOST = { status: 504, body: 'late' };
const NOTED = `from event_queue where name like 'incident.status.%' or name = 'incident.responder.removed'`;
const FORM = { responderType: 'jira', project: 'OPS', issueType: 'Task', priority: '1' };

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let world: World;
  let setting: ResponderSetting;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    await db.run('delete from event_queue');
    await db.run('delete from responder_deliveries');
    world = await seedIncident(db, 'Database down');
    setting = responderSetting(db);
  });
  const callOf = async (type: string, client: object, form: object = {}) => {
    const team = await seedTeam(db, world.person, { [type]: client });
    const responder = await seedResponder(db, world, { team, properties: { responderType: type, ...form } });
    await setting.settle();
    return responder;
  };
  const setStatus = (status: string) =>
    db.run('update incidents set status = $2 where id = $1', [world.incident, status]);
  const remove = (responder: string) =>
    db.run('update responders set deleted_at = now() where id = $1', [responder]);
  const comments = () =>
    db.rows(z.custom<{ comment: string }>(), 'select comment from comments where incident_id = $1', [
      world.incident,
    ]);
  /** What a process leaves that is killed after it has noted the events and before it has taken them out. */
  const killedWhileHandling = async (change: () => Promise<unknown>) => {
    await change();
    const events = await db.rows(
      z.custom<{ event: unknown }>(),
      `select to_jsonb(event_queue) as event ${NOTED}`,
    );
    expect(events).toHaveLength(1);
    await setting.settle();
    for (const { event } of events)
      await db.run('insert into event_queue select (jsonb_populate_record(null::event_queue, $1::jsonb)).*', [
        JSON.stringify(event),
      ]);
    await setting.settle();
    expect(await db.rows(z.unknown(), `select id ${NOTED}`)).toEqual([]);
  };

  describe('in Jira', () => {
    let jira: StandInJira;
    let responder: string;
    beforeEach(async () => {
      jira = await startStandInJira('bot', 'jira-pass-word');
      responder = await callOf('jira', { url: jira.url, username: 'bot', password: 'jira-pass-word' }, FORM);
      return () => jira.close();
    });
    const bodies = () => jira.issues[0]?.comments.map(({ body }) => body.replace(/^INC-\d+/, 'INC'));
    const lose = (path: RegExp, times = 1) =>
      jira.trouble.push({ path, method: 'POST', answer: LOST, isAfter: true, times });

    it('a status that comes twice from the queue is told once, and the same status later again', async () => {
      await killedWhileHandling(() => setStatus('mitigated'));
      expect(bodies()).toEqual(['INC is mitigated now']);
      for (const status of ['resolved', 'open']) {
        await setStatus(status);
        await setting.settle();
      }
      await killedWhileHandling(() => setStatus('mitigated'));
      const told = bodies()?.filter((body) => body === 'INC is mitigated now');
      expect(told).toHaveLength(2);
    });

    it('a removal that comes twice from the queue is told once', async () => {
      await killedWhileHandling(() => remove(responder));
      expect(bodies()).toHaveLength(1);
    });

    it('what we say there does not come back as a comment here', async () => {
      await setStatus('mitigated');
      await setting.settle();
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(await comments()).toEqual([]);
    });

    it('a status in words is said once when the answer was lost, also when it was read in between', async () => {
      lose(/comment$/);
      await setStatus('mitigated');
      await setting.settle();
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(bodies()).toEqual(['INC is mitigated now']);
      expect(await comments()).toEqual([]);
      expect(await db.rows(z.unknown(), 'select id from responder_messages')).toEqual([]);
    });

    it('a transition whose answer was lost is not made twice, nor talked about', async () => {
      lose(/transitions$/);
      await setStatus('resolved');
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      const moves = jira.server.asked.filter(
        ({ method, url }) => method === 'POST' && url.pathname.endsWith('/transitions'),
      );
      expect(moves).toHaveLength(1);
      expect(jira.issues[0]?.status.name).toBe('Done');
      expect(bodies()).toEqual([]);
    });

    it('a removal whose answer was lost is said once', async () => {
      lose(/comment$/);
      await remove(responder);
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(bodies()).toHaveLength(1);
    });

    it('a call that was given up and is tried again by hand is found if it was made', async () => {
      const lost = await seedIncident(db, 'Network down');
      const team = await seedTeam(db, lost.person, {
        jira: { url: jira.url, username: 'bot', password: 'jira-pass-word' },
      });
      lose(/issue$/);
      jira.trouble.push({ path: /search/, method: 'GET', answer: { status: 403, body: {} }, times: 1 });
      const other = await seedResponder(db, lost, { team, properties: FORM });
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      const states = () =>
        db.rows(z.unknown(), 'select state from responder_deliveries where responder_id = $1', [other]);
      expect(await states()).toEqual([{ state: 'failed' }]);
      await db.transaction((tx) => retryDelivery(tx, other, new Date()));
      await setting.settle();
      expect(await states()).toEqual([{ state: 'delivered' }]);
      expect(jira.issues).toHaveLength(2);
    });

    it('a comment that was given up and is tried again by hand is found if it was made', async () => {
      lose(/comment$/);
      jira.trouble.push({
        path: /OPS-1$/,
        method: 'GET',
        answer: { status: 403, body: {} },
        times: 1,
      });
      await db.run(
        `insert into comments (comment, incident_id, hypothesis_id, created_by) values ('hello', $1, $2, $3)`,
        [world.incident, world.root, world.person],
      );
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      await db.transaction((tx) => retryDelivery(tx, responder, new Date()));
      await setting.settle();
      expect(bodies()).toEqual(['Ada: hello']);
    });
  });

  it('in ServiceNow, each of a status and a removal is noted once', async () => {
    const snow = await startStandInServiceNow();
    try {
      const responder = await callOf('service_now', { url: snow.url, username: 'u', password: 'p' });
      const notes = () => snow.journal.filter(({ element }) => element === 'work_notes');
      await killedWhileHandling(() => setStatus('resolved'));
      expect(notes()).toHaveLength(1);
      snow.trouble.push({ method: 'PATCH', answer: LOST, times: 1 });
      await setStatus('open');
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(notes()).toHaveLength(2);
      expect(snow.rows[0]?.state).toBe('1');
      snow.trouble.push({ method: 'PATCH', answer: LOST, times: 1 });
      await killedWhileHandling(() => remove(responder));
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(notes()).toHaveLength(3);
    } finally {
      await snow.close();
    }
  });

  it('a webhook gets one status for one event, under one key however often it is sent', async () => {
    let losing = 0;
    const server = await startLocalServer(() => {
      losing -= 1;
      return losing >= 0 ? LOST : { body: {} };
    });
    try {
      await callOf('vmware', { url: server.url });
      await killedWhileHandling(() => setStatus('resolved'));
      losing = 1;
      await setStatus('closed');
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      const told = server.asked
        .map(({ body, headers }) => ({
          ...(JSON.parse(body) as { event: string; status?: string }),
          headers,
        }))
        .filter(({ event }) => event === 'incident.status');
      expect(told.map(({ status }) => status)).toEqual(['resolved', 'closed', 'closed']);
      const keys = told.map(({ headers }) => headers['idempotency-key']);
      expect(keys[1]).toBe(keys[2]);
      expect(keys[0]).not.toBe(keys[1]);
    } finally {
      await server.close();
    }
  });
});
