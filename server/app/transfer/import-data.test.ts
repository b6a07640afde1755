import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { TransferRefused } from './data-set.ts';
import { importData } from './import-data.ts';
import { readModel } from './model-query.ts';
import type { ModelTable } from './model-query.ts';

const FIXTURE = new URL('../../../../shared/fixtures/dataset/', import.meta.url).pathname;
const TEAM = '11111111-0000-4000-8000-000000000001';
const PERSON = '11111111-0000-4000-8000-000000000002';
const CONFIG = '11111111-0000-4000-8000-000000000003';
const NOWHERE = '11111111-0000-4000-8000-00000000ffff';

const config = (own: object = {}) => ({ id: CONFIG, config_class: 'Pod', type: 'Pod', ...own });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-transfer-'));
  return () => rm(folder, { recursive: true });
});

/** Writes files: rows as JSON, a text as it is. */
async function files(set: Record<string, string | readonly object[]>): Promise<void> {
  for (const [table, rows] of Object.entries(set)) {
    const text = typeof rows === 'string' ? rows : JSON.stringify(rows);
    await writeFile(join(folder, `${table}.json`), text);
  }
}

async function refusalOf(db: Database, skipUnknown = false): Promise<string> {
  try {
    await importData(db, { folder, skipUnknown });
  } catch (error) {
    if (error instanceof TransferRefused) return error.message;
    throw error;
  }
  throw new Error('the data set was taken');
}

