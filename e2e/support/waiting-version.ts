/** A new version of the app that was fetched and waits for a page to let it take over. */
import type { Page } from '@playwright/test';
import { PROGRESS_QUESTION } from '../../src/contract/offline-progress.ts';

/** Makes the browser look for a new version, as it does by itself now and then. */
export async function lookForVersion(page: Page): Promise<void> {
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
}

/** Whether one waits. */
export async function isVersionWaiting(page: Page): Promise<boolean> {
  return page.evaluate(
    async () => ((await navigator.serviceWorker.getRegistration())?.waiting ?? null) !== null,
  );
}

/** Over when the version that waits has done what pages asked of it until now: it answers in turn. */
export async function settleVersion(page: Page): Promise<void> {
  await page.evaluate(async (question) => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => port1.addEventListener('message', resolve));
    port1.start();
    (await navigator.serviceWorker.getRegistration())?.waiting?.postMessage(question, [port2]);
    await answer;
  }, PROGRESS_QUESTION);
}
