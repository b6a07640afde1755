/** What workers of other tabs, and the one that reads the store, say on the store's channel besides changes. */

function isOfType(message: unknown, type: string): message is { type: string } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}

/** Somebody signed in or out in another tab. */
export function isSessionMessage(message: unknown): boolean {
  return isOfType(message, 'session');
}

/** A reader found something in that store that doesn't parse any more. */
export function isDamageMessage(message: unknown, storeName: string | undefined): boolean {
  return isOfType(message, 'damaged') && 'storeName' in message && message.storeName === storeName;
}

/** Canaries were stored. */
export function isCanariesMessage(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'collection' in message &&
    message.collection === 'canaries'
  );
}
