/** Columns made of the values that checks have under one key, and the cells of a row under them. */
import type { PivotSummary } from '../worker.ts';
import { tabKey } from '../../domain/check/grouping.ts';
import type { Entry } from './check-index.ts';
import { totalsOf } from './measures.ts';
import { addTo } from '../../lib/group-by.ts';

const LABEL_PREFIX = 'label:';

/** The column a check falls under; null when it carries no such label. A label may also be named `label:key`. */
export function pivotValue({ check }: Entry, pivotBy: string): string | null {
  if (pivotBy === 'namespace' || pivotBy === 'agent') return tabKey(check, pivotBy);
  if (pivotBy === 'type') return check.type;
  const key = pivotBy.startsWith(LABEL_PREFIX) ? pivotBy.slice(LABEL_PREFIX.length) : pivotBy;
  return check.labels[key] ?? null;
}

/** The columns, sorted. */
export function pivotColumnsOf(entries: readonly Entry[], pivotBy: string | null): string[] {
  if (pivotBy === null) return [];
  const columns = new Set<string>();
  for (const entry of entries) {
    const value = pivotValue(entry, pivotBy);
    if (value !== null) columns.add(value);
  }
  return [...columns].toSorted();
}

function summaryOf(entries: readonly Entry[]): PivotSummary {
  const { health, latencyMs, total } = totalsOf(entries);
  const uptime = { passed: 0, failed: 0 };
  for (const { check } of entries) {
    uptime.passed += check.uptime.passed;
    uptime.failed += check.uptime.failed;
  }
  return { health, uptime, latencyMs, total };
}

/** The cells of one row; null when there is no pivot. */
export function pivotOf(
  entries: readonly Entry[],
  pivotBy: string | null,
): Record<string, PivotSummary> | null {
  if (pivotBy === null) return null;
  const columns = new Map<string, Entry[]>();
  for (const entry of entries) {
    const value = pivotValue(entry, pivotBy);
    if (value === null) continue;
    addTo(columns, value, entry);
  }
  return Object.fromEntries([...columns].map(([value, members]) => [value, summaryOf(members)]));
}
