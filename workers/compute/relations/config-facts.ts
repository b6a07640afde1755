/** What the relationships page shows and filters of a config item, read from the rows that live queries hold. */
import { asPairs, asText, type Pairs } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';

export interface ConfigFacts {
  name: string;
  type: string;
  status: string | null;
  health: string | null;
  labels: Pairs;
  tags: Pairs;
  deletedAt: string | null;
  /** Ids from the root to the parent, joined by dots. */
  path: string;
}

const NONE: Pairs = {};

/** Undefined for an item that isn't there. */
export function factsOf(table: RowTable, id: string): ConfigFacts | undefined {
  const slot = table.slotOf(id);
  if (slot === undefined) return undefined;
  const text = (column: string) => asText(table.valueAt(slot, column));
  return {
    name: text('name') || id,
    type: text('type') ?? '',
    status: text('status'),
    health: text('health'),
    labels: asPairs(table.valueAt(slot, 'labels')) ?? NONE,
    tags: asPairs(table.valueAt(slot, 'tags')) ?? NONE,
    deletedAt: text('deleted_at'),
    path: text('path') ?? '',
  };
}
