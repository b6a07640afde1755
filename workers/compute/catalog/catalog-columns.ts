/**
 * The columns of the catalog's front, read from the rows that live queries hold: what a type, a status or labels stand
 * for is worked out once for each different one, not for each item.
 */
import { healthOfWord, type HealthState } from '../../../src/domain/check/health.ts';
import { classOfType, comparableType } from '../../../src/domain/catalog/type-names.ts';
import type { SlotReader } from '../../../src/contract/row-index/column.ts';
import { asNumber, asPairs, asText, type Pairs } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import type { Tally, Tallies } from './tallies.ts';

/** Of one state of the items; a changed row needs others. */
export interface CatalogColumns {
  table: RowTable;
  name: SlotReader<string | null>;
  /** In small letters. */
  nameKey: SlotReader<string>;
  /** Null, not empty, when it has none. */
  type: SlotReader<string | null>;
  configClass: SlotReader<string | null>;
  status: SlotReader<string | null>;
  health: SlotReader<HealthState>;
  tags: SlotReader<Pairs | null>;
  cost1d: SlotReader<number>;
  cost7d: SlotReader<number>;
  cost30d: SlotReader<number>;
  createdAt: SlotReader<string | null>;
  updatedAt: SlotReader<string | null>;
  deletedAt: SlotReader<string | null>;
  tally: SlotReader<Tally | undefined>;
}

const knownText = (value: unknown) => asText(value) || null;

/** As types are compared (links write them differently). */
export const typeKey = (type: unknown) => comparableType(asText(type) ?? '');

/** As statuses are compared. */
export const statusKey = (status: unknown) => (asText(status) ?? '').toLowerCase();

function tallyReader(table: RowTable, tallies: Tallies): SlotReader<Tally | undefined> {
  const bySlot: (Tally | undefined)[] = Array.from({ length: table.slotCount });
  for (const [id, tally] of tallies.all()) {
    const slot = table.slotOf(id);
    if (slot !== undefined) bySlot[slot] = tally;
  }
  return (slot) => bySlot[slot];
}

/** The columns as they are now. */
export function columnsOf(table: RowTable, tallies: Tallies): CatalogColumns {
  return {
    table,
    name: table.map('name', asText),
    nameKey: table.map('name', (value) => (asText(value) ?? '').toLowerCase()),
    type: table.map('type', knownText),
    configClass: table.map('type', (value) => {
      const type = knownText(value);
      return type === null ? null : classOfType(type);
    }),
    status: table.map('status', asText),
    health: table.map('health', (value) => healthOfWord(asText(value))),
    tags: table.map('tags', asPairs),
    cost1d: table.map('cost_total_1d', asNumber),
    cost7d: table.map('cost_total_7d', asNumber),
    cost30d: table.map('cost_total_30d', asNumber),
    createdAt: table.map('created_at', asText),
    updatedAt: table.map('updated_at', asText),
    deletedAt: table.map('deleted_at', asText),
    tally: tallyReader(table, tallies),
  };
}
