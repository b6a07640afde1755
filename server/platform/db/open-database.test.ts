import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { forEachDatabase } from './test-databases.ts';

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.run(
      'create table notes (id int primary key, body jsonb, tags text[], at timestamptz, amount numeric, total bigint)',
    );
  });

  describe('rows', () => {
    test('a written row comes back as JSON with times that carry their offset', async () => {
      const rows = await db.rows(
        z.unknown(),
        `insert into notes (id, body, tags, at, amount, total) values ($1, $2, $3, $4, $5, $6)
         returning id, body, tags, at, amount, total`,
        [
          1,
          { a: [1, 'two'] },
          ['x, y', 'z"\\'],
          new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 678)),
          1.25,
          9007199254740991,
        ],
      );
      expect(rows).toEqual([
        {
          id: 1,
          body: { a: [1, 'two'] },
          tags: ['x, y', 'z"\\'],
          at: '2024-01-02T03:04:05.678+00:00',
          amount: 1.25,
          total: 9007199254740991,
        },
      ]);
    });

    test('rows keep the order that the statement gives them', async () => {
      const rows = await db.rows(
        z.custom<{ n: number }>(),
        'select n from generate_series(1, 500) as n order by n desc',
      );
      expect(rows.map((row) => row.n)).toEqual(Array.from({ length: 500 }, (_, index) => 500 - index));
    });

    test('no rows are an empty list, booleans and nulls may be parameters', async () => {
      expect(
        await db.rows(
          z.unknown(),
          'select id from notes where id = $1 and $2::boolean and $3::text is null',
          [77, true, null],
        ),
      ).toEqual([]);
    });
  });

  test('text answers one value and null for none', async () => {
    expect(await db.text('select $1::text || $2', ['a', 'b'])).toBe('ab');
    expect(await db.text(`select '{"a":1}'::json`)).toBe('{"a":1}');
    expect(await db.text('select body::text from notes where id = -1')).toBeNull();
  });

  test('a list of ids matches any of them', async () => {
    expect(await db.run('update notes set total = 1 where id = any($1)', [[1, 2, 3]])).toBe(1);
  });

  test('a refused statement names its SQLSTATE and constraint', async () => {
    await db.run('insert into notes (id) values (50)');
    const failure: unknown = await db
      .run('insert into notes (id) values (50)')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(failure).toMatchObject({ sqlState: '23505', constraint: 'notes_pkey', code: 'conflict' });
    expect(failure).toMatchObject({ detail: 'Key (id)=(50) already exists.' });
  });

  describe('transactions', () => {
    test('what throws leaves nothing behind', async () => {
      const work = db.transaction(async (tx) => {
        await tx.run('insert into notes (id) values (60)');
        throw new Error('changed my mind');
      });
      await expect(work).rejects.toThrow('changed my mind');
      expect(await db.rows(z.unknown(), 'select id from notes where id = 60')).toEqual([]);
    });

    test('a failed statement rolls all of it back and the database goes on', async () => {
      const work = db.transaction(async (tx) => {
        await tx.run('insert into notes (id) values (61)');
        await tx.run('insert into notes (id) values (61)');
      });
      await expect(work).rejects.toBeInstanceOf(DatabaseError);
      expect(await db.rows(z.unknown(), 'select id from notes where id = 61')).toEqual([]);
    });

    test('forty at once do not mix', async () => {
      await db.run('insert into notes (id, total) values (70, 0)');
      await Promise.all(
        Array.from({ length: 40 }, () =>
          db.transaction(async (tx) => {
            const before = await tx.text('select total::text from notes where id = 70 for update');
            await tx.run('update notes set total = $1 where id = 70', [Number(before) + 1]);
          }),
        ),
      );
      expect(await db.text('select total::text from notes where id = 70')).toBe('40');
    });
  });
});
