/**
 * How many there are under each tab. Changes and relationships are counted by the very question that the tab asks
 * when it is opened; the others by this device, or by the server where this device keeps none of them.
 */
import { useMemo } from 'react';
import type { CollectionName } from '../../../contract/collections.ts';
import type { ConfigDetail } from '../../../contract/http/catalog/config-item.ts';
import type { Condition } from '../../../contract/live-query.ts';
import type { RelationsFace } from '../../../contract/relations.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { useRelations } from '../../../data/queries/catalog/use-relations.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { readDeletedHidden } from '../changes/hidden-deleted.ts';
import { questionOf as changesQuestionOf } from '../changes/url-state.ts';
import { useChanges } from '../changes/use-changes.ts';
import { HIDE_DELETED, questionOf as relationsQuestionOf } from '../relationships/question.ts';
import { relationsState } from '../relationships/url-state.ts';
import { useStoredChoice } from '../../../ui/hooks/use-stored-choice.ts';

export type Counted = 'changes' | 'insights' | 'relationships' | 'playbooks' | 'checks';

/** No row is needed to count them. */
const FACE: RelationsFace = {
  kind: 'table',
  window: { start: 0, end: 1 },
  sortBy: 'tree',
  isDescending: false,
};

/** Rows of a collection about the item; null while they are not read. */
function useLocalCount(collection: CollectionName, condition: Condition): number | null {
  const { isLoaded, total } = useLiveQuery({
    collection,
    where: [condition],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: 0 },
  });
  return isLoaded ? total : null;
}

function useChangesCount(configId: string): number | null {
  const device = useDevice();
  const isDeletedHidden = readDeletedHidden(device);
  const question = useMemo(
    () => changesQuestionOf({}, { configId, isDeletedHidden, nowMs: device.now() }),
    [configId, isDeletedHidden, device],
  );
  const { rows, total } = useChanges(question);
  return rows === undefined ? null : total;
}

function useRelationsCount(configId: string): number | null {
  const [hidden] = useStoredChoice(HIDE_DELETED.key, HIDE_DELETED.options);
  const view = { face: FACE, hidesDeleted: hidden === 'yes' };
  const { frame } = useRelations(relationsQuestionOf(configId, relationsState({}), view));
  return frame?.isLoaded === true && frame.isKnown ? frame.passing : null;
}

/** Null where the number isn't known. */
export function useCounts(configId: string, detail: Loadable<ConfigDetail>): Record<Counted, number | null> {
  const own: Condition = { field: 'config_id', op: 'eq', value: configId };
  const summary = detail.kept?.value.summary ?? null;
  const changes = useChangesCount(configId);
  const insights = useLocalCount('config_insights', own);
  const relationships = useRelationsCount(configId);
  const runs = useLocalCount('playbook_runs', own);
  return {
    changes,
    insights: insights ?? summary?.analysis ?? null,
    relationships,
    playbooks: summary?.playbook_runs ?? runs,
    checks: summary?.checks ?? null,
  };
}
