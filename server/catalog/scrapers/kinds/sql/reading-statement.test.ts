/** What a statement is, by its words, wherever it begins. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOnlyReading, isReadingStatement } from './reading-statement.ts';

const before = fc
  .array(fc.constantFrom(' ', '\n', '(', '-- drop\n', '# drop\n', '/* drop */', '/**/', '\t'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));
const reading = fc.constantFrom(
  'select 1',
  'SELECT * from a',
  'with a as (select 1) select * from a',
  'Show tables',
);
const changing = fc.constantFrom(
  'create table a (b int)',
  'drop table a',
  'call a()',
  'analyze table a',
  'selects',
  '/*! drop table a */',
  '/*!50000 drop table a */',
  '/*M! drop table a */',
  '--drop',
  '',
);

test('the first word says it, behind any spaces, brackets and comments', () => {
  fc.assert(
    fc.property(before, reading, changing, (begin, reads, changes) => {
      expect(isReadingStatement(begin + reads)).toBe(true);
      expect(isOnlyReading(begin.replaceAll('drop', '') + reads)).toBe(true);
      expect(isReadingStatement(begin + changes)).toBe(false);
    }),
  );
});

test.each([
  'select 1; drop table a',
  'select * from a update a set b = 1',
  'with a as (delete from b returning c) select * from a',
  'select * into a from b',
  'select 1 exec a',
  "select nextval('a')",
  'insert into a values (1)',
])('%s does not only read', (text) => expect(isOnlyReading(text)).toBe(false));
