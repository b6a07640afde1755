/** How rows are shown that have commands of a device which the server has not confirmed. */
import type { CollectionName, ReplicatedRow } from '../collections.ts';
import type { Pending } from '../live-query.ts';

/** What the holder of server rows needs to know. */
export interface ShownRows {
  /** Rows of a collection that pending commands touch. */
  touchedIds(collection: CollectionName): Iterable<string>;
  /** A row as it is shown; null when it isn't. */
  shown(
    row: ReplicatedRow | null,
    place: { collection: CollectionName; id: string },
  ): { row: ReplicatedRow; pending: Pending } | null;
}

/** Where nothing is pending: each row is as the server has it. */
export const AS_THEY_ARE: ShownRows = {
  touchedIds: () => [],
  shown: (row) => (row === null ? null : { row, pending: 'none' }),
};
