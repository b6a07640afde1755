/** Open insights of this device, joined with their items, filtered and in order; worst first unless asked otherwise. */
import type { ValueCount } from '../../../src/contract/catalog-view.ts';
import type {
  InsightColumn,
  InsightFrame,
  InsightQuery,
  InsightRow,
} from '../../../src/contract/insight-view.ts';
import { severitiesIn, severityRank } from '../../../src/domain/catalog/severity.ts';
import { comparableType } from '../../../src/domain/catalog/type-names.ts';
import { asText } from '../live/columns.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import type { WindowBoard } from '../window-view.ts';
import { wordsOf } from './catalog-filter.ts';
import { countInto, valueCounts } from './facets.ts';

const known = (value: unknown): string | null => asText(value) || null;

/** All insights with what is known of their items. */
function rowsOf(insights: RowTable, configs: RowTable): InsightRow[] {
  return Array.from(insights.takenSlots(), (slot) => {
    const read = (column: string) => known(insights.valueAt(slot, column));
    const configId = read('config_id') ?? '';
    const config = configs.slotOf(configId);
    const ofConfig = (column: string) =>
      config === undefined ? null : known(configs.valueAt(config, column));
    return {
      id: insights.idAt(slot),
      configId,
      configName: ofConfig('name'),
      configType: ofConfig('type'),
      type: read('analysis_type'),
      analyzer: read('analyzer'),
      severity: read('severity'),
      status: read('status'),
      summary: read('summary') ?? read('message'),
      firstObserved: read('first_observed'),
      lastObserved: read('last_observed'),
    };
  });
}

function passes(row: InsightRow, query: InsightQuery, ids: ReadonlySet<string> | null): boolean {
  const { severity, type, analyzer, configId, configType } = query;
  if (severity !== null && !severitiesIn(severity).includes(row.severity?.toLowerCase() ?? '')) return false;
  if (type !== null && row.type !== type) return false;
  if (analyzer !== null && row.analyzer !== analyzer) return false;
  if (configId !== null && row.configId !== configId) return false;
  if (configType !== null && comparableType(row.configType ?? '') !== comparableType(configType))
    return false;
  if (ids !== null && !ids.has(row.configId)) return false;
  const words = wordsOf(query.search);
  if (words.length === 0) return true;
  const parts = [row.configName, row.configType, row.type, row.analyzer, row.summary];
  const haystack = parts.join('\n').toLowerCase();
  return words.every((word) => haystack.includes(word));
}

const KEYS: Record<InsightColumn, (row: InsightRow) => string | number | null> = {
  config: (row) => row.configName?.toLowerCase() ?? null,
  analysis_type: (row) => row.type,
  analyzer: (row) => row.analyzer,
  severity: (row) => severityRank(row.severity),
  first_observed: (row) => row.firstObserved,
  last_observed: (row) => row.lastObserved,
};

/** Unknown values last in either direction; ties by id, so that the order never wavers. */
function sorted(rows: readonly InsightRow[], { sortBy, isDescending }: InsightQuery): InsightRow[] {
  const key = KEYS[sortBy];
  return rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === y) return a.id < b.id ? -1 : 1;
    if (x === null || y === null) return x === null ? 1 : -1;
    return x < y === isDescending ? 1 : -1;
  });
}

function countsOf(rows: readonly InsightRow[], read: (row: InsightRow) => string | null): ValueCount[] {
  const counts = new Map<string, number>();
  for (const row of rows) countInto(counts, read(row));
  return valueCounts(counts);
}

/** Answers a query by going through all insights; the window's rows are cut from that. */
export function createInsightBoard(sources: {
  configs: LiveSource;
  insights: LiveSource;
}): (query: InsightQuery) => WindowBoard<InsightFrame, InsightRow> {
  return (query) => {
    const all = rowsOf(sources.insights.index.table, sources.configs.index.table);
    const ids = query.configIds === null ? null : new Set(query.configIds);
    const found = sorted(
      all.filter((row) => passes(row, query, ids)),
      query,
    );
    return {
      frame: {
        // Without the items the rows would have no names.
        isLoaded: sources.insights.isLoaded() && sources.configs.isLoaded(),
        rowCount: found.length,
        totalCount: all.length,
        types: countsOf(all, (row) => row.type),
        analyzers: countsOf(all, (row) => row.analyzer),
        configTypes: countsOf(all, (row) => row.configType),
      },
      rows: (start, end) => found.slice(start, end),
    };
  };
}
