/** Rows of kept literals as an export has them: opened, because another server has another key. */
import { openStored } from '../../platform/crypto/sealed-values.ts';
import type { SecretTable, Opener } from '../../platform/crypto/sealed-values.ts';
import { TransferRefused } from './data-set.ts';

interface StoredLine {
  row_id?: string;
  team_id?: string;
  path: string;
  value: string;
  is_sealed: boolean;
  /** Where it was sealed for another path (migration 0112). */
  sealed_at?: string | null;
}

/** Whether the table holds literals of specifications that are sealed. */
export function isStoredTable(name: string): name is SecretTable {
  return name === 'spec_secrets' || name === 'team_secrets';
}

/** Lines of rows, joined by commas, with every value as it was written. */
export function openLines(table: SecretTable, text: string, opener: Opener | undefined): string {
  // Made by the database from the table's rows.
  const rows = JSON.parse(`[${text}]`) as StoredLine[];
  return rows
    .map((row) => {
      if (!row.is_sealed) return JSON.stringify(row);
      if (opener === undefined)
        throw new TransferRefused(`${table} is sealed and no key was given to open it`);
      const id = row.row_id ?? row.team_id ?? '';
      const { sealed_at: sealedAt, ...plain } = row;
      const path = sealedAt ?? row.path;
      const value = openStored(opener, row.value, { table, id, path, owner: `${table} of ${id}` });
      return JSON.stringify({ ...plain, value, is_sealed: false });
    })
    .join(',\n');
}
