/** What the database derives, on both databases: paths of config items, and which events are noted. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { subscribeEvents } from '../../jobs/event-query.ts';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const ITEMS = 6;
const id = (run: number, at: number) =>
  `10000000-0000-4000-8000-${String(run).padStart(6, '0')}${String(at).padStart(6, '0')}`;

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let runs = 0;
  beforeAll(async () => {
    db = await openDatabase();
  });

  const read = (run: number) =>
    db.rows(
      z.custom<{ id: string; parent_id: string | null; path: string | null }>(),
      'select id, parent_id, path from config_items where id = any($1::uuid[])',
      [Array.from({ length: ITEMS }, (_, at) => id(run, at))],
    );
  /** By the definition: from the root to the parent. */
  const pathOf = (parents: ReadonlyMap<string, string | null>, item: string): string => {
    const above: string[] = [];
    for (let at = parents.get(item) ?? null; at !== null; at = parents.get(at) ?? null) above.unshift(at);
    return above.join('.');
  };

  describe('the path of a config item', () => {
    /** Parents have lower numbers, so there is no circle. */
    const tree = fc.tuple(
      ...Array.from({ length: ITEMS }, (_, at) => (at === 0 ? fc.constant(null) : fc.option(fc.nat(at - 1)))),
    );
    const said = fc.constantFrom(undefined, '', 'nonsense');

    it('follows from its parents, however items come, move and what they say themselves', async () => {
      await fc.assert(
        fc.asyncProperty(tree, tree, said, async (first, then, path) => {
          runs += 1;
          const run = runs;
          const rows = first.map((parent, at) => ({
            id: id(run, at),
            name: `i${at}`,
            parent_id: parent === null ? null : id(run, parent),
            ...(path === undefined ? {} : { path }),
          }));
          const columns = path === undefined ? 'id, name, parent_id' : 'id, name, parent_id, path';
          await db.run(
            `insert into config_items (type, config_class, ${columns})
             select 'T', 'T', ${columns} from jsonb_populate_recordset(null::config_items, $1::jsonb)`,
            // Children before their parents.
            [JSON.stringify(rows.toReversed())],
          );
          const check = async () => {
            const stored = await read(run);
            const parents = new Map(stored.map((row) => [row.id, row.parent_id]));
            expect(stored.map((row) => [row.id, row.path ?? ''])).toEqual(
              stored.map((row) => [row.id, pathOf(parents, row.id)]),
            );
          };
          await check();
          for (const [at, parent] of then.entries()) {
            await db.run('update config_items set parent_id = $2 where id = $1', [
              id(run, at),
              parent === null ? null : id(run, parent),
            ]);
          }
          await check();
          await db.run(`update config_items set path = 'nonsense' where id = $1`, [id(run, ITEMS - 1)]);
          await check();
        }),
        { numRuns: 12 },
      );
    });

    it('names the nearest 60 ancestors of a deeper item, also when its root moves', async () => {
      const run = 888_888;
      const depth = 90;
      await db.run(
        `insert into config_items (id, name, type, config_class, parent_id)
         select id, id::text, 'T', 'T', parent_id from json_to_recordset($1) as input(id uuid, parent_id uuid)`,
        [
          JSON.stringify(
            Array.from({ length: depth }, (_, at) => ({
              id: id(run, at),
              parent_id: at === 0 ? null : id(run, at - 1),
            })),
          ),
        ],
      );
      const pathsAre = async (root: string[]) => {
        const rows = await db.rows(
          z.custom<{ path: string | null }>(),
          'select path from config_items where id::text between $1 and $2 order by id',
          [id(run, 0), id(run, depth - 1)],
        );
        const above = Array.from({ length: depth }, (_, at) => id(run, at));
        expect(rows.map(({ path }) => path ?? '')).toEqual(
          above.map((_, at) => [...root, ...above.slice(0, at)].slice(-60).join('.')),
        );
      };
      await pathsAre([]);
      const root = id(run, depth);
      await db.run(`insert into config_items (id, name, type, config_class) values ($1, 'root', 'T', 'T')`, [
        root,
      ]);
      await db.run('update config_items set parent_id = $2 where id = $1', [id(run, 0), root]);
      await pathsAre([root]);
    });

    it('ends where parents go in a circle', async () => {
      const [one, other] = [id(999_999, 0), id(999_999, 1)];
      await db.run(
        `insert into config_items (id, name, type, config_class, parent_id)
         values ($1, 'a', 'T', 'T', null), ($2, 'b', 'T', 'T', $1)`,
        [one, other],
      );
      await db.run('update config_items set parent_id = $2 where id = $1', [one, other]);
      await db.run('update config_items set parent_id = null where id = $1', [one]);
      const rows = await db.rows(
        z.unknown(),
        `select path from config_items where id in ($1, $2) order by name`,
        [one, other],
      );
      expect(rows).toEqual([{ path: '' }, { path: one }]);
    });
  });

  it('events are noted for those who asked for them, and what was noted for nobody is gone', async () => {
    await db.run('delete from event_queue');
    const noted = async () =>
      (await db.rows(z.custom<{ name: string }>(), 'select name from event_queue order by name')).map(
        (row) => row.name,
      );
    const happen = async (event: string) => db.text(`select queue_event($1, '{}')::text`, [event]);
    await happen('config.updated');
    await happen('incident.created');
    await subscribeEvents(db, ['incident.created', 'incident.comment.added']);
    expect(await noted()).toEqual(['incident.created']);
    await happen('config.updated');
    await happen('incident.comment.added');
    expect(await noted()).toEqual(['incident.comment.added', 'incident.created']);
  });
});
