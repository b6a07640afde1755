/** What a browser has written down, so that it outlives a power cut. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Browsers write cookies down every half a minute: a screen whose power is cut before shows its code again. */
export function isCookieWritten(profile: string): boolean {
  const folder = join(profile, 'Default');
  const files = readdirSync(folder).filter((name) => name.startsWith('Cookies'));
  return files.some((name) => readFileSync(join(folder, name)).includes('ory_kratos_session'));
}

/** How many of the app's files a page has cached. */
export async function cachedFiles(page: Page | null): Promise<number> {
  return (
    page?.evaluate(async () => {
      const names = await caches.keys();
      const counts = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).length),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    }) ?? 0
  );
}
