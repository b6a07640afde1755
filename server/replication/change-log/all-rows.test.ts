/** All rows in pages: the same as in one answer, whatever the sizes; what fails is heard by who reads on. */
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { readAllRows } from './all-rows.ts';
import { readPage } from './feed-query.ts';

const ROWS = 7;
const BUSY_MS = 5;

/** Reads to the end, and is not there yet when the next page is. */
async function collect(pages: ReturnType<typeof readAllRows>): Promise<ReplicatedRow[][]> {
  const all: ReplicatedRow[][] = [];
  for await (const page of pages) {
    all.push(page);
    await setTimeout(BUSY_MS);
  }
  return all;
}

forEachDatabase((_, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.run(
      `insert into components (name, type, external_id, status)
       select 'c' || n, 'Host', 'c' || n, 'healthy' from generate_series(1, $1) as n`,
      [ROWS],
    );
  });

  test('are the rows of one answer, up to as many as were asked for', async () => {
    const all = await readPage(db, 'components', { after: null, limit: 100 });
    expect(all).toHaveLength(ROWS);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (most, pageRows) => {
          const pages = await collect(readAllRows(db, 'components', { most, pageRows }));
          expect(pages.flat()).toEqual(all.slice(0, most));
          expect(pages.every((page) => page.length <= pageRows)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('fail where a later page fails, and only for who reads on', async () => {
    let answers = 1;
    const failing = {
      ...db,
      text: (...asked: Parameters<Database['text']>) =>
        answers-- > 0 ? db.text(...asked) : Promise.reject(new Error('gone')),
    };
    const read = () => readAllRows(failing, 'components', { most: 100, pageRows: 3 });
    await expect(collect(read())).rejects.toThrow('gone');
    answers = 1;
    for await (const rows of read()) {
      expect(rows).toHaveLength(3);
      break;
    }
  });
});
