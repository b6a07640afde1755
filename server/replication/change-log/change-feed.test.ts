/** The change feed against real databases: everything arrives, once per entity, and only what may be seen. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import type { Change } from '../../../src/contract/sync.ts';
import { ROLES } from '../../../src/domain/access/matrix.ts';
import type { Database } from '../../platform/db/database.ts';
import { seedDatabase } from '../../app/seed/seed-query.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { readChanges, readSmallSnapshots, readSnapshot } from './change-feed.ts';
import { readEntries } from './feed-query.ts';
import { readableCollections } from './collections.ts';
import { forgetBefore, readState, startEpoch } from './state-query.ts';

const ALL = { readable: [...COLLECTIONS], now: () => 0 };
const LIMIT = 100_000;

forEachDatabase((kind, open) => {
  let db: Database;
  let person: string;
  let cursor: string;

  const read = async (from: string, limit = LIMIT, readable: readonly CollectionName[] = COLLECTIONS) => {
    const answer = await readChanges(db, { ...ALL, readable }, { cursor: from, limit, collections: null });
    if (answer.kind !== 'page') throw new Error(`start over: ${answer.reason}`);
    return answer;
  };
  const head = async () => {
    const { epoch, head: sequence } = await readState(db);
    return `${epoch}.${sequence}`;
  };
  const since = async (): Promise<Change[]> => (await read(cursor)).changes;
  const insertIncident = async (title = 'Down', over: { closed?: string } = {}) =>
    (await db.text(
      `with row as (
         insert into incidents (title, description, severity, type, status, created_by, closed)
         values ($1, '', 'low', 'availability', $3, $2, $4) returning id
       ) select id::text from row`,
      [title, person, over.closed === undefined ? 'open' : 'closed', over.closed ?? null],
    )) ?? '';
  const insertHypothesis = async (incident: string) =>
    (await db.text(
      `with row as (
         insert into hypotheses (incident_id, type, title, status, created_by)
         values ($1, 'root', 'why', 'possible', $2) returning id
       ) select id::text from row`,
      [incident, person],
    )) ?? '';

  beforeAll(async () => {
    db = await open();
    person = (await db.text(`select id::text from people where name = 'System'`)) ?? '';
  });
  beforeEach(async () => {
    cursor = await head();
  });

  describe('the log', () => {
    test('an insert, an update and a soft delete each arrive as the entity is now', async () => {
      const id = await insertIncident();
      expect(await since()).toContainEqual(
        expect.objectContaining({
          collection: 'incidents',
          id,
          row: expect.objectContaining({ title: 'Down' }),
        }),
      );
      cursor = await head();
      await db.run(`update incidents set title = 'Up' where id = $1`, [id]);
      expect(await since()).toMatchObject([
        { id, row: { title: 'Up', incident_id: expect.stringMatching(/^INC-/) } },
      ]);
      const responder = await db.text(
        `with row as (
           insert into responders (incident_id, type, person_id, created_by) values ($1, 'person', $2, $2) returning id
         ) select id::text from row`,
        [id, person],
      );
      cursor = await head();
      await db.run('update responders set deleted_at = now() where id = $1', [responder]);
      expect(await since()).toEqual([{ collection: 'incident_records', id: responder, row: null }]);
    });

    test('a hard delete is told, and an evidence knows its incident', async () => {
      const incident = await insertIncident();
      const hypothesis = await insertHypothesis(incident);
      cursor = await head();
      const evidence = await db.text(
        `with row as (
           insert into evidences (description, hypothesis_id, type, created_by) values ('x', $1, 'comment', $2) returning id
         ) select id::text from row`,
        [hypothesis, person],
      );
      expect(await since()).toContainEqual(
        expect.objectContaining({
          id: evidence,
          row: expect.objectContaining({ kind: 'evidence', incident_id: incident }),
        }),
      );
      cursor = await head();
      await db.run('delete from evidences where id = $1', [evidence]);
      expect(await since()).toContainEqual({ collection: 'incident_records', id: evidence, row: null });
    });

    test('many changes of one entity are one entry', async () => {
      const id = await insertIncident();
      cursor = await head();
      for (const title of ['a', 'b', 'c'])
        await db.run('update incidents set title = $2 where id = $1', [id, title]);
      expect(await since()).toMatchObject([{ id, row: { title: 'c' } }]);
    });

    test('checks of one statement are an entry each, a minor one where they only ran, and so are their components', async () => {
      await db.run(
        `with canary as (insert into canaries (name, namespace, spec) values ('many', 'shop', '{}') returning id)
         insert into checks (canary_id, type, name, status) select id, 'http', 'many ' || n, 'healthy'
           from canary, generate_series(1, 3) as n`,
      );
      const ids = await db.rows(idRow, `select id from checks where name like 'many %'`);
      const [first, ...others] = ids.map(({ id }) => id);
      const component = await db.text(
        `with component as (insert into components (name, type, external_id, status)
           values ('shop', 'Application', 'shop', 'healthy') returning id), link as (
           insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
             select component.id, checks.id, canary_id, 'x' from component, checks where name like 'many %'
         ) select id::text from component`,
      );
      // What was major a moment ago would stay so.
      await db.run('update change_log set major_at = null');
      cursor = await head();
      await db.run(
        `update checks set last_runtime = now(), status = case when id = $1 then 'unhealthy' else status end
          where name like 'many %'`,
        [first ?? ''],
      );
      const { entries } = await readEntries(db, {
        after: Number(cursor.split('.')[1]),
        limit: LIMIT,
        collections: COLLECTIONS,
      });
      const told = entries.map(({ entity_id: id, is_minor: isMinor }) => ({ id, isMinor }));
      expect(told).toHaveLength(4);
      expect(told).toEqual(
        expect.arrayContaining([
          { id: first, isMinor: false },
          { id: component, isMinor: false },
          ...others.map((id) => ({ id, isMinor: true })),
        ]),
      );
      expect(await db.text('select count(*)::text from change_log_pending')).toBe('0');
    });

    test('an update that changes nothing anybody sees is no entry', async () => {
      await db.run(`update people set last_login = now() where id = $1`, [person]);
      expect(await since()).toEqual([]);
    });

    test('what leaves the scope goes, and comes back with its records', async () => {
      const id = await insertIncident('Old');
      const hypothesis = await insertHypothesis(id);
      cursor = await head();
      await db.run(
        `update incidents set status = 'closed', closed = now() - interval '91 days' where id = $1`,
        [id],
      );
      const changes = await since();
      expect(changes).toContainEqual({ collection: 'incidents', id, row: null });
      cursor = await head();
      await db.run(`update incidents set status = 'open' where id = $1`, [id]);
      const back = await since();
      expect(back.find((change) => change.id === id)?.row).not.toBeNull();
      expect(back.find((change) => change.id === hypothesis)?.row).not.toBeNull();
    });

    test('a rolled back transaction leaves no entry', async () => {
      const before = await readState(db);
      await expect(
        db.transaction(async (tx) => {
          await tx.run(`update people set name = 'Systemic' where id = $1`, [person]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      await insertIncident();
      const { head: after } = await readState(db);
      const entries = await db.rows(
        z.custom<{ seq: number }>(),
        'select seq from change_log where seq > $1 order by seq',
        [before.head],
      );
      expect(entries.at(-1)?.seq).toBe(after);
      expect(after - before.head).toBe(entries.length);
    });
  });

  describe('starting over', () => {
    test('another epoch, a forgotten past and a place ahead of the log are told apart', async () => {
      const ask = (from: string) => readChanges(db, ALL, { cursor: from, limit: 10, collections: null });
      const { epoch, head: sequence } = await readState(db);
      expect(await ask('other.1')).toMatchObject({ kind: 'start-over', reason: 'epoch' });
      expect(await ask(`${epoch}.${sequence + 1}`)).toMatchObject({ kind: 'start-over', reason: 'ahead' });
      await insertIncident();
      await forgetBefore(db, new Date('2100-01-01'));
      expect(await ask(`${epoch}.1`)).toMatchObject({ kind: 'start-over', reason: 'horizon' });
      expect(await ask(await head())).toMatchObject({ kind: 'page', changes: [] });
    });

    test('a new epoch makes everybody start over', async () => {
      const before = await head();
      await startEpoch(db);
      expect(await readChanges(db, ALL, { cursor: before, limit: 10, collections: null })).toMatchObject({
        kind: 'start-over',
        reason: 'epoch',
      });
    });
  });

  describe('permissions', () => {
    test('only admins are told of connections; nobody else misses anything', () => {
      for (const role of ROLES) {
        const readable = readableCollections([role], { isChecksOnly: false });
        const expected = COLLECTIONS.filter((name) => name !== 'connections' || role === 'admin');
        expect(readable).toEqual(expected);
      }
      expect(readableCollections(['admin'], { isChecksOnly: true })).toEqual(['checks', 'canaries']);
    });

    test('no answer carries a secret', async () => {
      await db.run(
        `insert into connections (name, type, url, username, password, certificate, properties)
         values ('c', 'aws', 'canary-secret', 'canary-secret', 'canary-secret', 'canary-secret', '{"a":"canary-secret"}')`,
      );
      await db.run(
        `insert into teams (name, spec, created_by) values ('t', '{"responder_clients":{"jira":{"password":"canary-secret"}}}', $1)`,
        [person],
      );
      expect(JSON.stringify(await since())).not.toContain('canary-secret');
      for (const name of COLLECTIONS)
        expect(JSON.stringify(await readSnapshot(db, name, { after: null, limit: LIMIT }))).not.toContain(
          'canary-secret',
        );
    });
  });

  describe('a replica', () => {
    const SIZE = { checks: 40, configs: 30, components: 10, incidents: 12, changes: 30, jobs: 10, seed: 3 };
    beforeAll(async () => {
      await seedDatabase(db, { ...SIZE, nowMs: Date.now() });
    });
    const snapshotOf = async (name: CollectionName, limit: number) => {
      const rows = new Map<string, unknown>();
      let after: string | null = null;
      do {
        const page = await readSnapshot(db, name, { after, limit });
        for (const row of page.rows) rows.set(row.id, row);
        after = page.next;
      } while (after !== null);
      return rows;
    };

    test('snapshots in pages of any size are the same rows', async () => {
      for (const name of COLLECTIONS) {
        const whole = await snapshotOf(name, LIMIT);
        expect([...(await snapshotOf(name, 7)).keys()], name).toEqual([...whole.keys()]);
      }
    });

    const smallNames = async () => (await readSmallSnapshots(db, COLLECTIONS)).map((one) => one.collection);

    test('collections of few rows come whole in one answer, the same as each by itself', async () => {
      const small = await readSmallSnapshots(db, COLLECTIONS);
      const isSmall = async (name: CollectionName) => (await snapshotOf(name, LIMIT)).size < 100;
      const expected: CollectionName[] = [];
      for (const name of COLLECTIONS) if (await isSmall(name)) expected.push(name);
      expect(small.map(({ collection }) => collection)).toEqual(expected);
      for (const { collection, rows, cursor: at } of small) {
        const page = await readSnapshot(db, collection, { after: null, limit: LIMIT });
        expect({ rows, at }, collection).toEqual({ rows: page.rows, at: page.cursor });
      }
      const two = await readSmallSnapshots(db, ['checks', 'incidents']);
      expect(two.map(({ collection }) => collection)).toEqual(['checks', 'incidents']);
    });

    test('many rows, or long ones, are left to be asked for by themselves', async () => {
      expect(await smallNames()).toEqual(expect.arrayContaining(['resources', 'incidents']));
      await db.run(
        `insert into teams (name, created_by) select 'small ' || n, '${person}' from generate_series(1, 100) n`,
      );
      await db.run(
        `update incidents set description = repeat('long ', 20000)
         where id = (select id from incidents where closed is null limit 1)`,
      );
      const left = await smallNames();
      expect(left).not.toContain('resources');
      expect(left).not.toContain('incidents');
    });

    test('the seed is in the log, too: from the first cursor on everything arrives', async () => {
      const { changes } = await read(cursor);
      const checks = changes.filter((change) => change.collection === 'checks');
      expect(checks.length).toBeLessThanOrEqual(SIZE.checks);
    });

    test('built from pages of any size while others write, equals the server', async () => {
      const write = (dice: number) => {
        const pick = `(select id from incidents order by md5(id::text || '${dice}') limit 1)`;
        const statements = [
          `update incidents set title = 'title ${dice}' where id = ${pick}`,
          `insert into comments (comment, incident_id, created_by) values ('c${dice}', ${pick}, '${person}')`,
          `delete from comments where id = (select id from comments order by md5(id::text || '${dice}') limit 1)`,
          `update checks set status = 'unhealthy' where id = (select id from checks order by md5(id::text || '${dice}') limit 1)`,
          `update responders set deleted_at = now() where id = (select id from responders order by md5(id::text || '${dice}') limit 1)`,
        ];
        return db.run(statements[dice % statements.length] ?? '');
      };
      const sameRows = async (limit: number, writes: readonly number[]) => {
        const rows = new Map<string, unknown>();
        let from = await head();
        const collections = ['incidents', 'incident_records', 'checks'] as const;
        for (const name of collections)
          for (const [id, row] of await snapshotOf(name, limit)) rows.set(`${name}/${id}`, row);
        const pending = [...writes];
        for (;;) {
          const dice = pending.shift();
          if (dice !== undefined) await write(dice);
          const page = await read(from, limit);
          from = page.cursor;
          for (const { collection, id, row } of page.changes) {
            if (row === null) rows.delete(`${collection}/${id}`);
            else rows.set(`${collection}/${id}`, row);
          }
          if (page.is_caught_up && pending.length === 0) break;
        }
        for (const name of collections) {
          const server = await snapshotOf(name, LIMIT);
          const mine = [...rows].filter(([key]) => key.startsWith(`${name}/`));
          expect(new Map(mine.map(([key, row]) => [key.slice(name.length + 1), row])), name).toEqual(server);
        }
      };
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 20 }),
          fc.array(fc.nat(1000), { maxLength: 12 }),
          async (limit, writes) => sameRows(limit, writes),
        ),
        { numRuns: kind === 'pglite' ? 12 : 6 },
      );
    });
  });
});
