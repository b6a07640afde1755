/** Names of the facts beside the rows, agreed between the writer and the readers of a store. */

/** The fact that is true once a collection is in whole (design §4 law 10). */
export function wholeMark(collection: string): string {
  return `whole:${collection}`;
}

export const WHOLE_CHECKS = wholeMark('checks');

/**
 * True once the boot copy of the checks is whole; a board is never shown before. The copy is the same rows in
 * packed pages: reading 10,000 takes 40 to 80 ms there and 250 to 400 ms from RxDB's table (measured in
 * Chromium). RxDB's rows decide: whoever writes compares both at its start and corrects the copy.
 */
export const BOOT_CHECKS = 'boot:checks';

/** How the boot copy is cut: small enough that folding a page never takes long. */
export const bootShape = {
  idOf: (row: { id: string }) => row.id,
  /** The last digit of an id is evenly spread. */
  partitionOf: (id: string) => id.slice(-1),
};

/** BroadcastChannel on which StoreChange messages go out. */
export const STORE_CHANNEL = 'holdfast-store';

/** The kept document that holds uptime and latency of all checks over another range than the last hour. */
export function summaryDocumentId(range: string): string {
  return `summary:${range}`;
}

/** A kept document: whatever is large or rarely needed, with the time at which it was true. */
export interface CachedDocument {
  id: string;
  asOfMs: number;
  body: unknown;
}

/** Body of a summary document. */
export interface SummaryBody {
  checks: { id: string; uptime: { passed: number; failed: number }; latency: Record<string, unknown> }[];
}

export const documentShape = {
  idOf: (document: CachedDocument) => document.id,
  /** One partition a document: each is read alone. */
  partitionOf: (id: string) => id,
};
