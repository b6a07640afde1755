/**
 * Which of the app's files are cached. The first installation caches what the shell and the pages of the menus need
 * and is over then; the rest follows when a page asks for it. A new version takes over only with all of its files, so
 * that it never replaces a whole app by a part of one.
 *
 * Workbox answers from the cache and removes what earlier versions left. The caching itself is done here: Workbox
 * fetches one file after the other (GoogleChrome/workbox#2880), and only during an installation.
 */
import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import type { OfflineProgress } from '../../src/contract/offline-progress.ts';
import { watchForSilence, type Timers } from './silence-watch.ts';
import type { StaticRoute } from './static-route.ts';

/** A line of the list that the build writes (scripts/precache-order.ts), in the order in which they are cached. */
export interface AppFile extends PrecacheEntry {
  /** Not needed by the shell and the pages of the menus. */
  isLater?: true;
}

/** HTTP/1.1 has six connections to a host, and the pages need some for their data. */
const FETCHES_AT_ONCE = { installing: 4, later: 2 } as const;

/** The server answered, but not with the file: a new version may have replaced it. */
class NotServedError extends Error {}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** What it takes of the service worker. */
export interface AppFilesScope extends Timers {
  caches: Pick<CacheStorage, 'open'>;
  fetch(url: string, options: RequestInit): Promise<Response>;
  registration: { readonly active: unknown; update(): Promise<unknown> };
}

/** One for a version of the service worker; `files` are those of its build. */
export class AppFiles {
  private readonly scope: AppFilesScope;
  private readonly files: readonly AppFile[];
  private readonly controller = new PrecacheController();
  private caching: Promise<void> | null = null;
  private isStorageFull = false;

  constructor(scope: AppFilesScope, files: readonly AppFile[]) {
    this.scope = scope;
    this.files = files;
    this.controller.addToCacheList([...files]);
  }

  /** The same as `createRoute` for files whose name changes with their content, for a browser that asks the cache itself. */
  staticRoute(): StaticRoute {
    return { condition: { urlPattern: '/assets/*' }, source: { cacheName: cacheNames.precache } };
  }

  /** Answers requests for the files. */
  createRoute(): PrecacheRoute {
    return new PrecacheRoute(this.controller);
  }

  /** Answers with one file, whatever was asked for. */
  createHandler(url: string): ReturnType<PrecacheController['createHandlerBoundToURL']> {
    return this.controller.createHandlerBoundToURL(url);
  }

  /** Fails when a file can't be cached; what is cached stays for the next try. */
  async install(): Promise<void> {
    const isFirst = this.scope.registration.active === null;
    const missing = await this.missing();
    await this.cacheAll(
      isFirst ? missing.filter(({ isLater }) => isLater !== true) : missing,
      isFirst ? FETCHES_AT_ONCE.installing : FETCHES_AT_ONCE.later,
    );
  }

  /** One of the files that are cached. */
  async read(url: string): Promise<Response> {
    const answer = await this.controller.matchPrecache(url);
    if (answer === undefined) throw new NotServedError(`${url} is not cached`);
    return answer;
  }

  /** Removes the files of earlier versions. */
  async activate(event: Parameters<PrecacheController['activate']>[0]): Promise<void> {
    await this.controller.activate(event);
  }

  /** Caches what is left, or as much as can be had now. */
  cacheRest(): Promise<void> {
    this.caching ??= this.tryRest().finally(() => {
      this.caching = null;
    });
    return this.caching;
  }

  async progress(): Promise<OfflineProgress> {
    const missing = await this.missing();
    return {
      part: (this.files.length - missing.length) / this.files.length,
      hasMenuPages: missing.every(({ isLater }) => isLater === true),
      isStorageFull: this.isStorageFull && missing.length > 0,
    };
  }

  private async tryRest(): Promise<void> {
    this.isStorageFull = false;
    try {
      await this.cacheAll(await this.missing(), FETCHES_AT_ONCE.later);
    } catch (error) {
      this.isStorageFull = isQuotaExceeded(error);
      if (error instanceof NotServedError) await this.scope.registration.update();
      // Without a network nothing is wrong: a page asks again.
      else if (!this.isStorageFull && !(error instanceof TypeError)) throw error;
    }
  }

  private async missing(): Promise<AppFile[]> {
    const cache = await this.scope.caches.open(cacheNames.precache);
    const cached = new Set((await cache.keys()).map(({ url }) => url));
    return this.files.filter(({ url }) => !cached.has(this.keyOf(url)));
  }

  /** In the given order, some at once; after the first that fails no other is begun. */
  private async cacheAll(files: readonly AppFile[], atOnce: number): Promise<void> {
    const cache = await this.scope.caches.open(cacheNames.precache);
    const queue = [...files];
    const work = async () => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        await this.cacheFile(cache, file).catch((error: unknown) => {
          queue.length = 0;
          throw error;
        });
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async cacheFile(cache: Cache, { url, revision, integrity }: AppFile): Promise<void> {
    const silence = watchForSilence(this.scope);
    try {
      const answer = await this.scope.fetch(url, {
        credentials: 'same-origin',
        // The name of a file without a revision changes with its content: the browser's own cache may have it.
        cache: typeof revision === 'string' ? 'reload' : 'default',
        signal: silence.signal,
        ...(integrity === undefined ? {} : { integrity }),
      });
      // Some networks lead every request to their own sign-in page.
      if (!answer.ok || answer.redirected) throw new NotServedError(`${url}: ${answer.status}`);
      await cache.put(this.keyOf(url), silence.watch(answer));
    } finally {
      silence.end();
    }
  }

  private keyOf(url: string): string {
    return this.controller.getCacheKeyForURL(url) ?? url;
  }
}
