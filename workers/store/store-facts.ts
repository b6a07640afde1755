/** Names of the facts beside the rows, agreed between the writer and the readers of a store. */
import { COLLECTION_FACTS, type CollectionName } from '../../src/contract/collections.ts';

/** The mark of a collection that is in packed pages, and of those that the first layout had in RxDB. */
export function packedMark(collection: CollectionName): string {
  return `whole:${collection}`;
}

/** The fact that is true once a collection is in whole (design §4 law 10), where it is kept now. */
export function wholeMark(collection: CollectionName): string {
  return COLLECTION_FACTS[collection].store === 'rxdb' ? `whole:rxdb:${collection}` : packedMark(collection);
}

/** How packed rows are cut: small enough that folding a page never takes long. */
export const rowShape = {
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
