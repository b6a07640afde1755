/** No page waits for its file until it is drawn: the router loads it as soon as the address is known. */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Lazy pages that a route's component draws without telling the router of them. */
function untold(source: string): string[] {
  const lazy = Array.from(source.matchAll(/^const (\w+) = lazyRouteComponent\(/gm), ([, name]) => name ?? '');
  const routes = source.split(/(?=createRoute\()/).slice(1);
  const own = routes.map(
    (route) => /component: (?:function \w*)?\(.*/s.exec(route.split('\n});')[0] ?? '')?.[0] ?? '',
  );
  return own.flatMap((text) => lazy.filter((name) => text.includes(`<${name}`)));
}

it('every route loads the pages that it draws', () => {
  const files = fastGlob.sync('src/app/routes/*.tsx');
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap((file) => untold(readFileSync(file, 'utf8')))).toEqual([]);
});

const PAGE = "const Page = lazyRouteComponent(load, 'Page');\n";
it.each([
  ['component: function Route() {\n    return <Page id="1" />;\n  },', ['Page']],
  ['component: () => <Page />,', ['Page']],
  ['component: loadsPages([Page], function Route() {\n    return <Page id="1" />;\n  }),', []],
  ['component: Page,', []],
  ['component: function Route() {\n    return <Other />;\n  },', []],
])('%s', (component, names) => {
  expect(untold(`${PAGE}const route = createRoute({\n  ${component}\n});\n`)).toEqual(names);
});
