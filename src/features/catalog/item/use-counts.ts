/** How many there are under each tab: what this device has at once, the server's own counts when they are there. */
import type { CollectionName } from '../../../contract/collections.ts';
import type { ConfigDetail } from '../../../contract/http/config-item.ts';
import type { Condition } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../../../data/use-live-query.ts';
import type { Loadable } from '../../../data/data-client.ts';

export type Counted = 'changes' | 'insights' | 'relationships' | 'playbooks' | 'checks';

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

export function useCounts(configId: string, detail: Loadable<ConfigDetail>): Record<Counted, number | null> {
  const own: Condition = { field: 'config_id', op: 'eq', value: configId };
  const summary = detail.kept?.value.summary ?? null;
  const changes = useLocalCount('config_changes', own);
  const insights = useLocalCount('config_insights', own);
  const runs = useLocalCount('playbook_runs', own);
  return {
    changes: summary?.changes ?? changes,
    insights: insights ?? summary?.analysis ?? null,
    relationships: summary?.relationships ?? null,
    playbooks: summary?.playbook_runs ?? runs,
    checks: summary?.checks ?? null,
  };
}
