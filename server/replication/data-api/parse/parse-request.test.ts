import { describe, expect, it } from 'vitest';
import { DataApiError } from './api-error.ts';
import { rewriteFilters } from './filter-rewrite.ts';
import { parseLogicTree } from './parse-condition.ts';
import { parseField, splitPath } from './parse-field.ts';
import { parseOrder } from './parse-order.ts';
import { parseRequest } from './parse-request.ts';
import { parseSelect } from './parse-select.ts';
import { parseQueryString } from './query-string.ts';
import { parseViewOrigins } from '../catalogue/view-origins.ts';

const plain = (column: string) => ({ column, arrows: [] });

describe('the query string', () => {
  it('forgives empty parts, a missing value, a bad percent sign', () => {
    expect(parseQueryString('?&a=b&&c&=&d=%zz+1&')).toEqual([
      { name: 'a', value: 'b' },
      { name: 'c', value: '' },
      { name: 'd', value: '%zz 1' },
    ]);
  });
});

describe('fields', () => {
  it('have paths into JSON, with text or JSON at the end', () => {
    expect(parseField('spec->http->0->>url')).toEqual({
      column: 'spec',
      arrows: [
        { asText: false, key: 'http' },
        { asText: false, key: '0' },
        { asText: true, key: 'url' },
      ],
    });
    expect(parseField('labels->>"a->b.c"').arrows).toEqual([{ asText: true, key: 'a->b.c' }]);
  });

  it('split at dots, but not inside a JSON path', () => {
    expect(splitPath('canaries.labels->>app.kubernetes.io/name')).toEqual([
      'canaries',
      'labels->>app.kubernetes.io/name',
    ]);
    expect(splitPath('name')).toEqual(['name']);
  });

  it.each(['', '->>a', 'a->', '"open'])('refuses %j', (text) => {
    expect(() => parseField(text)).toThrow(DataApiError);
  });
});

describe('select', () => {
  it('reads aliases, hints, casts and nesting, however spaced', () => {
    expect(parseSelect('id, t:time::text ,rel:agents!checks_agent_id_fkey!inner( id, name(x) )')).toEqual([
      { kind: 'field', alias: null, field: plain('id'), cast: null },
      { kind: 'field', alias: 't', field: plain('time'), cast: 'text' },
      {
        kind: 'embed',
        alias: 'rel',
        relation: 'agents',
        hint: 'checks_agent_id_fkey',
        isSpread: false,
        isInner: true,
        items: [
          { kind: 'field', alias: null, field: plain('id'), cast: null },
          {
            kind: 'embed',
            alias: null,
            relation: 'name',
            hint: null,
            isSpread: false,
            isInner: false,
            items: [{ kind: 'field', alias: null, field: plain('x'), cast: null }],
          },
        ],
      },
    ]);
  });

  it('means all columns when empty, and forgives one stray bracket', () => {
    expect(parseSelect('')).toEqual([{ kind: 'all' }]);
    expect(parseSelect('id)')).toHaveLength(1);
    expect(() => parseSelect('id))')).toThrow(DataApiError);
    expect(() => parseSelect('a(b')).toThrow(DataApiError);
    expect(() => parseSelect('a(b(c(d(e(f(g(h(i(j)))))))))')).toThrow(DataApiError);
  });
});

const plainly = { negated: false, quantifier: null, language: null };

