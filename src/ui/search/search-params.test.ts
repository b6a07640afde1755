import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  choice,
  flag,
  pageParams,
  rangeParams,
  searchOptions,
  searchSchema,
  sortParams,
  text,
  triState,
  whole,
} from './search-params.ts';

const schema = searchSchema({
  ...sortParams,
  ...pageParams,
  ...rangeParams,
  tab: text,
  isOpen: flag,
  start: whole,
  layout: choice(['table', 'card']),
  status: triState,
});

const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const searches = fc.record(
  {
    sortBy: word,
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    pageIndex: fc.nat(),
    pageSize: fc.nat(),
    range: word,
    tab: word,
    isOpen: fc.boolean(),
    start: fc.nat(),
    layout: fc.constantFrom('table' as const, 'card' as const),
    status: fc.dictionary(
      fc.constantFrom('a', 'a,b', 'x:y', 'ends:1', 'Ümlaut'),
      fc.constantFrom(1 as const, -1 as const),
      {
        minKeys: 1,
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: [] },
);
const names = fc.constantFrom(
  'sortBy',
  'pageIndex',
  'isOpen',
  'start',
  'layout',
  'status',
  'other',
  '__proto__',
);
const texts = fc.oneof(
  word,
  fc.constantFrom('', '-1', '1e400', 'NaN', ':1', ',', 'TRUE', '%', '[object Object]'),
);

/** The link as a browser keeps it. */
const linked = (search: object) =>
  Object.fromEntries(new URLSearchParams(new URLSearchParams(schema.format(search)).toString()));

describe('parameters of a link', () => {
  test('what is formatted is parsed as the same', () => {
    fc.assert(
      fc.property(searches, (search) => {
        expect(schema.parse(linked(search))).toEqual(search);
      }),
    );
  });

  test('whatever a link says is read, and says the same once it is written again', () => {
    fc.assert(
      fc.property(fc.dictionary(names, texts), (link) => {
        const search = schema.parse(link);
        expect(schema.parse(linked(search))).toEqual(search);
        expect(schema.parse(search)).toEqual(search);
      }),
    );
  });

  test('what is no text of a link and no value of a page is as good as nothing', () => {
    const foreign = {
      isOpen: 1,
      start: -2,
      layout: { table: 1 },
      status: { a: 2 },
      tab: null,
      pageIndex: 'x',
    };
    expect(schema.format(foreign)).toEqual({});
  });

  test('words count whatever their capitals', () => {
    expect(schema.parse({ layout: 'CARD' })).toEqual({ layout: 'card' });
  });
});

/** A router with one page, as src/app/router.tsx has it. */
function routerAt(link: string) {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/list', ...searchOptions(schema) });
  return createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [link] }),
    parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
    stringifySearch: (search) => `?${new URLSearchParams(search as Record<string, string>).toString()}`,
  });
}

describe('the router', () => {
  test('reads values from a link, keeps names that it does not know, and is no error for any text', () => {
    const router = routerAt('/list?status=a:1,b:-1&start=x&isOpen=true&other=1');
    const match = router.matchRoutes(router.latestLocation).at(-1);
    expect(match?.searchError).toBeUndefined();
    expect(match?.search).toEqual({ status: { a: 1, b: -1 }, isOpen: true, other: '1' });
  });

  test('writes the values that a page hands back as texts, and takes out what is undefined', () => {
    const location = routerAt('/list?status=a:1&tab=x&start=7&other=1').buildLocation({
      to: '.',
      search: (before: object) => ({ ...before, status: { b: -1 }, tab: undefined, isOpen: false }) as never,
      _includeValidateSearch: true,
    });
    expect(location.searchStr).toBe('?status=b%3A-1&start=7&other=1&isOpen=false');
  });
});
