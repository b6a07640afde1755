/** Random queries against a model in memory, and random nonsense that must stay a refusal. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DataApi } from '../../server/replication/data-api/data-api.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { getFrom, openDataApi } from './data-api-estate.ts';
import type { Get } from './data-api-estate.ts';

const CANARY = '11111111-1111-1111-1111-111111111111';
const WORDS = [
  '',
  'a',
  'B',
  'a,b',
  'x"y',
  'back\\slash',
  'per%cent',
  'under_score',
  '(p)',
  'é',
  'null',
  'a.b',
  "qu'ote",
  ' ',
];

interface Row {
  id: string;
  name: string;
  owner: string | null;
  severity: string | null;
}

const rowId = (index: number) => `55555555-5555-5555-5555-${String(index).padStart(12, '0')}`;
const ROWS: Row[] = Array.from({ length: 60 }, (_, index) => ({
  id: rowId(index),
  name: `n${index}-${WORDS[index % WORDS.length] ?? ''}`,
  owner: index % 5 === 0 ? null : (WORDS[(index * 7) % WORDS.length] ?? ''),
  severity: index % 3 === 0 ? null : String(index % 4),
}));

type Column = 'owner' | 'severity';
type Operator = 'eq' | 'neq' | 'in' | 'is' | 'like';
interface Filter {
  kind: 'filter';
  column: Column;
  operator: Operator;
  negated: boolean;
  values: string[];
}
interface Tree {
  kind: 'and' | 'or';
  negated: boolean;
  of: (Filter | Tree)[];
}

/** SQL's three values: null is "unknown". */
type Truth = boolean | null;
const negate = (truth: Truth, negated: boolean): Truth => (truth === null || !negated ? truth : !truth);

