/** A page that is opened without the service worker is that of the version in use. */
import { expect, test } from 'vitest';
import { PageCopies } from './page-copies.ts';

function fakeCaches() {
  const all = new Map<string, Map<string, string>>();
  const caches = {
    open: async (name: string) => {
      const pages = all.get(name) ?? new Map<string, string>();
      all.set(name, pages);
      return {
        keys: async () => [...pages.keys()],
        put: async (url: string, page: Response) => void pages.set(url, await page.text()),
      };
    },
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  };
  // The rest of a browser's cache isn't asked here.
  return { all, caches: caches as unknown as CacheStorage };
}

test('each route leads to a page that is there, and to no address with a query', async () => {
  const { all, caches } = fakeCaches();
  const copies = new PageCopies(caches, 'a');
  await copies.write(new Response('version a'));
  expect(copies.routes().length).toBeGreaterThan(5);
  for (const { condition, source } of copies.routes()) {
    if (typeof condition.urlPattern === 'string' || source === 'network') throw new Error('not a page');
    expect(condition.urlPattern.search).toBe('');
    expect(all.get(source.cacheName)?.get(condition.urlPattern.pathname)).toBe('version a');
  }
});

test('a version that is installed leaves the page of the one in use, and removes it once it is in use itself', async () => {
  const { all, caches } = fakeCaches();
  await caches.open('workbox-precache');
  const [old, next] = [new PageCopies(caches, 'a'), new PageCopies(caches, 'b')];
  await old.write(new Response('version a'));
  await next.write(new Response('version b'));
  const pagesOf = (copies: PageCopies) =>
    copies
      .routes()
      .map(({ source }) => (source === 'network' ? 'none' : all.get(source.cacheName)?.get('/health')));
  expect(new Set(pagesOf(old))).toEqual(new Set(['version a']));
  await next.removeOthers();
  expect(new Set(pagesOf(old))).toEqual(new Set([undefined]));
  expect(new Set(pagesOf(next))).toEqual(new Set(['version b']));
  expect([...all.keys()]).toContain('workbox-precache');
});

test('pages that are gone are written again, and only then', async () => {
  const { all, caches } = fakeCaches();
  const copies = new PageCopies(caches, 'a');
  await copies.write(new Response('version a'));
  let reads = 0;
  const read = async () => {
    reads += 1;
    return new Response('version a');
  };
  await copies.restore(read);
  expect(reads).toBe(0);
  for (const pages of all.values()) pages.delete('/health');
  await copies.restore(read);
  expect([...all.values()].map((pages) => pages.get('/health'))).toEqual(['version a']);
  expect(reads).toBe(1);
});
