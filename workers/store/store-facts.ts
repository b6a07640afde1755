/** Names of the facts beside the rows, agreed between the writer and the readers of a store. */

/** True once the first snapshot of the checks is in whole; a board is never shown before (design §4 law 10). */
export const WHOLE_CHECKS = 'whole:checks';

/** BroadcastChannel on which StoreChange messages go out. */
export const STORE_CHANNEL = 'holdfast-store';

/** The kept document that holds uptime and latency of all checks over another range than the last hour. */
export function summaryDocumentId(range: string): string {
  return `summary:${range}`;
}

/** A kept document: whatever is large or rarely needed, with the time at which it was true. */
export interface KeptDocument {
  id: string;
  asOfMs: number;
  body: unknown;
}

/** Body of a summary document. */
export interface SummaryBody {
  checks: { id: string; uptime: { passed: number; failed: number }; latency: Record<string, unknown> }[];
}

export const documentShape = {
  idOf: (document: KeptDocument) => document.id,
  /** One partition a document: each is read alone. */
  partitionOf: (id: string) => id,
};
