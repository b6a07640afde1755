/** What a specification hides for its names (migration 0124) hides no kind of check or scraper. On both databases. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { noteLiterals } from '../../server/connections/note-literals.ts';
import { createRedactor } from '../../server/platform/crypto/redact.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { entryKinds, offeredKinds, readDocumentSchema } from '../../src/ui/document/schema-fields.ts';

const TABLES = [
  { table: 'canaries', schema: 'canary.spec.schema.json' },
  { table: 'config_scrapers', schema: 'scrape_config.spec.schema.json' },
] as const;

/** Each kind with one entry: texts under names that tell nothing, and a token. */
function specOf(schema: string, token: string): Record<string, unknown> {
  const read = readDocumentSchema(JSON.parse(schemaFile(schema) ?? 'null'));
  const kinds = read === null ? [] : offeredKinds(entryKinds(read));
  const entry = { name: 'a', description: 'for orders', endpoint: 'mail.example.com:993', token };
  return Object.fromEntries(kinds.map(({ key, isSingle }) => [key, isSingle ? entry : [entry]]));
}

forEachDatabase((_name, openDatabase) => {
  test.each(TABLES)('$table: of every kind only what signs in is hidden', async ({ table, schema }) => {
    const db = await openDatabase();
    const written = specOf(schema, 'hu5h-mark');
    expect(Object.keys(written).length).toBeGreaterThan(15);
    const namespace =
      table === 'canaries' ? { column: ', namespace', value: `, 'default'` } : { column: '', value: '' };
    const [row] = await db.rows(
      z.object({ spec: z.unknown() }),
      `insert into ${table} (name, source, spec${namespace.column}) values ('every', 'UI', $1::jsonb${namespace.value}) returning spec`,
      [JSON.stringify(written)],
    );
    expect(row?.spec).toEqual(specOf(schema, '***'));
  });
});

test.each(TABLES)('$table: results of every kind may say where it calls', ({ schema }) => {
  const redactor = createRedactor();
  noteLiterals(specOf(schema, 'hu5h-mark'), redactor);
  expect(redactor.text('orders at mail.example.com:993 took hu5h-mark')).toBe(
    'orders at mail.example.com:993 took ***',
  );
});
