/** A query about the health board. */
import type { HealthFrame, HealthPatch, HealthQuery, RowWindow } from '../../src/contract/worker.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import { boardOf, type BoardInput } from '../../src/contract/health-board/health-board.ts';
import { createWindowView, type WindowView } from './window-view.ts';

/** Facets may be long and rarely change, so they are compared by their parts' identity. */
function isSameFrame(a: HealthFrame, b: HealthFrame): boolean {
  if (a.facets.length !== b.facets.length || a.facets.some((facet, at) => facet !== b.facets[at]))
    return false;
  return JSON.stringify({ ...a, facets: [] }) === JSON.stringify({ ...b, facets: [] });
}

/** Opens a view; the listener is called at once with the whole answer. */
export function createHealthView(options: {
  query: HealthQuery;
  window: RowWindow;
  read: (range: TimeRange) => BoardInput;
  listener: (patch: HealthPatch) => void;
}): WindowView<HealthQuery> {
  const { query, window, read, listener } = options;
  return createWindowView({
    query,
    window,
    answer: (asked) => boardOf(read(asked.timeRange), asked),
    isSameFrame,
    listener,
  });
}