describe('logic trees', () => {
  it('nest, negate, and keep quoted commas', () => {
    expect(parseLogicTree('or', false, '(a.eq."x,)y", not.and(b.in.(1,"2,3"),c.not.is.null))')).toEqual({
      kind: 'or',
      negated: false,
      of: [
        { kind: 'comparison', field: plain('a'), ...plainly, operator: 'eq', values: ['x,)y'] },
        {
          kind: 'and',
          negated: true,
          of: [
            { kind: 'comparison', field: plain('b'), ...plainly, operator: 'in', values: ['1', '2,3'] },
            {
              kind: 'comparison',
              field: plain('c'),
              ...plainly,
              negated: true,
              operator: 'is',
              values: ['null'],
            },
          ],
        },
      ],
    });
  });

  it('take a label key with dots', () => {
    const [condition] = parseLogicTree('or', false, '(labels->>app.kubernetes.io/name.neq.web)').of;
    expect(condition).toMatchObject({
      field: { arrows: [{ key: 'app.kubernetes.io/name' }] },
      operator: 'neq',
      values: ['web'],
    });
  });

  it.each(['', '()', '(a)', '(a.eq.1', '(a.eq.1))', 'a.eq.1', '(a.eq.1,)', '(a.foo.1)'])(
    'refuses %j',
    (text) => {
      expect(() => parseLogicTree('or', false, text)).toThrow(DataApiError);
    },
  );
});

describe('order', () => {
  it('has direction, nulls, JSON paths and embedded columns', () => {
    expect(parseOrder('a.desc.nullslast, labels->>x.y.asc,agents(name).desc,b.nullsfirst')).toEqual([
      { embed: null, field: plain('a'), descending: true, nulls: 'last' },
      {
        embed: null,
        field: { column: 'labels', arrows: [{ asText: true, key: 'x.y' }] },
        descending: false,
        nulls: null,
      },
      { embed: 'agents', field: plain('name'), descending: true, nulls: null },
      { embed: null, field: plain('b'), descending: false, nulls: 'first' },
    ]);
  });
});

describe('requests', () => {
  it('send parts of an embed to its scope', () => {
    const { scopes } = parseRequest(
      parseQueryString('a.b.limit=3&a.b.order=x&a.b.c=eq.1&a.not.or=(d.eq.1)&z=1'),
    );
    const scope = (path: string) => scopes.find((entry) => entry.path.join('.') === path);
    expect(scope('a.b')).toMatchObject({
      limit: 3,
      order: [{ field: plain('x') }],
      conditions: [{ field: plain('c') }],
    });
    expect(scope('a')?.conditions).toMatchObject([{ kind: 'or', negated: true }]);
    expect(scope('')?.withoutOperator).toEqual([{ name: 'z', value: '1' }]);
  });
});

describe('.filter', () => {
  const now = Date.parse('2024-06-01T12:00:00Z');
  const rewritten = (search: string) =>
    rewriteFilters(parseQueryString(search), now).map(({ name, value }) => `${name}=${value}`);

  it('turns lists into in, not.in and like', () => {
    expect(rewritten('type.filter=a,!b,c*,*d,e')).toEqual([
      'type=in.("a","e")',
      'type=not.in.("b")',
      'type=like.c*',
      'type=like.*d',
    ]);
    expect(rewritten('type.filter=x%252Cy&type.filter=z&other=eq.1')).toEqual([
      'type=in.("x,y")',
      'other=eq.1',
    ]);
  });

  it('turns date math into comparisons, older than by default', () => {
    expect(rewritten('created_at.filter=now-1d')).toEqual(['created_at=lt.2024-05-31T12:00:00.000Z']);
    expect(rewritten('created_at.filter=%3Enow/d')).toEqual(['created_at=gt.2024-06-01T00:00:00.000Z']);
    expect(() => rewritten('created_at.filter=soon')).toThrow(DataApiError);
  });
});

describe('view origins', () => {
  it('are read from the outermost target list alone, past escaped braces', () => {
    const tree =
      '({QUERY :x {RTE :y {TARGETENTRY :expr {VAR} :resno 9 :resname no :ressortgroupref 0 :resorigtbl 7 :resorigcol 7 :resjunk false}}' +
      ' :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname od\\{d :ressortgroupref 0 :resorigtbl 123 :resorigcol 4 :resjunk false}' +
      ' {TARGETENTRY :expr {FUNC} :resno 2 :resname c :ressortgroupref 0 :resorigtbl 0 :resorigcol 0 :resjunk false})})';
    expect(parseViewOrigins(tree)).toEqual([{ position: 1, relationOid: 123, columnNumber: 4 }]);
  });
});
