/**
 * What a device keeps as time passes (design §4, table of scopes). The server's feed doesn't tell when a row grows
 * too old; both sides know the same numbers.
 */
import { lookupTable } from '../../lib/lookup-table.ts';
import { sortedBy } from '../../lib/sorted-by.ts';

const DAY_MS = 86_400_000;

type Row = Readonly<Record<string, unknown>>;

function ageOf(row: Row, field: string, nowMs: number): number {
  const value = row[field];
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? 0 : nowMs - at;
}

const TOO_OLD = lookupTable<(row: Row, nowMs: number) => boolean>({
  incidents: (row, nowMs) => ageOf(row, 'closed', nowMs) > 90 * DAY_MS,
  config_changes: (row, nowMs) => ageOf(row, 'created_at', nowMs) > 7 * DAY_MS,
  job_histories: (row, nowMs) => ageOf(row, 'created_at', nowMs) > 2 * DAY_MS,
  notification_history: (row, nowMs) => ageOf(row, 'created_at', nowMs) > 7 * DAY_MS,
  playbook_runs: (row, nowMs) => ageOf(row, 'created_at', nowMs) > 7 * DAY_MS,
  configs: (row, nowMs) => ageOf(row, 'deleted_at', nowMs) > 7 * DAY_MS,
});

/** True when a row of that collection has grown too old to be kept. */
export function isOutOfScope(collection: string, row: Row, nowMs: number): boolean {
  return TOO_OLD[collection]?.(row, nowMs) ?? false;
}

/** Rows that go first when there are more than may be kept: those that changed longest ago. */
export function oldestFirst<R extends Row>(rows: readonly R[]): R[] {
  const stampOf = (row: R) => {
    const value = row['updated_at'] ?? row['created_at'];
    return typeof value === 'string' ? Date.parse(value) || 0 : 0;
  };
  return sortedBy(rows, stampOf);
}
