/** crawl over a small site of the test: what it leads to, what is missing, and where no sign-in goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindSetting } from '../../testing/kind-setting.ts';
import { startJsonServer } from '../../testing/json-server.ts';
import type { JsonServer } from '../../testing/json-server.ts';
import { runKind } from '../../testing/run-kind.ts';
import { linksOf } from './crawl.ts';

let site: JsonServer;
let other: JsonServer;
let pages: Record<string, string>;
const html = (body: string) => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body });

beforeAll(async () => {
  other = await startJsonServer(() => html('elsewhere'));
  site = await startJsonServer(({ url }) => {
    if (url.pathname === '/moved') return { status: 302, headers: { location: '/docs/' } };
    const page = pages[url.pathname];
    return page === undefined ? null : html(page);
  });
  pages = {
    '/': `<a href="/docs/">docs</a><a href="docs/#part">again</a><a href="/gone">x</a><a href="mailto:a@b">y</a><a href="${other.url}/out">z</a>`,
    '/docs/': '<a href="a">a</a><a href="/cdn/b">b</a>',
    '/docs/a': '<a href="deep">deep</a>',
  };
});
afterAll(() => {
  site.stop();
  other.stop();
});
const run = (crawl: object, more: object = {}, context = kindSetting()) =>
  runKind('http', { url: `${site.url}/`, crawl, ...more }, context);
const paths = (server: JsonServer) => server.asked.map(({ url }) => url.pathname);

describe('crawl', () => {
  test('follows the links of its own host once each, and tells those that answer badly', async () => {
    site.asked.length = 0;
    const found = await run({ disallowedURLFilters: ['/cdn/'], parallelism: 2, delay: '1ms' });
    expect(found).toMatchObject({ pass: false, error: `1 of 3 links answer badly: ${site.url}/gone` });
    expect(found.data['missing']).toEqual([`${site.url}/gone`]);
    expect(paths(site).toSorted()).toEqual(['/', '/docs/', '/docs/a', '/gone']);
    expect(paths(other)).toEqual([]);
  });
  test('a test of its own judges; filters say what is followed', async () => {
    const found = await run({ urlFilters: ['/docs/'], depth: 3 }, { test: { expr: 'size(missing) == 0' } });
    expect(found).toMatchObject({ pass: true, message: '3 links followed' });
    expect(found.data['missing']).toEqual([`${site.url}/docs/deep`]);
  });
  test('goes to hosts that are named, without what the check signs in with', async () => {
    other.asked.length = 0;
    const host = new URL(other.url).host;
    const context = kindSetting({
      guard: { check: async (name) => ({ host: name, addresses: [{ address: '127.0.0.1', family: 4 }] }) },
    });
    await run(
      { allowedDomains: [host], urlFilters: ['/out'] },
      { username: 'u', password: 'secret-9' },
      context,
    );
    expect(paths(other)).toEqual(['/out']);
    await run({ allowedDomains: [host], disallowedDomains: [host], urlFilters: ['/out'] }, {}, context);
    expect(paths(other)).toHaveLength(1);
    expect(JSON.stringify(other.asked)).not.toContain('authorization');
    expect(site.asked.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
  });
  test('links of a page that moved are those of where it is', async () => {
    const found = await run({ depth: 1 }, { url: `${site.url}/moved` });
    expect(JSON.stringify(found.data['pages'])).toContain('/docs/a');
  });
  test('reads base, leaves out what is no web address', () => {
    const page =
      '<base href="/x/"><a href="a">1</a><a href="javascript:1">2</a><iframe src="b"></iframe><a>3</a>';
    expect(linksOf(page, new URL('http://h/')).map(({ pathname }) => pathname)).toEqual(['/x/a', '/x/b']);
  });
});
