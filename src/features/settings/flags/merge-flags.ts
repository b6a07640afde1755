import type { PropertyRow } from '../../../contract/http/table-views.ts';

export interface Flag {
  /** Its name: there is one of each. */
  id: string;
  name: string;
  value: string;
  description: string;
  /** Set outside the database: cannot be edited here. */
  isLocal: boolean;
  source: string;
  createdBy: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

/** The flags that hold, with who made those that are in the database (contract §3). */
export function mergeFlags(effective: readonly PropertyRow[], stored: readonly PropertyRow[]): Flag[] {
  const byName = new Map(stored.map((row) => [row.name, row]));
  return effective.map((row) => {
    const isLocal = row.source === 'local';
    const own = isLocal ? undefined : byName.get(row.name);
    const creator = own?.created_by;
    return {
      id: row.name,
      name: row.name,
      value: row.value ?? '',
      description: row.description ?? '',
      isLocal,
      source: row.source ?? '',
      createdBy: typeof creator === 'object' ? (creator?.name ?? null) : null,
      createdAt: own?.created_at ?? null,
      updatedAt: own?.updated_at ?? null,
    };
  });
}