forEachDatabase((_name, open) => {
  let db: Database;
  const count = async (table: string) => Number(await db.text(`select count(*)::text from ${table}`));

  describe('the fixture data set', () => {
    let modelBefore: ModelTable[];
    beforeAll(async () => {
      db = await open();
      modelBefore = await readModel(db);
    });

    test('is refused with all its unknown tables and columns, and nothing of it stays', async () => {
      await writeFile(join(folder, 'people.json'), JSON.stringify([{ id: PERSON, name: 'Ann', shoe: 41 }]));
      await writeFile(join(folder, 'shoes.json'), '[{"size": 41}]');
      const message = await refusalOf(db);
      expect(message).toContain("table shoes (1 rows) isn't in the model");
      expect(message).toContain("column people.shoe (in 1 rows) isn't in the model");
      expect(await count('people')).toBe(1);
    });

    test('is imported: the totals of each table are those of its files, and every view answers', async () => {
      const { tables, skipped } = await importData(db, { folder: FIXTURE, skipUnknown: false });
      const meta: { rows: Record<string, number> } = JSON.parse(
        await readFile(join(FIXTURE, '_meta.json'), 'utf8'),
      );
      const left = skipped.map((line) => /^table (\w+)/.exec(line)?.[1] ?? '');
      for (const [table, rows] of Object.entries(meta.rows)) {
        if (left.includes(table)) continue;
        expect(tables.find(({ name }) => name === table)?.rows, table).toBe(rows);
        const builtIn = ['people', 'agents'].includes(table) ? 1 : 0;
        expect(await count(table), table).toBe(rows + builtIn);
      }
      const views = await db.rows(
        z.custom<{ name: string }>(),
        "select relname as name from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace",
      );
      expect(views.length).toBeGreaterThan(20);
      for (const { name } of views) expect(await count(name), name).toBeGreaterThanOrEqual(0);
    });

    test('invents no history, no link and no event', async () => {
      expect(await count('incident_histories')).toBe(0);
      expect(await count('event_queue')).toBe(0);
      expect(await count('config_relationships')).toBe(11);
    });

    test('is in the change log row by row, so that devices see it', async () => {
      for (const [collection, table] of [
        ['configs', 'config_items'],
        ['checks', 'checks'],
        ['incidents', 'incidents'],
        ['config_relationships', 'config_relationships'],
      ]) {
        const logged = await db.text('select count(*)::text from change_log where collection = $1', [
          collection ?? '',
        ]);
        expect(Number(logged), collection).toBe(await count(table ?? ''));
      }
    });

    test('has the summaries of its checks computed, since it brings none', async () => {
      expect(await count('check_status_summary')).toBe(5);
    });

    test('leaves numbering behind the greatest number there is', async () => {
      await files({
        incidents: [
          {
            id: NOWHERE,
            incident_id: 'INC-40',
            title: 'a',
            type: 'a',
            status: 'open',
            severity: 'Low',
            created_by: '01653e30-39a6-482a-8a9c-2bb8debaf440',
          },
        ],
      });
      await importData(db, { folder, skipUnknown: false });
      const next = await db.text(
        `insert into incidents (title, type, status, severity, created_by)
         values ('b', 'cost', 'open', 'Low', '01653e30-39a6-482a-8a9c-2bb8debaf440') returning incident_id`,
      );
      expect(next).toBe('INC-41');
    });

    test('leaves triggers and references as they were', async () => {
      expect(await readModel(db)).toEqual(modelBefore);
      await expect(
        db.run("insert into config_changes (config_id) values ('11111111-0000-4000-8000-00000000ffff')"),
      ).rejects.toMatchObject({ sqlState: '23503' });
    });
  });

  describe('a data set', () => {
    beforeAll(async () => {
      db = await open();
    });

    test('may refer in circles and forwards', async () => {
      await files({
        people: [{ id: PERSON, name: 'Ann', team_id: TEAM }],
        teams: [{ id: TEAM, name: 'A', created_by: PERSON }],
        config_items: [config({ id: NOWHERE, parent_id: CONFIG }), config()],
      });
      await importData(db, { folder, skipUnknown: false });
      expect(await count('team_members')).toBe(0);
      expect(await count('config_items')).toBe(2);
      expect(await count('config_relationships')).toBe(0);
    });

    test('whose rows are there already is refused, naming the rows', async () => {
      await files({ config_items: [config({ id: TEAM }), config()] });
      const message = await refusalOf(db);
      expect(message).toContain(`config_items.json row 2 (id ${CONFIG}): has a key that is there already`);
      expect(message).not.toContain('row 1 ');
      expect(await count('config_items')).toBe(2);
    });

    test('that names a row twice is refused at the second', async () => {
      await files({ teams: [team('5', 'x'), team('5', 'y')] });
      expect(await refusalOf(db)).toContain('teams.json row 2');
    });

    test('that keeps two of one name for an agent is refused: the agent could take neither', async () => {
      const [agent, person, first, second] = [61, 62, 63, 64].map((n) => TEAM.slice(0, -2) + String(n));
      const kept = (id: string | undefined, namespace: string) => {
        const own = { name: 'kept-there', namespace, source: 'UI', spec: {} };
        return { id, agent_id: agent, created_by: person, ...own };
      };
      const of = { agents: [{ id: agent, name: 'edge' }], people: [{ id: person, name: 'Bea' }] };
      await files({ ...of, canaries: [kept(first, 'a'), kept(second, 'a')] });
      expect(await refusalOf(db)).toContain('name "kept-there" is there twice for the same agent');
      await files({ ...of, canaries: [kept(first, 'a'), kept(second, 'b')] });
      await importData(db, { folder, skipUnknown: false });
      expect(await count(`canaries where name = 'kept-there'`)).toBe(2);
    });

    test('takes the default of what is missing; a written null stays one', async () => {
      await files({
        canaries: [
          { id: TEAM, name: 'a', namespace: 'a', spec: {}, agent_id: null, created_at: null },
          { id: PERSON, name: 'b', namespace: 'a', spec: {} },
        ],
        checks: [{ id: TEAM, canary_id: TEAM, type: 'http', name: 'a', created_at: null }],
      });
      await importData(db, { folder, skipUnknown: false });
      const found = await db.rows(
        z.unknown(),
        'select created_at is null as "isUnknown", agent_id from canaries where id = any($1) order by name',
        [[TEAM, PERSON]],
      );
      const local = '00000000-0000-0000-0000-000000000000';
      expect(found).toEqual([
        { isUnknown: true, agent_id: local },
        { isUnknown: false, agent_id: local },
      ]);
      expect(await count('checks where created_at is not null')).toBe(1);
    });

    test('writes over the rows that every database has: no second System, no second local agent', async () => {
      const system = await db.text("select id::text from people where name = 'System'");
      await db.run("insert into teams (name, created_by) values ('of System', $1)", [system]);
      await files({
        people: [
          { id: '11111111-0000-4000-8000-0000000000aa', name: 'System', created_at: '2020-01-01T00:00:00Z' },
        ],
        agents: [{ id: '00000000-0000-0000-0000-000000000000', name: 'local', description: 'here' }],
        severities: [{ id: 1, name: 'Critical', aliases: ['P0'] }],
      });
      await importData(db, { folder, skipUnknown: false });
      expect(await db.rows(z.unknown(), "select id from people where name = 'System'")).toEqual([
        { id: '11111111-0000-4000-8000-0000000000aa' },
      ]);
      expect(await db.text("select created_by::text from teams where name = 'of System'")).toBe(
        '11111111-0000-4000-8000-0000000000aa',
      );
      expect(await db.text("select description from agents where name = 'local'")).toBe('here');
      expect(await db.rows(z.unknown(), 'select aliases from severities')).toEqual([{ aliases: ['P0'] }]);
    });

    test('of a folder without files, or no folder, is refused', async () => {
      expect(await refusalOf(db)).toContain('holds no .json file');
      await expect(importData(db, { folder: `${folder}/none`, skipUnknown: false })).rejects.toThrow(
        "can't be read",
      );
    });

    test('never brings sessions or the ledger of commands', async () => {
      await files({ identity_sessions: '[]', command_results: '[{"command_id": 1}]' });
      const message = await refusalOf(db);
      expect(message).toContain('table identity_sessions (0 rows) is never part of a data set');
      expect(message).toContain('table command_results (1 rows) is never part of a data set');
    });
  });

  describe('rows that cannot be taken', () => {
    beforeAll(async () => {
      db = await open();
    });
    // Whatever is refused here, the good row beside it must not stay either.
    const good = config({ id: NOWHERE });

    test.each<[string, Record<string, string | object[]>, string]>([
      [
        'a text for a number',
        { check_statuses_1h: [{ duration: 'x' }] },
        'row 1: duration is "x"; wanted is a whole number (integer)',
      ],
      [
        'a fraction for a whole number',
        { severities: [{ id: 1.5, name: 'a' }] },
        'row 1 (id 1.5): id is 1.5; wanted is a whole number',
      ],
      ['a number for a text', { teams: [{ name: 5 }] }, 'name is 5; wanted is a text (text)'],
      ['an object for a text', { teams: [{ name: {} }] }, 'name is {}; wanted is a text (text)'],
      [
        'a text for an array',
        { config_items: [config({ external_id: 'a' })] },
        'external_id is "a"; wanted is an array (text[])',
      ],
      [
        'a text for a boolean',
        { config_items: [config({ ready: 'yes' })] },
        'ready is "yes"; wanted is true or false',
      ],
      [
        'what is no uuid',
        { config_items: [config({ scraper_id: 'x' })] },
        `row 1 (id ${CONFIG}): scraper_id invalid input syntax for type uuid: "x"`,
      ],
      [
        'what is no time',
        { config_items: [config({ deleted_at: 'soon' })] },
        'deleted_at invalid input syntax for type timestamp with time zone: "soon"',
      ],
      [
        'an unknown choice',
        { config_scrapers: [{ name: 'a', spec: {}, source: 'Sky' }] },
        'source invalid input value for enum source: "Sky"',
      ],
      [
        'a huge whole number',
        { severities: '[{"id": 99999999999999999999, "name": "a"}]' },
        'row 1 (id 100000000000000000000): id',
      ],
      [
        'a number without end',
        { config_items: `[{"id": "${CONFIG}", "config_class": "a", "type": "a", "cost_total_1d": 1e400}]` },
        'cost_total_1d numeric field overflow',
      ],
      [
        'a missing value',
        { config_items: [{ id: CONFIG, type: 'a' }] },
        'config_class is missing, and has no default',
      ],
      [
        'a NUL character',
        { config_items: [config({ config: { a: ['\0'] } })] },
        'config holds a NUL character',
      ],
      [
        'half a character',
        { config_items: `[{"id": "${CONFIG}", "config_class": "a", "type": "\\ud800"}]` },
        'type',
      ],
      [
        'a broken demand',
        { config_items: [config({ type: '' })] },
        "doesn't keep config_items_type_check: CHECK",
      ],
      [
        'a reference to nowhere',
        { config_changes: [{ id: TEAM, config_id: PERSON }] },
        `config_changes.json (id ${TEAM}): config_id ${PERSON} is in no row of config_items`,
      ],
      [
        '10,000 levels',
        {
          config_items: `[${JSON.stringify(config())}, {"config": ${'['.repeat(10_000)}${']'.repeat(10_000)}}]`,
        },
        'row 2: line 1: nested deeper than 256 levels',
      ],
      ['no array', { teams: '{"id": 1}' }, 'teams.json: line 1: the file has to be a JSON array of rows'],
      ['broken JSON', { teams: '[\n{"name": "a",}\n]' }, "teams.json: line 2: row 1 isn't valid JSON"],
    ])('%s: told with table, row, column and reason, and nothing stays', async (_what, set, reason) => {
      await files({ ...set, canaries: [{ id: NOWHERE, name: 'good', namespace: 'a', spec: {} }] });
      expect(await refusalOf(db)).toContain(reason);
      expect(await count('canaries')).toBe(0);
      expect(await count('change_log')).toBe(0);
    });

    test('are all told, not only the first; fifty at most', async () => {
      const changes = Array.from({ length: 60 }, (_, index) => ({
        config_id: index % 2 === 0 ? NOWHERE : PERSON,
        created_at: index === 3 ? 'never' : '2024-01-01T00:00:00Z',
      }));
      await files({ config_items: [good], config_changes: changes, teams: [{ name: 1 }, { name: 2 }] });
      const message = await refusalOf(db);
      expect(message).toContain('config_changes.json row 4: created_at');
      expect(message.split(`config_id ${PERSON} is in no row`)).toHaveLength(30);
      expect(message).toContain('teams.json row 2');
      await files({ teams: Array.from({ length: 70 }, () => ({ name: 1 })) });
      const long = await refusalOf(db);
      expect(long.split('\n')).toHaveLength(52);
      expect(long).toContain('… and perhaps more');
    });
  });
});

function team(end: string, name: string) {
  return { id: `11111111-0000-4000-8000-00000000000${end}`, name, created_by: PERSON };
}

afterAll(async () => {
  // The fixtures are read only; a file left there would be somebody's mistake.
  expect(await readdir(FIXTURE)).toContain('_meta.json');
});
