import type { Page } from '@playwright/test';

/** What of the app's router is used here; the library keeps it there for its own tools. */
interface Router {
  state: { resolvedLocation?: object };
  history: { push(path: string): void };
  subscribe(event: 'onRendered', listener: () => void): () => void;
}

/**
 * Leads to another page of the app that is open, as a link in it does, and resolves when that page is drawn. For tests
 * that walk through many pages: opening each by its address starts the app anew, for two seconds of processor time.
 */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    const opened = window as unknown as { __TSR_ROUTER__?: Router };
    // The page that is left may not be there yet.
    while (opened.__TSR_ROUTER__?.state.resolvedLocation === undefined)
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    const router = opened.__TSR_ROUTER__;
    await new Promise<void>((resolve) => {
      const stop = router.subscribe('onRendered', () => {
        stop();
        resolve();
      });
      router.history.push(to);
    });
  }, path);
}
