import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeParse, type $ZodType } from 'zod/v4/core';
import { LIVE_ROW_SCHEMAS } from './live-row-schemas.ts';

const SCHEMAS = Object.entries(LIVE_ROW_SCHEMAS) as [string, $ZodType<Record<string, unknown>>][];
const isFine = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'object';

test.each(SCHEMAS)('whatever a server sends, a row of %s has the columns that pages read', (_, schema) => {
  const empty = safeParse(schema, { id: 'a' });
  const columns = Object.keys(empty.data ?? {}).filter((column) => column !== 'id');
  expect(columns.length).toBeGreaterThan(0);
  const junk = fc.dictionary(fc.constantFrom(...columns, 'another'), fc.anything());
  fc.assert(
    fc.property(junk, (given) => {
      const parsed = safeParse(schema, { ...given, id: 'a' });
      expect(parsed.success).toBe(true);
      const row = parsed.data ?? {};
      for (const column of columns) expect(isFine(row[column])).toBe(true);
      expect(row['another']).toEqual(given['another']);
      expect(safeParse(schema, row).data).toEqual(row);
    }),
    { numRuns: 200 },
  );
});

test('a text that is none is null, and what is a text stays', () => {
  const row = { id: 'a', name: 7, title: 'Restart', category: {}, steps: [1] };
  expect(safeParse(LIVE_ROW_SCHEMAS.playbooks, row).data).toEqual({
    ...row,
    name: null,
    category: null,
    description: null,
    icon: null,
    source: null,
    updated_at: null,
    definition: null,
  });
});
