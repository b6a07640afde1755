/** Where a list of changes comes from: this device when it has all that is asked for, else the server. */
import type { ChangeRow } from '../../../contract/http/catalog/config-changes.ts';
import { useLocalChanges } from '../../../data/queries/catalog/use-catalog.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import {
  changesWindow,
  isWithinRetention,
  MAX_STORED_CHANGES,
  type ChangesQuestion,
} from '../../../domain/catalog/changes-search.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { messages } from './messages.ts';

export interface FoundChanges {
  /** Undefined until there are any. */
  rows: readonly ChangeRow[] | undefined;
  total: number;
  /** Set when the answer is one of the server's: when it was true. */
  server: { asOfMs: number; isKept: boolean } | null;
  /** What is shown is less than what was asked for. */
  isPartial: boolean;
  problem: string | null;
}

/** The instant from which on this device has all changes; null when that is as far back as it keeps any. */
function useOldestMs(): number | null {
  const { total, rows } = useLiveQuery({
    collection: 'config_changes',
    where: [],
    search: '',
    sort: [{ field: 'created_at', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: 1 },
  });
  const first = rows[0];
  return total < MAX_STORED_CHANGES || first === undefined ? null : Date.parse(first.row.created_at ?? '');
}

/** Says which of the two it is, and whether this device lacks a part of what is asked for. */
export function useChanges(question: ChangesQuestion): FoundChanges {
  const device = useDevice();
  const { firstLoad } = useSyncStatus();
  const local = useLocalChanges(question);
  const oldestMs = useOldestMs();
  const { fromMs } = changesWindow(question, device.now());
  const isCut = oldestMs !== null && (fromMs === null || fromMs < oldestMs);
  const isWithin = isWithinRetention(question, device.now()) && !isCut;
  const isLocal = isWithin && (local.isLoaded || firstLoad === null);
  const { kept, error } = useQuery('changes', isLocal ? null : question);
  const localRows = local.isLoaded ? local.rows.map(({ row }) => row) : undefined;
  if (isLocal) return { rows: localRows, total: local.total, server: null, isPartial: false, problem: null };
  if (kept !== null)
    return {
      rows: kept.value.rows,
      total: kept.value.total,
      server: { asOfMs: kept.asOfMs, isKept: kept.source === 'device' },
      isPartial: false,
      problem: null,
    };
  if (error !== null && localRows !== undefined)
    return { rows: localRows, total: local.total, server: null, isPartial: true, problem: null };
  return {
    rows: undefined,
    total: 0,
    server: null,
    isPartial: false,
    problem: error === null ? null : messages.errorText(error),
  };
}
