/** What a store shows of the things that a catch-up card tells about. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type {
  CatchUpState,
  CheckThen,
  CommentThen,
  IncidentThen,
} from '../../../src/domain/sync/catch-up.ts';
import type { UserStore } from './user-store.ts';

const textOf = (row: ReplicatedRow, field: string): string => {
  const value = row[field];
  return typeof value === 'string' ? value : '';
};
const maybeText = (row: ReplicatedRow, field: string): string | null => textOf(row, field) || null;

const incidentThen = (row: ReplicatedRow): IncidentThen => ({
  incidentId: textOf(row, 'incident_id'),
  title: textOf(row, 'title'),
  status: textOf(row, 'status'),
  createdBy: maybeText(row, 'created_by'),
  commanderId: maybeText(row, 'commander_id'),
});

const commentThen = (row: ReplicatedRow): CommentThen => ({
  incidentId: textOf(row, 'incident_id'),
  by: maybeText(row, 'created_by'),
  text: textOf(row, 'comment'),
});

/** Reads whole collections, a part at a time: for the moment before and after a silence, not for every pull. */
export async function readCatchUpState(store: Pick<UserStore, 'checks' | 'rows'>): Promise<CatchUpState> {
  const state = {
    checks: new Map<string, CheckThen>(),
    incidents: new Map<string, IncidentThen>(),
    comments: new Map<string, CommentThen>(),
  };
  for await (const part of store.checks.loadParts())
    for (const { id, name, status } of part) state.checks.set(id, { name, status });
  for await (const part of store.rows.incidents.loadParts())
    for (const row of part) state.incidents.set(row.id, incidentThen(row));
  for await (const part of store.rows.incident_records.loadParts())
    for (const row of part) if (row['kind'] === 'comment') state.comments.set(row.id, commentThen(row));
  return state;
}
