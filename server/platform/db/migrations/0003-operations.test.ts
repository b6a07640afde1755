import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database, SqlValue } from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { forEachDatabase } from '../test-databases.ts';

const LONG_AGO = '2020-01-01T00:00:00+00:00';

forEachDatabase((_name, open) => {
  let db: Database;
  let person = '';
  let madeCount = 0;

  const one = async <T>(sql: string, ...params: SqlValue[]): Promise<T> => {
    const [row] = await db.rows(z.custom<T>(), sql, params);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  /** Inserts a row and answers its id. Keys are column names of these tests only. */
  const add = async (table: string, values: Record<string, SqlValue>): Promise<string> => {
    const names = Object.keys(values);
    const places = names.map((_column, index) => `$${index + 1}`);
    const { id } = await one<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning id`,
      ...Object.values(values),
    );
    return id;
  };
  const nextName = () => `n${(madeCount += 1)}`;
  const addIncident = (values: Record<string, SqlValue> = {}) =>
    add('incidents', {
      title: 'Slow',
      severity: 'high',
      description: '',
      type: 'performance',
      status: 'open',
      created_by: person,
      ...values,
    });
  const addHypothesis = (incident: string, values: Record<string, SqlValue> = {}) =>
    add('hypotheses', {
      incident_id: incident,
      type: 'factor',
      title: 'Disk',
      status: 'possible',
      created_by: person,
      ...values,
    });
  const addEvidence = (hypothesis: string, values: Record<string, SqlValue> = {}) =>
    add('evidences', {
      hypothesis_id: hypothesis,
      description: '',
      type: 'comment',
      created_by: person,
      ...values,
    });
  const addResponder = (incident: string, values: Record<string, SqlValue> = {}) =>
    add('responders', {
      incident_id: incident,
      type: 'person',
      person_id: person,
      created_by: person,
      ...values,
    });
  const addComment = (incident: string, values: Record<string, SqlValue> = {}) =>
    add('comments', { incident_id: incident, comment: 'Hm', created_by: person, ...values });
  const addConfig = (values: Record<string, SqlValue> = {}) =>
    add('config_items', { config_class: 'Node', type: 'Kubernetes::Node', name: nextName(), ...values });
  const addComponent = (values: Record<string, SqlValue> = {}) =>
    add('components', { external_id: nextName(), name: nextName(), status: 'healthy', ...values });

  const historyOf = (incident: string) =>
    db.rows(
      z.custom<{ type: string }>(),
      `select type, description, hypothesis_id, responder_id, evidence_id, comment_id, created_by
       from incident_histories where incident_id = $1 order by created_at`,
      [incident],
    );
  const historyTypes = async (incident: string) => (await historyOf(incident)).map(({ type }) => type);
  const events = async () =>
    (
      await db.rows(
        z.custom<{ name: string; properties: object }>(),
        'select name, properties from event_queue order by created_at, name',
      )
    ).map(({ name, properties }) => [name, properties]);
  const forgetEvents = () => db.run('delete from event_queue');

  beforeAll(async () => {
    db = await open();
    person = await add('people', { name: 'Ada', email: 'ada@example.org' });
  });
  beforeEach(forgetEvents);

  test('an empty database has the five severities', async () => {
    expect(await db.rows(z.unknown(), 'select id, name, icon, aliases from severities order by id')).toEqual([
      { id: 1, name: 'Critical', icon: 'error', aliases: ['P1'] },
      { id: 2, name: 'Blocker', icon: 'error', aliases: ['P2'] },
      { id: 3, name: 'High', icon: 'warning', aliases: ['P3'] },
      { id: 4, name: 'Medium', icon: 'info', aliases: ['P4'] },
      { id: 5, name: 'Low', icon: 'info', aliases: ['P4'] },
    ]);
  });

  test('every table that has updated_at moves it by a trigger', async () => {
    const rows = await db.rows(
      z.custom<{ name: string }>(),
      `select columns.table_name::text as name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where columns.table_schema = 'public' and column_name = 'updated_at' and table_type = 'BASE TABLE'
         and not exists (
           select from pg_trigger where tgrelid = columns.table_name::regclass and tgname = 'touch_updated_at'
         )`,
    );
    // The built-in identity provider sets its times itself.
    const names = rows.map(({ name }) => name).filter((name) => !name.startsWith('identit'));
    expect(names).toEqual([]);
  });

  describe('incidents', () => {
    const times = (id: string) =>
      one<{ resolved: string | null; closed: string | null }>(
        'select resolved, closed from incidents where id = $1',
        id,
      );
    const setStatus = (id: string, status: string) =>
      db.run('update incidents set status = $2 where id = $1', [id, status]);

    test('are numbered one after the other', async () => {
      const numberOf = async (id: string) =>
        (await one<{ incident_id: string }>('select incident_id from incidents where id = $1', id))
          .incident_id;
      const first = await numberOf(await addIncident());
      const second = await numberOf(await addIncident());
      expect(second).toBe(`INC-${Number(first.replace('INC-', '')) + 1}`);
      await expect(addIncident({ incident_id: first })).rejects.toMatchObject({
        sqlState: '23505',
      });
    });

    test('note when they were resolved and closed, and forget it when reopened', async () => {
      const id = await addIncident();
      expect(await times(id)).toEqual({ resolved: null, closed: null });
      await setStatus(id, 'resolved');
      const resolved = await times(id);
      expect(resolved).toEqual({ resolved: expect.any(String), closed: null });
      await setStatus(id, 'closed');
      expect(await times(id)).toEqual({ resolved: resolved.resolved, closed: expect.any(String) });
      await setStatus(id, 'open');
      expect(await times(id)).toEqual({ resolved: null, closed: null });
    });

    test('keep the time that the writer gives, and the first when nothing but the title changes', async () => {
      const id = await addIncident({ status: 'closed', closed: LONG_AGO });
      await db.run("update incidents set title = 'Slower', status = 'closed' where id = $1", [id]);
      expect(await times(id)).toEqual({ resolved: null, closed: LONG_AGO });
    });

    test('move updated_at when something changed, not when nothing did', async () => {
      const id = await addIncident({ updated_at: LONG_AGO });
      const updatedAt = async () =>
        (await one<{ at: string }>('select updated_at as at from incidents where id = $1', id)).at;
      await db.run('update incidents set title = title where id = $1', [id]);
      expect(await updatedAt()).toBe(LONG_AGO);
      await db.run("update incidents set severity = 'low' where id = $1", [id]);
      expect((await updatedAt()) > '2024').toBe(true);
    });

    test('a hypothesis has one of three types', async () => {
      const incident = await addIncident();
      await expect(addHypothesis(incident, { type: 'guess' })).rejects.toBeInstanceOf(DatabaseError);
    });

    test('the list shows commander, responders and who commented, each once', async () => {
      const other = await add('people', { name: 'Bo', avatar: 'bo.png' });
      const team = await add('teams', { name: nextName(), icon: 'ops', created_by: person });
      const incident = await addIncident({ commander_id: other });
      await addResponder(incident);
      await addResponder(incident, { person_id: null, team_id: team });
      await addResponder(incident, { person_id: other, deleted_at: LONG_AGO });
      await addComment(incident);
      await addComment(incident);
      await addComment(await addIncident(), { created_by: other });
      const shown = await one<{ responders: object[] }>(
        'select commander, responders, commenters, created_by from incident_summary where id = $1',
        incident,
      );
      expect(shown).toMatchObject({
        commander: { id: other, name: 'Bo', avatar: 'bo.png' },
        commenters: [{ id: person, name: 'Ada', avatar: null }],
        created_by: person,
      });
      expect(shown.responders).toEqual([
        { id: person, name: 'Ada', avatar: null },
        { id: team, name: expect.any(String), avatar: 'ops' },
      ]);
    });
  });

  describe('the history of an incident tells', () => {
    const blank = {
      description: null,
      hypothesis_id: null,
      responder_id: null,
      evidence_id: null,
      comment_id: null,
    };

    test('its creation and each new status, the same status again not', async () => {
      const id = await addIncident();
      await db.run("update incidents set status = 'mitigated' where id = $1", [id]);
      await db.run("update incidents set status = 'mitigated', title = 'x' where id = $1", [id]);
      expect(await historyOf(id)).toEqual([
        { ...blank, type: 'incident.created', description: id, created_by: person },
        { ...blank, type: 'incident.status_updated', description: 'mitigated', created_by: person },
      ]);
    });

    test('hypotheses and their changes of status', async () => {
      const id = await addIncident();
      const hypothesis = await addHypothesis(id);
      await db.run("update hypotheses set status = 'proven' where id = $1", [hypothesis]);
      await db.run("update hypotheses set title = 'Network' where id = $1", [hypothesis]);
      const about = { ...blank, hypothesis_id: hypothesis, created_by: person };
      expect((await historyOf(id)).slice(1)).toEqual([
        { ...about, type: 'hypothesis.created', description: 'possible' },
        { ...about, type: 'hypothesis.status_updated', description: 'proven' },
      ]);
    });

    test('responders, and comments that come from one', async () => {
      const id = await addIncident();
      const responder = await addResponder(id);
      await addComment(id);
      const comment = await addComment(id, { responder_id: responder });
      const about = { ...blank, responder_id: responder, created_by: person };
      expect((await historyOf(id)).slice(1)).toEqual([
        { ...about, type: 'responder.created' },
        { ...about, type: 'responder.commented', comment_id: comment },
      ]);
    });

    test('evidences, and that one became part of the definition of done', async () => {
      const id = await addIncident();
      const hypothesis = await addHypothesis(id);
      const evidence = await addEvidence(hypothesis);
      await db.run('update evidences set definition_of_done = true where id = $1', [evidence]);
      await db.run('update evidences set definition_of_done = true, done = true where id = $1', [evidence]);
      const about = { ...blank, hypothesis_id: hypothesis, evidence_id: evidence, created_by: person };
      expect((await historyOf(id)).slice(2)).toEqual([
        { ...about, type: 'evidence.created' },
        { ...about, type: 'evidence.done_definition_added' },
      ]);
      await addEvidence(hypothesis, { definition_of_done: true });
      expect((await historyTypes(id)).slice(4)).toEqual([
        'evidence.created',
        'evidence.done_definition_added',
      ]);
    });

    test('what happened after its subject is gone: comments, evidences, then the hypothesis', async () => {
      const id = await addIncident();
      const hypothesis = await addHypothesis(id);
      const evidence = await addEvidence(hypothesis, { definition_of_done: true });
      const responder = await addResponder(id);
      const comment = await addComment(id, { hypothesis_id: hypothesis, responder_id: responder });
      await add('comment_responders', { comment_id: comment, responder_id: responder });
      const before = await historyTypes(id);
      await expect(db.run('delete from hypotheses where id = $1', [hypothesis])).rejects.toMatchObject({
        sqlState: '23503',
      });
      expect(await db.run('delete from comments where hypothesis_id = $1', [hypothesis])).toBe(1);
      expect(await db.run('delete from evidences where hypothesis_id = $1', [hypothesis])).toBe(1);
      expect(await db.run('delete from hypotheses where id = $1', [hypothesis])).toBe(1);
      expect(await historyTypes(id)).toEqual(before);
      expect(
        await db.rows(
          z.unknown(),
          'select id from incident_histories where hypothesis_id = $1 or evidence_id = $2 or comment_id = $3',
          [hypothesis, evidence, comment],
        ),
      ).toEqual([]);
    });
  });

  describe('an event waits for', () => {
    test('an incident, its status, responders and comments', async () => {
      const id = await addIncident();
      await db.run("update incidents set status = 'closed' where id = $1", [id]);
      await db.run("update incidents set severity = 'low' where id = $1", [id]);
      const responder = await addResponder(id);
      await db.run('update responders set deleted_at = now() where id = $1', [responder]);
      const comment = await addComment(id);
      expect(await events()).toEqual([
        ['incident.created', { id }],
        ['incident.status.closed', { id }],
        ['incident.responder.added', { id: responder }],
        ['incident.responder.removed', { id: responder }],
        ['incident.comment.added', { id: comment }],
      ]);
    });

    test('a definition of done that comes, passes, regresses and goes', async () => {
      const hypothesis = await addHypothesis(await addIncident());
      await forgetEvents();
      const id = await addEvidence(hypothesis, { done: false });
      expect(await events()).toEqual([]);
      await db.run('update evidences set definition_of_done = true where id = $1', [id]);
      await db.run('update evidences set done = true where id = $1', [id]);
      await db.run('update evidences set done = null where id = $1', [id]);
      await db.run('update evidences set done = false, definition_of_done = false where id = $1', [id]);
      const kinds = ['added', 'passed', 'regressed', 'removed'];
      expect(await events()).toEqual(kinds.map((kind) => [`incident.dod.${kind}`, { id }]));
    });

    test('a check that fails or passes again', async () => {
      const canary = await add('canaries', { name: nextName(), namespace: 'ns', spec: {} });
      const id = await add('checks', { canary_id: canary, type: 'http', name: 'k' });
      await db.run("update checks set status = 'unhealthy', last_runtime = $2 where id = $1", [id, LONG_AGO]);
      await db.run("update checks set status = 'unhealthy', last_runtime = now() where id = $1", [id]);
      await db.run("update checks set status = 'healthy', last_runtime = $2 where id = $1", [id, LONG_AGO]);
      expect(await events()).toEqual([
        ['check.failed', { id, last_runtime: LONG_AGO }],
        ['check.passed', { id, last_runtime: LONG_AGO }],
      ]);
    });

    test('a check that passes in its first run has not passed again; one that fails has failed', async () => {
      const canary = await add('canaries', { name: nextName(), namespace: 'ns', spec: {} });
      const fine = await add('checks', { canary_id: canary, type: 'http', name: 'fine' });
      const broken = await add('checks', { canary_id: canary, type: 'http', name: 'broken' });
      await db.run("update checks set status = 'healthy', last_runtime = $2 where id = $1", [fine, LONG_AGO]);
      await db.run("update checks set status = 'unhealthy', last_runtime = $2 where id = $1", [
        broken,
        LONG_AGO,
      ]);
      expect(await events()).toEqual([['check.failed', { id: broken, last_runtime: LONG_AGO }]]);
    });

    test('a first judgement that all is well is no news, that something is wrong is', async () => {
      const fine = await addConfig({});
      const broken = await addConfig({});
      const component = await addComponent({ health: null });
      await forgetEvents();
      await db.run("update config_items set health = 'healthy' where id = $1", [fine]);
      await db.run("update components set health = 'healthy' where id = $1", [component]);
      await db.run("update config_items set health = 'unhealthy' where id = $1", [broken]);
      expect((await events()).map(([name]) => name)).toEqual(['config.unhealthy']);
      await db.run("update config_items set health = 'unknown' where id = $1", [fine]);
      await db.run("update config_items set health = 'healthy' where id = $1", [fine]);
      expect((await events()).map(([name]) => name)).toEqual([
        'config.unhealthy',
        'config.unknown',
        'config.healthy',
      ]);
    });

    test('a config item that comes, turns bad or good, and goes', async () => {
      const quiet = await addConfig({ health: 'healthy' });
      const id = await addConfig({ health: 'warning', status: 'Tight' });
      await db.run("update config_items set health = 'healthy' where id = $1", [id]);
      await db.run("update config_items set health = '' where id = $1", [id]);
      await db.run('update config_items set health = null where id = $1', [id]);
      await db.run('update config_items set deleted_at = now() where id = $1', [id]);
      const about = { id, status: 'Tight', description: null };
      expect(await events()).toEqual([
        ['config.created', { id: quiet }],
        ['config.created', { id }],
        ['config.warning', about],
        ['config.healthy', about],
        ['config.unknown', about],
        ['config.deleted', { id }],
      ]);
    });

    test('the health of a component, whatever the length of its description', async () => {
      const description = Array.from({ length: 3000 }, (_value, index) => `word${index}`).join(' ');
      const id = await addComponent({ description });
      await db.run("update components set health = 'unhealthy' where id = $1", [id]);
      expect(await events()).toEqual([['component.unhealthy', { id, status: 'healthy', description }]]);
    });

    test('approvals of playbooks, in the spec and of a run', async () => {
      const playbook = await add('playbooks', { name: nextName(), spec: { actions: [] }, source: 'UI' });
      await db.run(`update playbooks set spec = '{"actions":[{"name":"a"}]}' where id = $1`, [playbook]);
      await db.run(`update playbooks set spec = '{"approval":{"type":"any"}}' where id = $1`, [playbook]);
      const run = await add('playbook_runs', { playbook_id: playbook });
      const approval = await add('playbook_approvals', { run_id: run, person_id: person });
      expect(await events()).toEqual([
        ['playbook.spec.approval.updated', { id: playbook }],
        ['playbook.approval.inserted', { id: approval, run_id: run }],
      ]);
    });

    test('the same thing again once, from the beginning', async () => {
      const id = await addIncident();
      await db.run("update incidents set status = 'closed' where id = $1", [id]);
      await db.run('update event_queue set attempts = 3, last_attempt = now(), created_at = $1', [LONG_AGO]);
      await db.run("update incidents set status = 'open' where id = $1", [id]);
      await db.run("update incidents set status = 'closed' where id = $1", [id]);
      const closed = await db.rows(
        z.custom<{ created_at: string }>(),
        "select attempts, last_attempt, created_at from event_queue where name = 'incident.status.closed'",
      );
      expect(closed).toEqual([{ attempts: 0, last_attempt: null, created_at: expect.any(String) }]);
      expect((closed[0]?.created_at ?? '') > '2024').toBe(true);
    });
  });

  describe('a change of a config item', () => {
    const report = (config: string, values: Record<string, SqlValue> = {}) => {
      const row = { config_id: config, external_change_id: 'x1', created_at: LONG_AGO, ...values };
      const names = Object.keys(row);
      return db.run(
        `insert into config_changes (${names.join(', ')}) values (${names.map((_n, i) => `$${i + 1}`).join(', ')})`,
        Object.values(row),
      );
    };
    const changesOf = (config: string) =>
      db.rows(
        z.custom<{ id: string }>(),
        `select id, change_type, summary, count, created_at, details from config_changes
         where config_id = $1 order by external_change_id`,
        [config],
      );

    test('that is reported again updates its row and counts when it is another occurrence', async () => {
      const config = await addConfig();
      await report(config, { change_type: 'diff', details: { n: 1 } });
      await report(config, { change_type: 'diff', details: { n: 1 }, summary: 'same' });
      expect(await changesOf(config)).toMatchObject([{ count: 1, summary: 'same' }]);
      await report(config, { change_type: 'Pulled', details: { n: 2 } });
      await report(config, { change_type: 'Pulled', details: { n: 2 }, created_at: '2021-01-01' });
      expect(await changesOf(config)).toMatchObject([
        {
          count: 3,
          change_type: 'Pulled',
          summary: null,
          details: { n: 2 },
          created_at: '2021-01-01T00:00:00+00:00',
        },
      ]);
    });

    test('of the same id updates, of another item or without an external id is another', async () => {
      const [config, other] = [await addConfig(), await addConfig()];
      await report(config);
      const [known] = await changesOf(config);
      await report(config, { id: known?.id ?? '', summary: 'by id', external_change_id: null });
      expect(await changesOf(config)).toMatchObject([{ id: known?.id, summary: 'by id', count: 1 }]);
      await report(config, { external_change_id: null });
      await report(other);
      expect(await changesOf(config)).toHaveLength(2);
      expect(await changesOf(other)).toHaveLength(1);
    });

    test('keeps count and time when edited, unless details or diff change', async () => {
      const config = await addConfig();
      await report(config);
      const [known] = await changesOf(config);
      const edit = (set: string) =>
        db.run(`update config_changes set ${set} where id = $1`, [known?.id ?? '']);
      await edit("summary = 'new', count = 9, created_at = now()");
      expect(await changesOf(config)).toMatchObject([{ summary: 'new', count: 1, created_at: LONG_AGO }]);
      await edit("diff = '+a', count = 9");
      expect(await changesOf(config)).toMatchObject([{ count: 9 }]);
    });

    test('queues an event, but not for having been sent to another server', async () => {
      const config = await addConfig();
      await forgetEvents();
      await report(config, { change_type: 'diff' });
      await report(config, { external_change_id: 'x2', change_type: 'Pulled' });
      const [first, second] = await changesOf(config);
      expect(await events()).toEqual([
        ['config.updated', { id: config, change_id: first?.id }],
        ['config.changed', { id: config, change_id: second?.id }],
      ]);
      await forgetEvents();
      await db.run('update config_changes set is_pushed = true where config_id = $1', [config]);
      expect(await events()).toEqual([]);
      await db.run("update config_changes set severity = 'low' where id = $1", [first?.id ?? '']);
      expect(await events()).toEqual([['config.updated', { id: config, change_id: first?.id }]]);
      expect(await one('select is_pushed from config_changes where id = $1', first?.id ?? '')).toEqual({
        is_pushed: false,
      });
    });
  });
});
