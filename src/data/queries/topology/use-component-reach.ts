import { useMemo, useSyncExternalStore } from 'react';
import type { ComponentReach } from '../../../contract/topology-view.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore } from '../../client/subscription-store.ts';

const NOT_YET: ComponentReach = { isLoaded: false, componentIds: [], configIds: [] };

/** A component with everything under it, live; nothing where none is asked about. */
export function useComponentReach(componentId: string | null): ComponentReach {
  const store = useMemo(
    () =>
      createSubscriptionStore<ComponentReach>(NOT_YET, (set) => {
        if (componentId === null) return () => undefined;
        const client = dataClient();
        return client.open.follow(client.askLive('live-component-reach', { componentId }, set));
      }),
    [componentId],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
