/** What the program takes from the browser's global scope because it holds no data. */
import { IDBKeyRange as FakeKeyRange } from 'fake-indexeddb';

/** Makes key ranges known; the databases themselves stay a matter of each device. */
export function ensureKeyRange(): void {
  globalThis.IDBKeyRange = FakeKeyRange;
}
