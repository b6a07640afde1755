import type { Page } from '@playwright/test';

/** What of the app's router is used here; the library keeps it there for its own tools. */
interface Router {
  history: { push(path: string): void };
  subscribe(event: 'onRendered', listener: () => void): () => void;
}

/**
 * Leads to another page of the app that is open, as a link in it does, and resolves when that page is drawn. For tests
 * that walk through many pages: opening each by its address starts the app anew, for two seconds of processor time.
 */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
        const stop = router.subscribe('onRendered', () => {
          stop();
          resolve();
        });
        router.history.push(to);
      }),
    path,
  );
}