function matchesLike(text: string, pattern: string): boolean {
  const source = pattern
    .split('')
    .map((part) => (part === '*' ? '[^]*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`).test(text);
}

function holdsFilter({ column, operator, negated, values }: Filter, row: Row): Truth {
  const actual = row[column];
  const [wanted = ''] = values;
  if (operator === 'is') return negate(actual === null, negated);
  if (actual === null) return operator === 'in' && values.length === 0 ? negate(false, negated) : null;
  switch (operator) {
    case 'eq':
      return negate(actual === wanted, negated);
    case 'neq':
      return negate(actual !== wanted, negated);
    case 'in':
      return negate(values.includes(actual), negated);
    case 'like':
      return negate(matchesLike(actual, wanted), negated);
  }
}

function holds(condition: Filter | Tree, row: Row): Truth {
  if (condition.kind === 'filter') return holdsFilter(condition, row);
  const truths = condition.of.map((member) => holds(member, row));
  const decisive = condition.kind === 'or';
  const truth = truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
  return negate(truth, condition.negated);
}

const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function operation({ operator, negated, values }: Filter, isInTree: boolean): string {
  const [first = ''] = values;
  const value =
    operator === 'in'
      ? `(${values.map(quote).join(',')})`
      : operator === 'is'
        ? 'null'
        : isInTree
          ? quote(first)
          : first;
  return `${negated ? 'not.' : ''}${operator}.${value}`;
}

function spell(condition: Filter | Tree): string {
  if (condition.kind === 'filter') return `${condition.column}.${operation(condition, true)}`;
  return `${condition.negated ? 'not.' : ''}${condition.kind}(${condition.of.map(spell).join(',')})`;
}

function parameter(condition: Filter | Tree): string {
  const [name, value] =
    condition.kind === 'filter'
      ? [condition.column, operation(condition, false)]
      : [`${condition.negated ? 'not.' : ''}${condition.kind}`, `(${condition.of.map(spell).join(',')})`];
  return `${name}=${encodeURIComponent(value)}`;
}

const filters: fc.Arbitrary<Filter> = fc
  .record({
    column: fc.constantFrom<Column>('owner', 'severity'),
    operator: fc.constantFrom<Operator>('eq', 'neq', 'in', 'is', 'like'),
    negated: fc.boolean(),
    values: fc.array(fc.constantFrom(...WORDS, '1', '2'), { maxLength: 4 }),
    prefix: fc.constantFrom('*', 'a*', '*b', '*a*', '1', 'a,*'),
  })
  .map(({ prefix, values, ...rest }) => ({
    kind: 'filter',
    ...rest,
    values: rest.operator === 'like' ? [prefix] : values,
  }));

const { tree } = fc.letrec<{ tree: Tree; member: Filter | Tree }>((tie) => ({
  tree: fc.record({
    kind: fc.constantFrom<'and' | 'or'>('and', 'or'),
    negated: fc.boolean(),
    of: fc.array(tie('member'), { minLength: 1, maxLength: 3 }),
  }),
  member: fc.oneof({ maxDepth: 3, depthIdentifier: 'tree' }, filters, tie('tree')),
}));

forEachDatabase((_name, open) => {
  let db: Database;
  let api: DataApi;
  let get: Get;
  beforeAll(async () => {
    db = await open();
    ({ api } = await openDataApi(db));
    get = getFrom(api);
    await db.run(
      `insert into checks (id, canary_id, type, name, owner, severity)
       select id, $1, 'http', name, owner, severity
       from jsonb_to_recordset($2::jsonb) as rows(id uuid, name text, owner text, severity text)`,
      [CANARY, JSON.stringify(ROWS)],
    );
  });

  test('any filter finds what the model finds, in any order, on any page', async () => {
    const question = fc.record({
      conditions: fc.array(fc.oneof(filters, tree), { maxLength: 3 }),
      descending: fc.boolean(),
      limit: fc.integer({ min: 0, max: 70 }),
      offset: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ conditions, descending, limit, offset }) => {
        const matching = ROWS.filter((row) =>
          conditions.every((condition) => holds(condition, row) === true),
        );
        const ordered = descending ? matching.toReversed() : matching;
        const expected = ordered.slice(offset, offset + limit).map((row) => row.id);
        const search = [
          'type=eq.http',
          'name=like.n*',
          'select=id',
          `order=id.${descending ? 'desc' : 'asc'}`,
          `limit=${limit}`,
          `offset=${offset}`,
          ...conditions.map(parameter),
        ].join('&');
        const answer = await get<{ id: string }[]>('checks', search, { prefer: 'count=exact' });
        if (offset > matching.length) {
          expect(answer.status).toBe(416);
          return;
        }
        expect(answer.json.map((row) => row.id)).toEqual(expected);
        expect(answer.headers['content-range']?.split('/')[1]).toBe(String(matching.length));
      }),
      { numRuns: 300, seed: 20240601 },
    );
  });

  describe('nonsense', () => {
    const PIECES = [
      'select',
      'order',
      'id',
      'name',
      'labels',
      'or',
      'and',
      'not',
      'checks',
      'canaries',
      'eq',
      'in',
      'is',
      'like',
      'null',
      'limit',
      'offset',
    ];
    const SIGNS = [
      '=',
      '.',
      ',',
      '(',
      ')',
      '!',
      ':',
      '::',
      '->',
      '->>',
      '"',
      '\\',
      '*',
      '&',
      '%',
      '%00',
      ' ',
      "'",
      ';',
      '--',
      '$1',
      'é',
      '-1',
      '9999999999',
    ];
    const soup = fc
      .array(fc.constantFrom(...PIECES, ...SIGNS), { minLength: 1, maxLength: 14 })
      .map((pieces) => pieces.join(''));
    const shaped = fc
      .record({
        name: fc.constantFrom(
          'id',
          'name',
          'labels',
          'select',
          'order',
          'limit',
          'offset',
          'or',
          'and',
          'not.or',
          'created_at',
          'created_at.filter',
          'canaries.id',
        ),
        value: soup,
      })
      .map(({ name, value }) => `${name}=${value}`);
    const queries = fc
      .array(fc.oneof(soup, shaped), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('&'));

    test('2,000 queries of nonsense: answered or refused in JSON, never a fault, never the text of a statement', async () => {
      let refusals = 0;
      await fc.assert(
        fc.asyncProperty(queries, async (search) => {
          const answer = await api.handle({
            method: 'GET',
            target: { kind: 'table', name: 'checks' },
            search,
            headers: {},
            roles: ['admin'],
          });
          expect(answer.status, search).toBeLessThan(500);
          const json: unknown = JSON.parse(answer.body);
          if (answer.status < 300) return;
          refusals += 1;
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expect(Object.keys(json as object)).toEqual(['code', 'message', 'details', 'hint']);
          expect(answer.body).not.toMatch(/\bselect t\d|json_agg|coalesce\(|_hf_|\bfrom "?checks"? t\d/);
        }),
        { numRuns: 2000, seed: 7 },
      );
      expect(refusals).toBeGreaterThan(1000);
      expect(await db.text('select count(*)::text from checks')).toBe('64');
    });

    test.each([
      ['id=eq.nonsense', '22P02'],
      ['nope=eq.1', '42703'],
      ['select=nope', '42703'],
      ['order=nope', '42703'],
      ['select=people(id)', 'PGRST200'],
      ['select=id::regclass', '42704'],
      ['name=startswith.a', 'PGRST100'],
      ['name=a', 'PGRST100'],
      ['agents.name=eq.x', 'PGRST108'],
      ['select=id,canaries(id)&order=agents(name)', 'PGRST108'],
      ['select=id,check_statuses(time)&order=check_statuses(time)', 'PGRST118'],
      ['limit=many', 'PGRST100'],
      ['name=is.maybe', 'PGRST100'],
      ['created_at.filter=someday', 'PGRST100'],
      [`or=${'and('.repeat(200)}id.eq.1${')'.repeat(200)}`, 'PGRST100'],
    ])('%s is refused with 400 and %s', async (search, code) => {
      expect(await get('checks', search)).toMatchObject({ status: 400, json: { code } });
    });

    test.each([
      ['labels->>a->b=eq.1', 404, '42883'],
      ['name->>a=eq.1', 404, '42883'],
      ['limit=-1', 416, 'PGRST103'],
    ])('%s is refused with %s and %s', async (search, status, code) => {
      expect(await get('checks', search)).toMatchObject({ status, json: { code } });
    });
  });
});
