/** When a device has something durable: it is read from the store's facts, inside the page. */
import type { Page } from 'playwright-core';

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

/** When the device's cursor stands there or later; answers the page's time. */
export function whenCaughtUp(page: Page, cursor: string): Promise<number> {
  const place = Number(cursor.split('.')[1]);
  return page.evaluate<number>(
    whenFact('log:cursor', `(value) => Number(String(value).split('.')[1]) >= ${place}`),
  );
}
