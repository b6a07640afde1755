/** Rows that commands stand on, for one writing: of many commands each part of the store is read once. */
import type { CollectionName, ReplicatedRow } from '../../../../src/contract/collections.ts';
import { rowShape } from '../../../store/store-facts.ts';

type Partition = ReturnType<typeof rowShape.partitionOf>;
type LoadAll = (collection: CollectionName, partition: Partition) => Promise<readonly ReplicatedRow[]>;

/** See the head of this file. */
export function readRowsOnce(loadAll: LoadAll) {
  const read = new Map<string, Promise<ReadonlyMap<string, ReplicatedRow>>>();
  const load = async (collection: CollectionName, partition: Partition) =>
    new Map((await loadAll(collection, partition)).map((row) => [row.id, row]));
  return async (collection: CollectionName, id: string): Promise<ReplicatedRow | null> => {
    const partition = rowShape.partitionOf(id);
    const key = `${collection} ${partition}`;
    const rows = read.get(key) ?? load(collection, partition);
    read.set(key, rows);
    return (await rows).get(id) ?? null;
  };
}
