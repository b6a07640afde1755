import { useMemo } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { useRecords, type RecordOf } from '../use-records.ts';
import { hypothesisTree, type TreeNode } from './hypothesis-tree.ts';

type HypothesisRow = RecordOf<'hypothesis'>;

interface Plan {
  isLoaded: boolean;
  nodes: TreeNode<HypothesisRow>[];
  found: ReadonlyMap<string, LiveRow<HypothesisRow>>;
  start: number;
  /** Rows of the window, without those that are only there because others stand below them. */
  count: number;
  total: number;
}

/**
 * A window of the incident's hypotheses as a tree. What stands in an earlier window is fetched along where
 * something of this one hangs on it, so that each window reads as a tree of its own.
 */
export function usePlan(incidentId: string, start: number): Plan {
  const page = useRecords(incidentId, 'hypothesis', { start });
  const root = useRecords(incidentId, 'hypothesis', {
    where: [{ field: 'type', op: 'eq', value: 'root' }],
  });
  const here = new Set(page.rows.map(({ id }) => id));
  const parents = page.rows.flatMap(({ row }) => row.parent_id ?? []);
  const missing = [...new Set(parents.filter((id) => !here.has(id)))].toSorted();
  const above = useRecords(incidentId, 'hypothesis', {
    where: [{ field: 'id', op: 'in', values: missing }],
  });
  const { found, nodes } = useMemo(() => {
    const all = new Map([...root.rows, ...above.rows, ...page.rows].map((one) => [one.id, one]));
    return { found: all, nodes: hypothesisTree([...all.values()].map(({ row }) => row)) };
  }, [root.rows, above.rows, page.rows]);
  return {
    isLoaded: page.isLoaded && root.isLoaded,
    nodes,
    found,
    start: page.start,
    count: page.rows.length,
    total: page.total,
  };
}
