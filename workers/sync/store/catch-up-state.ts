/** What a store shows of the things that a catch-up card tells about. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { CatchUpState } from '../../../src/domain/sync/catch-up.ts';
import type { UserStore } from './user-store.ts';

const textOf = (row: ReplicatedRow, field: string): string => {
  const value = row[field];
  return typeof value === 'string' ? value : '';
};
const maybeText = (row: ReplicatedRow, field: string): string | null => textOf(row, field) || null;

/** Reads whole collections: for the moment before and after a silence, not for every pull. */
export async function readCatchUpState(store: UserStore): Promise<CatchUpState> {
  const [checks, incidents, records] = await Promise.all([
    store.checks.loadAll(),
    store.rows.incidents.loadAll(),
    store.rows.incident_records.loadAll(),
  ]);
  return {
    checks: new Map(checks.map(({ id, name, status }) => [id, { name, status }])),
    incidents: new Map(
      incidents.map((row) => [
        row.id,
        {
          incidentId: textOf(row, 'incident_id'),
          title: textOf(row, 'title'),
          status: textOf(row, 'status'),
          createdBy: maybeText(row, 'created_by'),
          commanderId: maybeText(row, 'commander_id'),
        },
      ]),
    ),
    comments: new Map(
      records
        .filter((row) => row['kind'] === 'comment')
        .map((row) => [
          row.id,
          {
            incidentId: textOf(row, 'incident_id'),
            by: maybeText(row, 'created_by'),
            text: textOf(row, 'comment'),
          },
        ]),
    ),
  };
}
