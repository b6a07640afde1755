/** What workers of other tabs, and the one that reads the store, say on the store's channel besides changes. */
import type { StoreChange } from '../../../src/contract/worker.ts';

function isOfType(message: unknown, type: string): message is { type: string } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}

/** Somebody signed in or out in another tab. */
export function isSessionMessage(message: unknown): boolean {
  return isOfType(message, 'session');
}

/** A text that somebody writes was kept or forgotten in another tab. */
export function isDraftsMessage(message: unknown, storeName: string): boolean {
  return isOfType(message, 'drafts') && 'storeName' in message && message.storeName === storeName;
}

/** A reader found something in that store that doesn't parse any more. */
export function isDamageMessage(message: unknown, storeName: string | undefined): boolean {
  return isOfType(message, 'damaged') && 'storeName' in message && message.storeName === storeName;
}

/** Rows that the worker which leads stored there; null for any other message. */
export function storedRows(message: unknown, storeName: string | undefined): StoreChange | null {
  const isChange =
    typeof message === 'object' &&
    message !== null &&
    'storeName' in message &&
    message.storeName === storeName &&
    'collection' in message &&
    'upserts' in message;
  // Another worker of this version sends it; its rows were parsed when they came in from the server.
  return isChange ? (message as StoreChange) : null;
}
