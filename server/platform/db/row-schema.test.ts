/** What a statement answers fits its schema, or the statement fails and says which column of it doesn't. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './database.ts';
import { idRow } from './row-schema.ts';
import { forEachDatabase } from './test-databases.ts';

/** A kind of column: its schema, its type in SQL, values that it may have. */
const KINDS = {
  text: { schema: z.string(), sql: 'text', value: fc.string({ unit: 'grapheme-ascii' }) },
  whole: { schema: z.number(), sql: 'bigint', value: fc.integer() },
  flag: { schema: z.boolean(), sql: 'boolean', value: fc.boolean() },
  list: {
    schema: z.array(z.string()),
    sql: 'text[]',
    value: fc.array(fc.constantFrom('a', '"b"', '{c,d}', '')),
  },
} as const;
type Kind = keyof typeof KINDS;
const kind = fc.constantFrom<Kind>('text', 'whole', 'flag', 'list');

const column = kind.chain((name) =>
  fc.record({
    kind: fc.constant(name),
    isNullable: fc.boolean(),
    value: fc.option<unknown>(KINDS[name].value),
  }),
);

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  describe('rows read through a schema', () => {
    test('are what the database has, or are refused by the name of the column', async () => {
      const columns = fc.array(column, { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(columns, kind, async (drawn, claimedKind) => {
          // The first column is claimed to be of a kind that may be another than its own.
          const named = drawn.map((each, at) => ({
            ...each,
            name: `c${at}`,
            claimed: at === 0 ? claimedKind : each.kind,
          }));
          const schema = z.strictObject(
            Object.fromEntries(
              named.map(({ name, claimed, isNullable }) => {
                const one: z.ZodType = KINDS[claimed].schema;
                return [name, isNullable ? one.nullable() : one];
              }),
            ),
          );
          const sql = `select ${named.map(({ name, kind: own }, at) => `$${at + 1}::${KINDS[own].sql} as ${name}`).join(', ')}`;
          const wrong = named.filter(({ value, isNullable, kind: own, claimed }) =>
            value === null ? !isNullable : own !== claimed,
          );
          const answer = db.rows(
            schema,
            sql,
            named.map(({ value }) => value as string | null),
          );
          if (wrong.length === 0) {
            await expect(answer).resolves.toEqual([
              Object.fromEntries(named.map(({ name, value }) => [name, value])),
            ]);
            return;
          }
          const error: unknown = await answer.catch((thrown: unknown) => thrown);
          const message = String(error);
          for (const { name } of named)
            expect(message.includes(`"${name}":`)).toBe(wrong.some((each) => each.name === name));
          expect(message).toContain(sql.slice(0, 60));
        }),
        { numRuns: 60 },
      );
    });

    test.each([
      [
        'a column too few',
        `select '1' as id, 'x' as name where true`,
        z.strictObject({ id: z.string(), nam: z.string() }),
        ['"nam"', '"name"'],
      ],
      ['a column too many', `select '1' as id, 'x' as secret`, idRow, ['"secret"']],
      [
        'a word that is not on the list',
        `select 'open' as status`,
        z.strictObject({ status: z.enum(['closed']) }),
        ['"status"'],
      ],
      [
        'a part of a document',
        `select '{"a": {"b": 1}}'::jsonb as spec`,
        z.strictObject({ spec: z.object({ a: z.object({ b: z.string() }) }) }),
        ['"spec.a.b"'],
      ],
    ])('refuse %s, with the statement and the column', async (_what, sql, schema: z.ZodType, names) => {
      const refused = db.rows(schema, sql);
      await expect(refused).rejects.toMatchObject({ code: 'server' });
      for (const name of names) await expect(refused).rejects.toThrow(`${name}:`);
      await expect(refused).rejects.toThrow(sql);
    });

    test('are not read without a schema', async () => {
      // @ts-expect-error: claims a type
      await expect(db.rows<{ id: string }>(`select '1' as id`)).rejects.toThrow(TypeError);
    });

    test('say nothing of what a refused row holds', async () => {
      await expect(db.rows(idRow, `select 4711 as id`)).rejects.not.toThrow('4711:');
      await expect(db.rows(idRow, `select $1::int as id`, [4711])).rejects.not.toThrow('4711');
    });

    test('are refused inside a transaction, too, which then leaves nothing behind', async () => {
      await db.script('create table if not exists row_schema_notes (id int)');
      const work = db.transaction((tx) =>
        tx.rows(idRow, 'insert into row_schema_notes values (1) returning id'),
      );
      await expect(work).rejects.toThrow('"id"');
      expect(await db.text('select count(*)::text from row_schema_notes')).toBe('0');
    });
  });
});
