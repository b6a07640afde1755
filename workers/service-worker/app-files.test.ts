/** What is cached when: a kill, a lost network or a full disk costs time, never a file, and never the app in use. */
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { AppFile, AppFiles, AppFilesScope } from './app-files.ts';

const ORIGIN = 'https://holdfast.test/';
let Files: typeof AppFiles;

beforeAll(async () => {
  // Workbox asks for these when it is loaded and when it makes the names of cached files.
  vi.stubGlobal('location', new URL(ORIGIN));
  vi.stubGlobal('self', globalThis);
  ({ AppFiles: Files } = await import('./app-files.ts'));
});

type Trouble = 'network' | 'full' | 'gone' | 'elsewhere' | 'silent' | 'silent within';

const rejectedBy = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** A browser that keeps its cache through restarts of the service worker, and a server that may be in trouble. */
class Device {
  readonly cached = new Map<string, Response>();
  readonly fetched: string[] = [];
  trouble = new Map<string, Trouble>();
  active: unknown = null;
  updates = 0;

  start(files: readonly AppFile[]): AppFiles {
    const cache = {
      keys: async () => [...this.cached.keys()].map((url) => ({ url: new URL(url, ORIGIN).href })),
      put: async (key: string, answer: Response) => {
        if (answer.headers.has('full')) throw new DOMException('no room', 'QuotaExceededError');
        await answer.clone().text();
        this.cached.set(key, answer);
      },
    };
    const scope = {
      caches: { open: async () => cache },
      fetch: async (url: string, { signal }: RequestInit) => {
        const trouble = this.trouble.get(url);
        if (trouble === 'silent') await rejectedBy(signal);
        if (trouble !== 'silent within') return this.answer(url);
        const body = new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode('a part'));
            await rejectedBy(signal).catch((error: unknown) => controller.error(error));
          },
        });
        return new Response(body);
      },
      registration: {
        active: this.active,
        update: async () => {
          this.updates += 1;
        },
      },
      // Fake ones take the place of these.
      setTimeout: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
      clearTimeout: (timer: number) => clearTimeout(timer),
    };
    // The rest of a browser's cache is Workbox's business.
    return new Files(scope as unknown as AppFilesScope, files);
  }

  private answer(url: string): Response {
    const trouble = this.trouble.get(url);
    if (trouble === 'network') throw new TypeError('Failed to fetch');
    this.fetched.push(url);
    const answer = new Response(url, {
      status: trouble === 'gone' ? 404 : 200,
      headers: trouble === 'full' ? { full: 'yes' } : {},
    });
    if (trouble === 'elsewhere') Object.defineProperty(answer, 'redirected', { value: true });
    return answer;
  }
}

const FILES: AppFile[] = [
  { url: 'index.html', revision: 'a' },
  { url: 'assets/index.js', revision: null },
  { url: 'assets/CatalogPage.js', revision: null },
  { url: 'assets/ItemPage.js', revision: null, isLater: true },
  { url: 'assets/editor.js', revision: null, isLater: true },
];

test('the first installation is over with the pages of the menus; the rest comes when a page asks', async () => {
  const device = new Device();
  const files = device.start(FILES);
  await files.install();
  expect(device.fetched).toEqual(FILES.slice(0, 3).map(({ url }) => url));
  expect(await files.progress()).toEqual({ part: 3 / 5, hasMenuPages: true, isStorageFull: false });
  await Promise.all([files.cacheRest(), files.cacheRest()]);
  expect(device.fetched).toEqual(FILES.map(({ url }) => url));
  expect(await files.progress()).toEqual({ part: 1, hasMenuPages: true, isStorageFull: false });
});

test('an update is not installed without all of its files, and fetches none that is there', async () => {
  const device = new Device();
  await device.start(FILES).install();
  device.active = {};
  const next: AppFile[] = [{ url: 'index.html', revision: 'b' }, ...FILES.slice(1)];
  device.fetched.length = 0;
  device.trouble.set('assets/editor.js', 'network');
  await expect(device.start(next).install()).rejects.toThrow('Failed to fetch');
  device.trouble.clear();
  const files = device.start(next);
  await files.install();
  expect((await files.progress()).part).toBe(1);
  expect(device.fetched.toSorted()).toEqual(['assets/ItemPage.js', 'assets/editor.js', 'index.html']);
});

test('a full disk is said until there is room again', async () => {
  const device = new Device();
  const files = device.start(FILES);
  await files.install();
  device.trouble.set('assets/editor.js', 'full');
  await files.cacheRest();
  expect(await files.progress()).toEqual({ part: 4 / 5, hasMenuPages: true, isStorageFull: true });
  device.trouble.clear();
  await files.cacheRest();
  expect(await files.progress()).toEqual({ part: 1, hasMenuPages: true, isStorageFull: false });
});

test('a file that the server no longer has makes the browser look for a new version', async () => {
  const device = new Device();
  const files = device.start(FILES);
  await files.install();
  device.trouble.set('assets/editor.js', 'gone');
  await files.cacheRest();
  expect(device.updates).toBe(1);
  expect((await files.progress()).part).toBe(4 / 5);
});

test.each<Trouble>(['silent', 'silent within'])(
  'a line that is %s gives its connection back',
  async (how) => {
    vi.useFakeTimers();
    try {
      const device = new Device();
      const files = device.start(FILES);
      device.trouble.set('assets/ItemPage.js', how);
      await files.install();
      const rest = files.cacheRest();
      await vi.advanceTimersByTimeAsync(29_000);
      expect(device.cached.size).toBe(FILES.length - 1);
      await vi.advanceTimersByTimeAsync(2000);
      await rest;
      device.trouble.clear();
      await files.cacheRest();
      expect((await files.progress()).part).toBe(1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  },
);

const anyTrouble = fc.constantFrom<Trouble>('network', 'full', 'gone', 'elsewhere');
const anyTries = fc.array(fc.dictionary(fc.constantFrom(...FILES.map(({ url }) => url)), anyTrouble), {
  maxLength: 6,
});

test('whatever fails, and however often it is started again: only what was sent as the file is cached, once, and at last all', async () => {
  await fc.assert(
    fc.asyncProperty(anyTries, async (tries) => {
      const device = new Device();
      const stored: string[] = [];
      for (const trouble of [...tries, {}]) {
        device.trouble = new Map(Object.entries(trouble));
        device.fetched.length = 0;
        // Started anew each time: nothing is remembered but the cache.
        const files = device.start(FILES);
        const before = device.cached.size;
        await files.install().catch(() => undefined);
        await files.cacheRest();
        const good = device.fetched.filter((url) => !device.trouble.has(url));
        expect(device.cached.size).toBe(before + good.length);
        stored.push(...good);
        expect((await files.progress()).part).toBe(device.cached.size / FILES.length);
      }
      expect(stored.toSorted()).toEqual(FILES.map(({ url }) => url).toSorted());
    }),
  );
});
