/** When the workers of a device that has rows start. */
import type { DataPlatform } from './platform.ts';
import type { FirstWindows } from './windows/first-windows.ts';

/** A page that shows no rows of the cache, or that paints nothing, waits no longer. */
const LIMIT_MS = 300;

/**
 * After the paint of the page's first rows where they are cached, because the workers would take the processor from it;
 * else as soon as the page asks.
 */
export function whenPainted(platform: DataPlatform, firstWindows: FirstWindows): Promise<void> {
  return new Promise((resolve) => {
    firstWindows.onFirstRead((isCached) => {
      if (isCached) platform.afterPaint(resolve);
      else resolve();
    });
    platform.later(LIMIT_MS, resolve);
  });
}
