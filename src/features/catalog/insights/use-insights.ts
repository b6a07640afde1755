/** Insights for what the link asks: open ones from this device, any others from the server. */
import type { InsightFrame, InsightQuery, InsightRow } from '../../../contract/insight-view.ts';
import type { TableCondition } from '../../../contract/http/table-question.ts';
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { Cached } from '../../../contract/worker.ts';
import { useInsightView } from '../../../data/queries/catalog/use-catalog-view.ts';
import { useComponentReach } from '../../../data/queries/topology/use-component-reach.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { severitiesIn } from '../../../domain/catalog/severity.ts';
import { rowOfView } from './insight-rows.tsx';
import type { InsightState } from './url-state.ts';

/** More of what is no longer open is narrowed by filters rather than paged through. */
const SERVER_ROWS = 500;
/** What one condition may hold. */
const MAX_ITEMS = 100;

export interface Insights {
  isLoaded: boolean;
  count: number;
  rowAt: (index: number) => InsightRow | null;
  setRange: (start: number, end: number) => void;
  /** Searches ahead of the component that will when it is drawn. */
  ask: (search: string) => void;
  /** What the filters offer, of the open ones. */
  frame: InsightFrame;
  /** Of the server, when it was asked. */
  kept: Omit<Cached<unknown>, 'value'> | null;
  error: ErrorFacts | null;
  /** The server was asked about so many of the component's items, and there are more; null where about all. */
  cutAt: number | null;
}

const eq = (column: string, value: string | null): TableCondition[] =>
  value === null ? [] : [{ op: 'eq', column, value }];

function conditionsOf(state: InsightState, configIds: readonly string[] | null): TableCondition[] {
  return [
    ...eq('status', state.status === 'all' ? null : state.status),
    ...(state.severity === null
      ? []
      : [{ op: 'in' as const, column: 'severity', values: severitiesIn(state.severity) }]),
    ...eq('analysis_type', state.type),
    ...eq('analyzer', state.analyzer),
    ...eq('config_id', state.configId),
    ...eq('config_type', state.configType),
    ...(configIds === null
      ? []
      : [{ op: 'in' as const, column: 'config_id', values: configIds.slice(0, MAX_ITEMS) }]),
  ];
}

/** The items of a component and of everything under it, which its card counts; null for no component. */
function useItemsOf(component: string | null): { ids: readonly string[] | null; isLoaded: boolean } {
  const { isLoaded, configIds } = useComponentReach(component);
  return component === null ? { ids: null, isLoaded: true } : { ids: configIds, isLoaded };
}

/** `search` is what is typed now, which the link may not have yet. */
export function useInsights(state: InsightState, search: string): Insights {
  const items = useItemsOf(state.component);
  const isLocal = state.status === 'open';
  const query: InsightQuery = {
    search,
    severity: state.severity,
    type: state.type,
    analyzer: state.analyzer,
    configId: state.configId,
    configType: state.configType,
    configIds: items.ids,
    sortBy: state.sortBy,
    isDescending: state.isDescending,
  };
  const local = useInsightView(query);
  const ask = (text: string) => {
    if (isLocal) local.ask({ ...query, search: text });
  };
  const order = state.sortBy === 'config' ? 'config_id' : state.sortBy;
  const { kept, error } = useTable(
    isLocal
      ? null
      : {
          view: 'insights',
          where: conditionsOf(state, items.ids),
          order: [{ column: order, isDescending: state.isDescending }],
          limit: SERVER_ROWS,
        },
  );
  if (isLocal) {
    return {
      isLoaded: local.frame.isLoaded && items.isLoaded,
      count: local.frame.rowCount,
      rowAt: local.getRow,
      setRange: local.setVisibleRange,
      ask,
      frame: local.frame,
      kept: null,
      error: null,
      cutAt: null,
    };
  }
  const rows = kept?.value.rows ?? [];
  return {
    isLoaded: kept !== null && items.isLoaded,
    count: rows.length,
    rowAt: (index) => {
      const row = rows[index];
      return row === undefined ? null : rowOfView(row);
    },
    setRange: () => undefined,
    ask,
    frame: local.frame,
    kept,
    error: kept === null ? error : null,
    cutAt: (items.ids?.length ?? 0) > MAX_ITEMS ? MAX_ITEMS : null,
  };
}
