/** New config items: many in one statement lead to what they lead to one by one, on both databases. */
import fc from 'fast-check';
import { beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const ITEMS = 7;
const idOf = (run: number, at: number) =>
  `39000000-0000-4000-8000-${String(run).padStart(6, '0')}${String(at).padStart(6, '0')}`;
const HEALTHS = ['healthy', 'unhealthy', null] as const;

interface NewItem {
  at: number;
  parent: number | null;
  health: (typeof HEALTHS)[number];
}

/** Parents have lower numbers, so there is no circle; they come in any order. */
const items = fc
  .tuple(
    ...Array.from({ length: ITEMS }, (_, at) =>
      fc.record({
        at: fc.constant(at),
        parent: at === 0 ? fc.constant(null) : fc.option(fc.nat(at - 1)),
        health: fc.constantFrom(...HEALTHS),
      }),
    ),
  )
  .chain((made) => fc.shuffledSubarray<NewItem>(made, { minLength: ITEMS }));

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let runs = 0;
  beforeAll(async () => {
    db = await openDatabase();
  });

  const insert = (run: number, list: readonly NewItem[]) =>
    db.run(
      `insert into config_items (id, name, type, config_class, parent_id, health)
       select id, name, 'T', 'T', parent_id, health from jsonb_populate_recordset(null::config_items, $1::jsonb)`,
      [
        JSON.stringify(
          list.map(({ at, parent, health }) => ({
            id: idOf(run, at),
            name: `i${at}`,
            parent_id: parent === null ? null : idOf(run, parent),
            health,
          })),
        ),
      ],
    );
  /** Paths, and the events that wait, with the run's own digits taken out of the ids. */
  const consequences = async (run: number) => {
    const rows = await db.rows(
      z.custom<{ text: string }>(),
      `select concat_ws(' ', 'path', name, path) as text from config_items where id = any($1::uuid[])
       union all
       select concat_ws(' ', name, properties::text, attempts) from event_queue
       where properties ->> 'id' = any($1::text[])`,
      [Array.from({ length: ITEMS }, (_, at) => idOf(run, at))],
    );
    return rows.map(({ text }) => text.replaceAll(idOf(run, 0).slice(0, -6), '')).toSorted();
  };

  it('have the same paths and events whether they come in one statement or one by one', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const [together, apart] = [(runs += 1), (runs += 1)];
        for (const run of [together, apart])
          // One that waits already, and was tried: it starts afresh.
          await db.run(
            `insert into event_queue (name, properties, attempts)
             values ('config.created', jsonb_build_object('id', $1::text), 3)`,
            [idOf(run, 2)],
          );
        await insert(together, list);
        // A parent has to be there.
        for (const item of list.toSorted((one, other) => one.at - other.at)) await insert(apart, [item]);
        const found = await consequences(together);
        expect(found).toEqual(await consequences(apart));
        expect(found.filter((text) => text.startsWith('config.created'))).toHaveLength(ITEMS);
        expect(found.filter((text) => text.endsWith(' 3'))).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it('note nothing that nobody asked for', async () => {
    await db.run(`insert into event_subscriptions (name) values ('incident.created')`);
    await insert(999_999, [{ at: 0, parent: null, health: null }]);
    expect(await consequences(999_999)).toEqual(['path i0']);
  });
});
