/** A snapshot's rows as files. Their names are fixed: nothing of a row ever becomes a path. */
import { zip } from 'fflate';
import type { Transactions } from '../../platform/db/database.ts';
import { toCsv } from './csv.ts';
import { readScope, readTable } from './snapshot-query.ts';
import type { Scope, SnapshotRequest, SnapshotTable } from './snapshot-query.ts';

const SOURCES: readonly [SnapshotTable, keyof Scope][] = [
  ['components', 'components'],
  ['config_items', 'configs'],
  ['config_changes', 'configs'],
  ['config_analysis', 'configs'],
  ['incidents', 'incidents'],
  ['hypotheses', 'incidents'],
  ['evidences', 'incidents'],
];

/** The files as a zip. */
export function zipped(files: Record<string, Uint8Array>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zip(files, (error, data) => (error === null ? resolve(data) : reject(error)));
  });
}

export interface Snapshot {
  /** By their names. */
  files: Record<string, Uint8Array>;
  /** Ids of the components in it. */
  components: readonly string[];
}

/** The rows as files; null when there is nothing of that id. */
export async function makeSnapshot(db: Transactions, request: SnapshotRequest): Promise<Snapshot | null> {
  const files: Record<string, Uint8Array> = {};
  const encoder = new TextEncoder();
  // One transaction: the files tell of the same moment.
  return db.transaction(async (tx) => {
    const scope = await readScope(tx, request);
    if (scope === null) return null;
    for (const [table, part] of SOURCES) {
      const { columns, rows } = await readTable(tx, table, { ...request, ids: scope[part] });
      files[`${table}.csv`] = encoder.encode(toCsv(columns, rows));
      if (table === 'components') files['components.json'] = encoder.encode(JSON.stringify(rows, null, 2));
    }
    return { files, components: scope.components };
  });
}
