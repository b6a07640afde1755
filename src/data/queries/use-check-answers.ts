import type { RelatedItem } from '../../../workers/sync/api.ts';
import type { CanaryDetail, CheckDetail } from '../../contract/http/canary.ts';
import type { GraphView, HistoryPage, HistoryQuery } from '../../contract/worker.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import type { Loadable } from '../client/data-client.ts';
import { useAnswer } from './use-answer.ts';

/** One page of a check's runs; null asks nothing (a filter that isn't valid yet). */
export function useHistory(query: HistoryQuery | null): Loadable<HistoryPage> {
  return useAnswer(query === null ? null : JSON.stringify(query), (sync, listener) => {
    if (query === null) return Promise.resolve(() => {});
    return sync.subscribeHistory(query, listener);
  });
}

/** The health overview of a check. */
export function useGraph(checkId: string, range: TimeRange): Loadable<GraphView> {
  return useAnswer(`${checkId} ${range}`, (sync, listener) => sync.subscribeGraph(checkId, range, listener));
}

/** Spec and relations of a check. */
export function useCheckDetail(checkId: string): Loadable<CheckDetail> {
  return useAnswer(checkId, (sync, listener) => sync.subscribeCheckDetail(checkId, listener));
}

/** A canary's own document. */
export function useCanary(canaryId: string): Loadable<CanaryDetail> {
  return useAnswer(canaryId, (sync, listener) => sync.subscribeCanary(canaryId, listener));
}

/** A config item or component that a check is linked to. */
export function useRelated(kind: 'config' | 'component', id: string): Loadable<RelatedItem> {
  return useAnswer(`${kind} ${id}`, (sync, listener) => sync.subscribeRelated(kind, id, listener));
}
