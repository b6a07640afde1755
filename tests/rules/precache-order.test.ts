/** Which built files the service worker caches first: a page that is said to work offline lacks nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStepOf, type BuiltChunk, type BuiltGraph } from '../../scripts/precache-order.ts';

const STEPS = ['first', 'pages', 'parts'];
const MENU_PAGES = '/app/src/app/routes/menu-pages.ts';
const OTHER_ROUTES = '/app/src/app/routes/entry-routes.tsx';

const chunk = (name: string, modules: string[], needs: string[] = []): BuiltChunk => ({
  fileName: `assets/${name}.js`,
  isEntry: name === 'index',
  needs,
  modules,
});

test('pages of the menus and what the shell loads come first, other pages next, what pages load when used last', () => {
  const stepOf = createStepOf({
    chunks: [
      chunk('index', ['/app/src/app/main.tsx', MENU_PAGES, OTHER_ROUTES]),
      chunk('Bell', ['/app/src/features/inbox/InboxBell.tsx']),
      chunk('Catalog', ['/app/src/features/catalog/CatalogPage.tsx'], ['assets/table.js', 'assets/list.css']),
      chunk('table', ['/app/src/ui/DataTable.tsx']),
      chunk('Login', ['/app/src/features/identity/Login.tsx'], ['assets/table.js', 'assets/form.css']),
      chunk('editor', ['/app/src/ui/CodeEditor.tsx']),
    ],
    lazyImports: new Map([
      ['/app/src/app/main.tsx', ['/app/src/features/inbox/InboxBell.tsx']],
      [MENU_PAGES, ['/app/src/features/catalog/CatalogPage.tsx']],
      [OTHER_ROUTES, ['/app/src/features/identity/Login.tsx']],
      ['/app/src/features/catalog/CatalogPage.tsx', ['/app/src/ui/CodeEditor.tsx']],
    ]),
  });
  const files = [
    'index.js',
    'Bell.js',
    'Catalog.js',
    'table.js',
    'list.css',
    'Login.js',
    'form.css',
    'editor.js',
  ];
  expect(files.map((file) => stepOf(`assets/${file}`))).toEqual([
    ...Array.from({ length: 5 }, () => 'first'),
    'pages',
    'pages',
    'parts',
  ]);
  expect(stepOf('icon.svg')).toBe('first');
  expect(stepOf('assets/sync.worker.js')).toBe('first');
});

/** Any graph: chunk 0 is the entry, with the two route modules in it; the rest import each other as they like. */
const anyGraph = fc.integer({ min: 2, max: 12 }).chain((size) => {
  const some = fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 });
  return fc
    .record({
      needs: fc.array(some, { minLength: size, maxLength: size }),
      lazy: fc.array(some, { minLength: size, maxLength: size }),
      menu: some,
      routes: some,
    })
    .map(({ needs, lazy, menu, routes }): BuiltGraph => {
      const file = (index: number) => `assets/${index}.js`;
      const module = (index: number) => `/app/src/features/${index}.tsx`;
      return {
        chunks: needs.map((list, index) => ({
          fileName: file(index),
          isEntry: index === 0,
          needs: list.map(file),
          modules: index === 0 ? [module(0), MENU_PAGES, OTHER_ROUTES] : [module(index)],
        })),
        lazyImports: new Map([
          ...lazy.map((list, index): [string, string[]] => [module(index), list.map(module)]),
          [MENU_PAGES, menu.map(module)],
          [OTHER_ROUTES, routes.map(module)],
        ]),
      };
    });
});

test('a file never comes before one that it needs, and nothing that the menus lead to comes later', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const stepOf = createStepOf(graph);
      const fileOf = new Map(
        graph.chunks.flatMap(({ fileName, modules }) => modules.map((id) => [id, fileName])),
      );
      for (const { fileName, isEntry, needs } of graph.chunks) {
        if (isEntry) expect(stepOf(fileName)).toBe('first');
        for (const needed of needs)
          expect(STEPS.indexOf(stepOf(needed))).toBeLessThanOrEqual(STEPS.indexOf(stepOf(fileName)));
      }
      for (const page of graph.lazyImports.get(MENU_PAGES) ?? [])
        expect(stepOf(fileOf.get(page) ?? '')).toBe('first');
      for (const page of graph.lazyImports.get(OTHER_ROUTES) ?? [])
        expect(stepOf(fileOf.get(page) ?? '')).not.toBe('parts');
    }),
    { numRuns: 500 },
  );
});
