/**
 * The app's one page under the addresses that icons, bookmarks and walls open, for a browser that asks the cache itself:
 * it starts the app before this worker (decision 0094). Each version has a cache of its own, so that a version that waits
 * leaves the page of the one in use as it is.
 */
import type { StaticRoute } from './static-route.ts';

const PREFIX = 'holdfast-pages-';
/** Without a query: an address that is not cached letter by letter would be asked of the network. */
const ADDRESSES = [
  '/',
  '/health',
  '/topology',
  '/incidents',
  '/catalog',
  '/logs',
  '/playbooks',
  '/notifications',
  '/inbox',
  '/wall',
];

/** One for a version of the service worker. */
export class PageCopies {
  private readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  private readonly cacheName: string;

  /** `version` changes with the page. */
  constructor(caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>, version: string) {
    this.caches = caches;
    this.cacheName = `${PREFIX}${version}`;
  }

  /** Fails when there is no room. */
  async write(page: Response): Promise<void> {
    const cache = await this.caches.open(this.cacheName);
    await Promise.all(ADDRESSES.map((address) => cache.put(address, page.clone())));
  }

  /** Writes them where some are gone: a route whose page is gone would lead to the network. */
  async restore(read: () => Promise<Response>): Promise<void> {
    const cache = await this.caches.open(this.cacheName);
    if ((await cache.keys()).length < ADDRESSES.length) await this.write(await read());
  }

  /** For what was written. */
  routes(): StaticRoute[] {
    return ADDRESSES.map((pathname) => ({
      condition: { urlPattern: { pathname, search: '' }, requestMode: 'navigate' },
      source: { cacheName: this.cacheName },
    }));
  }

  /** Removes the pages of earlier versions. */
  async removeOthers(): Promise<void> {
    const names = await this.caches.keys();
    const others = names.filter((name) => name.startsWith(PREFIX) && name !== this.cacheName);
    await Promise.all(others.map((name) => this.caches.delete(name)));
  }
}
