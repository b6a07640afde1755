/** When a device has something durable: data by the store's facts, files by the service worker, asked inside the page. */
import type { Page } from 'playwright-core';
import { PROGRESS_QUESTION } from '../../src/contract/offline-progress.ts';

/** Runs in the page, as text: resolves with the page's time when a fact of the store passes the test. */
const whenFact = (key: string, test: string) => `(async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
  for (;;) {
    const names = (await indexedDB.databases()).map((one) => one.name ?? '');
    const name = names.find((one) => /^holdfast-[0-9a-f]+-meta$/.test(one));
    if (name !== undefined) {
      const db = await new Promise((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
      });
      const value = db === null ? undefined : await new Promise((resolve) => {
        const request = db.transaction('facts').objectStore('facts').get(${JSON.stringify(key)});
        request.onsuccess = () => resolve(request.result?.value);
        request.onerror = () => resolve(undefined);
      });
      db?.close();
      if ((${test})(value)) return performance.now();
    }
    await wait();
  }
})()`;

/** When everything that there was is on the device; answers the page's time. */
export function whenReplicated(page: Page): Promise<number> {
  return page.evaluate<number>(whenFact('log:cursor', '(value) => typeof value === "string"'));
}

/** Runs in the page, as text: resolves when the service worker has cached all of the app's files. */
const WHEN_CACHED = `(async () => {
  const { active } = await navigator.serviceWorker.ready;
  const ask = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data.part);
    active.postMessage(${JSON.stringify(PROGRESS_QUESTION)}, [port2]);
  });
  while ((await ask()) !== 1) await new Promise((resolve) => setTimeout(resolve, 200));
})()`;

/** When a visit has put everything on the device: until then each start competes with what is being put there. */
export async function whenOnDevice(page: Page): Promise<void> {
  await whenReplicated(page);
  await page.evaluate(WHEN_CACHED);
}

/** When the device's cursor stands there or later; answers the page's time. */
export function whenCaughtUp(page: Page, cursor: string): Promise<number> {
  const place = Number(cursor.split('.')[1]);
  return page.evaluate<number>(
    whenFact('log:cursor', `(value) => Number(String(value).split('.')[1]) >= ${place}`),
  );
}
