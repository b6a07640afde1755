/** What triggers do between the tables of 0003, and how the data API embeds them. */
import { findConnection } from '../../../connections/connection-query.ts';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { getFrom, openDataApi } from '../../../../tests/contract/data-api-estate.ts';
import type { Get } from '../../../../tests/contract/data-api-estate.ts';
import { decideTableAccess } from '../../../access/policies/table-areas.ts';
import type { Database, SqlValue } from '../database.ts';
import { migrate } from '../migrate.ts';
import { createSealer } from '../../crypto/sealing.ts';
import { nodePlatform } from '../../platform.ts';
import { forEachDatabase, openEmptyDatabase } from '../test-databases.ts';
import { readMigrations } from '../migration-files.ts';

const LONG_AGO = '2020-01-01T00:00:00+00:00';

const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);

forEachDatabase((name, open) => {
  let db: Database;
  let get: Get;
  let person = '';

  const one = async <T>(sql: string, ...params: SqlValue[]): Promise<T> => {
    const [row] = await db.rows(z.custom<T>(), sql, params);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  const idOf = async (sql: string, ...params: SqlValue[]) => (await one<{ id: string }>(sql, ...params)).id;
  const addTeam = (title: string) =>
    idOf('insert into teams (name, created_by) values ($1, $2) returning id', title, person);
  const addComponent = (name: string) =>
    idOf("insert into components (external_id, name, status) values ($1, $1, 'healthy') returning id", name);
  const addConfig = (name: string, parent: string | null = null) =>
    idOf(
      "insert into config_items (config_class, type, name, parent_id) values ('Pod', 'Pod', $1, $2) returning id",
      name,
      parent,
    );

  beforeAll(async () => {
    db = await open();
    get = getFrom((await openDataApi(db)).api);
    person = await idOf("insert into people (name) values ('Ada') returning id");
  });

  describe('a parent of a config item', () => {
    const parentsOf = (id: string) =>
      db.rows(z.unknown(), 'select config_id, relation from config_relationships where related_id = $1', [
        id,
      ]);

    test('is a hard relationship, which follows it', async () => {
      const [first, second] = [await addConfig('first'), await addConfig('second')];
      const child = await addConfig('child', first);
      expect(await parentsOf(child)).toEqual([{ config_id: first, relation: 'hard' }]);
      await db.run('update config_items set parent_id = $2 where id = $1', [child, second]);
      expect(await parentsOf(child)).toEqual([{ config_id: second, relation: 'hard' }]);
      await db.run('update config_items set parent_id = null where id = $1', [child]);
      expect(await parentsOf(child)).toEqual([]);
    });

    test('leaves relationships of other kinds alone, and revives its own', async () => {
      const parent = await addConfig('parent');
      const child = await addConfig('child');
      await db.run(
        `insert into config_relationships (config_id, related_id, relation, deleted_at)
         values ($1, $2, 'RunsOn', null), ($1, $2, 'hard', now())`,
        [parent, child],
      );
      await db.run('update config_items set parent_id = $2 where id = $1', [child, parent]);
      expect(
        await db.rows(
          z.unknown(),
          'select relation from config_relationships where related_id = $1 and deleted_at is null',
          [child],
        ),
      ).toHaveLength(2);
      await db.run('update config_items set parent_id = null where id = $1', [child]);
      expect(await parentsOf(child)).toEqual([{ config_id: parent, relation: 'RunsOn' }]);
    });
  });

  test('a database from before keeps its rows, and its parents become relationships', async () => {
    const old = await openEmptyDatabase(name);
    const silent = pino({ level: 'silent' });
    await migrate(old, silent, readMigrations().slice(0, 2));
    await old.script(`
      insert into people (name, team_id) values ('Lost', generate_ulid());
      insert into config_items (config_class, type, name) values ('Node', 'Node', 'top');
      insert into config_items (config_class, type, name, parent_id) select 'Pod', 'Pod', 'leaf', id from config_items;
    `);
    await migrate(old, silent);
    expect(await old.rows(z.unknown(), "select team_id from people where name = 'Lost'")).toEqual([
      { team_id: null },
    ]);
    expect(
      await old.rows(
        z.unknown(),
        `
        select parent.name as parent, child.name as child, link.relation from config_relationships as link
        join config_items as parent on parent.id = link.config_id
        join config_items as child on child.id = link.related_id`,
      ),
    ).toEqual([{ parent: 'top', child: 'leaf', relation: 'hard' }]);
    await old.close();
  });

  test('a deleted component leaves its teams and its links', async () => {
    const [parent, child] = [await addComponent('parent'), await addComponent('child')];
    const team = await addTeam('of components');
    await db.run('insert into team_components (team_id, component_id) values ($1, $2)', [team, parent]);
    await db.run('insert into component_relationships (component_id, relationship_id) values ($1, $2)', [
      child,
      parent,
    ]);
    await db.run('update components set deleted_at = $2 where id = $1', [parent, LONG_AGO]);
    expect(
      await db.rows(z.unknown(), 'select team_id from team_components where component_id = $1', [parent]),
    ).toEqual([]);
    expect(
      await one('select deleted_at from component_relationships where component_id = $1', child),
    ).toEqual({ deleted_at: LONG_AGO });
  });

  test('a deleted team leaves its components, and its name stays taken', async () => {
    const component = await addComponent('kept');
    const team = await addTeam('gone');
    await db.run('insert into team_components (team_id, component_id) values ($1, $2)', [team, component]);
    await db.run('update teams set deleted_at = now() where id = $1', [team]);
    expect(
      await db.rows(z.unknown(), 'select component_id from team_components where team_id = $1', [team]),
    ).toEqual([]);
    await expect(addTeam('gone')).rejects.toMatchObject({ sqlState: '23505' });
  });

  test('the error of a notification goes when its aim changes or its team is set up anew', async () => {
    const team = await addTeam('notified');
    const id = await idOf(
      `insert into notifications (events, error, team_id) values ('{check.failed}', 'refused', $1) returning id`,
      team,
    );
    const error = async () =>
      (await one<{ error: string | null }>('select error from notifications where id = $1', id)).error;
    const edit = (set: string) => db.run(`update notifications set ${set} where id = $1`, [id]);
    await edit("title = 'Down'");
    expect(await error()).toBe('refused');
    await edit("filter = 'true'");
    expect(await error()).toBeNull();
    await edit("error = 'again', filter = 'false'");
    expect(await error()).toBe('again');
    await db.run("update teams set icon = 'x' where id = $1", [team]);
    expect(await error()).toBe('again');
    await db.run(`update teams set spec = '{"notifications":[]}' where id = $1`, [team]);
    expect(await error()).toBeNull();
  });

  test('stars sent back for the secrets of a connection keep them', async () => {
    const id = await idOf(
      `insert into connections (name, type, username, password, certificate, updated_at)
       values ('db', 'postgres', 'ada', 'secret', 'pem', $1) returning id`,
      LONG_AGO,
    );
    const shown = () =>
      one(
        'select username, password, certificate, insecure_tls, updated_at from connections where id = $1',
        id,
      );
    const before = { username: '***', password: '***', certificate: '***', insecure_tls: true };
    const secrets = { username: 'ada', password: 'secret', certificate: 'pem' };
    await db.run(
      "update connections set username = '***', password = '***', certificate = '***' where id = $1",
      [id],
    );
    expect(await shown()).toEqual({ ...before, updated_at: LONG_AGO });
    expect(await findConnection(db, sealer, id)).toMatchObject(secrets);
    await db.run("update connections set username = '***', password = 'new' where id = $1", [id]);
    expect(await findConnection(db, sealer, id)).toMatchObject({ ...secrets, password: 'new' });
  });

  test('names of connections and playbooks are free again after a delete', async () => {
    const addConnection = () =>
      idOf("insert into connections (name, type) values ('one', 'http') returning id");
    const addPlaybook = () =>
      idOf("insert into playbooks (name, spec, source) values ('one', '{}', 'UI') returning id");
    const taken = { sqlState: '23505' };
    const [connection, playbook] = [await addConnection(), await addPlaybook()];
    await expect(addConnection()).rejects.toMatchObject(taken);
    await expect(addPlaybook()).rejects.toMatchObject(taken);
    await db.run('update connections set deleted_at = now() where id = $1', [connection]);
    await db.run('update playbooks set deleted_at = now() where id = $1', [playbook]);
    expect(await addConnection()).not.toBe(connection);
    expect(await addPlaybook()).not.toBe(playbook);
  });

  test('an agent deleted with cleanup takes its log stores along', async () => {
    const agent = await idOf("insert into agents (name, cleanup) values ('far', true) returning id");
    const id = await idOf(
      "insert into logging_backends (name, spec, agent_id) values ('logs', '{}', $1) returning id",
      agent,
    );
    await db.run('update agents set deleted_at = $2 where id = $1', [agent, LONG_AGO]);
    expect(await one('select deleted_at from logging_backends where id = $1', id)).toEqual({
      deleted_at: LONG_AGO,
    });
  });

  test('the list of jobs names what each was about, and shows the text where that names nothing', async () => {
    const component = await addComponent('shop of jobs');
    await db.run(
      `insert into job_history (name, resource_type, resource_id) values
        ('a', 'components', $1), ('b', 'canary', 'shop'), ('c', 'team', $1)`,
      [component],
    );
    expect(
      await db.rows(z.unknown(), 'select name, resource_name, agent from job_histories order by name'),
    ).toEqual([
      { name: 'a', resource_name: 'shop of jobs', agent: expect.objectContaining({ name: 'local' }) },
      { name: 'b', resource_name: 'shop', agent: expect.objectContaining({ name: 'local' }) },
      { name: 'c', resource_name: component, agent: expect.objectContaining({ name: 'local' }) },
    ]);
  });

  test('the data API has every table of the operations for admins, and hides its machinery', async () => {
    const rows = await db.rows(
      z.custom<{ name: string }>(),
      `select relname::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
         and relname ~ '^(team|connection|logging|integration|saved|event_queue|config_|component_|incident|hypothes|evidence|comment|responder|severit|playbook|permission|artifact|notification|job_)'`,
    );
    const names = rows.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(30);
    const hidden = names.filter((name) => decideTableAccess(name, 'GET', ['admin']).kind !== 'allowed');
    // What ingestion notes for itself (0011), what devices get through the feed alone (0013), what rules
    // remember (0015), calls for help, what was told of them and the secrets of those who are called (0014, 0017),
    // the contents of files, which have a route of their own (0029), what components say of themselves (0040), what
    // the runner of playbooks notes, and what actions write, which has a route of its own (0042), what set playbooks
    // off (0043), which agent does which action (0103), and charts as their registry had them, which have a route of their own (0093).
    expect(hidden.toSorted()).toEqual([
      'artifact_contents',
      'component_own_states',
      'config_item_scrapes',
      'config_relationship_scrapers',
      'incident_done_states',
      'incident_reads',
      'incident_rounds',
      'incident_rule_subjects',
      'incident_wakes',
      'integration_charts',
      'notification_deliveries',
      'notification_events',
      'playbook_action_outputs',
      'playbook_files',
      'playbook_handed_actions',
      'playbook_run_causes',
      'playbook_run_states',
      'playbook_schedule_states',
      'responder_deliveries',
      'responder_messages',
      'responder_noted_events',
      'responder_remote_comments',
      'team_secrets',
    ]);
    expect(decideTableAccess('rpc/queue_event', 'POST', ['admin'])).toEqual({ kind: 'unknown' });
  });

  describe('through the data API', () => {
    let incident = '';
    beforeAll(async () => {
      const team = await addTeam('ops');
      incident = await idOf(
        `insert into incidents (title, severity, description, type, status, created_by, commander_id)
         values ('Slow', 'high', '', 'cost', 'open', $1, $1) returning id`,
        person,
      );
      await db.run(
        `with hypothesis as (
           insert into hypotheses (incident_id, type, title, status, created_by)
           values ($1, 'root', 'Disk', 'possible', $2) returning id
         ), responder as (
           insert into responders (incident_id, type, team_id, person_id, created_by)
           values ($1, 'person', $3, $2, $2) returning id
         ), evidence as (
           insert into evidences (hypothesis_id, component_id, description, type, created_by)
           select id, '33333333-3333-3333-3333-333333333333', 'Look', 'topology', $2 from hypothesis
         )
         insert into comments (incident_id, hypothesis_id, responder_id, comment, created_by)
         select $1, hypothesis.id, responder.id, 'Hm', $2 from hypothesis, responder`,
        [incident, person, team],
      );
    });

    test('an incident comes with all that belongs to it', async () => {
      const select =
        'select=*,hypotheses(*,evidences(*),comments(*)),responders(*,team:teams(*),person:people!responders_person_id_fkey(*))';
      const { status, json } = await get('incidents', `id=eq.${incident}&${select}`);
      expect(status).toBe(200);
      expect(json).toMatchObject([
        {
          id: incident,
          incident_id: expect.stringMatching(/^INC-\d+$/),
          hypotheses: [
            { title: 'Disk', evidences: [{ description: 'Look' }], comments: [{ comment: 'Hm' }] },
          ],
          responders: [{ team: { name: 'ops' }, person: { name: 'Ada' } }],
        },
      ]);
    });

    test('a responder is linked to people in two ways, so it must say which', async () => {
      const ambiguous = await get('incidents', 'select=responders(person:people(*))');
      expect(ambiguous.json).toMatchObject({ code: 'PGRST201' });
      const { json } = await get('incidents', 'select=responders(team:teams(name),person:person_id(name))');
      expect(json).toEqual([{ responders: [{ team: { name: 'ops' }, person: { name: 'Ada' } }] }]);
    });

    test('embeds by column, four levels deep', async () => {
      const who = 'id,avatar,name';
      const select = `*,hypotheses(*,created_by(${who}),evidences(*,created_by(${who})),comments(created_at,comment,external_created_by,responder_id(team_id(*)),created_by(id,${who}),id)),commander:commander_id(${who}),communicator_id(${who}),responders(created_by(${who}))`;
      const { status, json } = await get('incidents', `id=eq.${incident}&select=${select}`);
      expect({ status, json }).toMatchObject({
        status: 200,
        json: [
          {
            commander: { name: 'Ada' },
            communicator_id: null,
            hypotheses: [
              {
                created_by: { name: 'Ada' },
                comments: [{ responder_id: { team_id: { name: 'ops' } }, created_by: { id: person } }],
              },
            ],
          },
        ],
      });
    });

    test('the history names what it is about, through views as well', async () => {
      const select =
        'select=type,evidence:evidences(id,components(id,name),configs(id,name),config_changes(id),config_analysis(id),checks(id,name)),hypothesis:hypotheses(id,title),responder:responders(id,person:person_id(name),team:team_id(name)),comment:comments(id,comment),created_by(name)';
      const { status, json } = await get<{ type: string }[]>(
        'incident_histories',
        `incident_id=eq.${incident}&${select}&order=created_at.asc`,
      );
      expect(status).toBe(200);
      expect(json.find(({ type }) => type === 'evidence.created')).toMatchObject({
        evidence: { components: { name: 'Shop' }, configs: null },
        hypothesis: { title: 'Disk' },
        created_by: { name: 'Ada' },
      });
      expect(json.find(({ type }) => type === 'responder.commented')).toMatchObject({
        responder: { person: { name: 'Ada' }, team: { name: 'ops' } },
        comment: { comment: 'Hm' },
      });
    });

    test('silences come with what they silence, although their columns are words of SQL', async () => {
      await db.run(
        `insert into notification_silences (namespace, "from", "until", component_id, created_by)
         values ('', $1, $1, '33333333-3333-3333-3333-333333333333', $2)`,
        [LONG_AGO, person],
      );
      const select =
        'select=*,checks:check_id(id,name),catalog:config_id(id,name),component:component_id(id,name,icon),createdBy:created_by(id,name)';
      const { json } = await get(
        'notification_silences',
        `${select}&order=created_at.desc&deleted_at=is.null`,
      );
      expect(json).toMatchObject([
        {
          from: LONG_AGO,
          until: LONG_AGO,
          checks: null,
          component: { name: 'Shop' },
          createdBy: { name: 'Ada' },
        },
      ]);
    });
  });
});
