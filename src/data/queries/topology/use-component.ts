import { useMemo, useSyncExternalStore } from 'react';
import type { ComponentView } from '../../../contract/topology-view.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore } from '../../client/subscription-store.ts';

const NOT_YET: ComponentView = { isLoaded: false, component: null };

/** A component as its page shows it, rolled up from this device's rows, live. */
export function useComponent(componentId: string): ComponentView {
  const store = useMemo(
    () =>
      createSubscriptionStore<ComponentView>(NOT_YET, (set) => {
        const client = dataClient();
        return client.open.follow(client.askLive('live-component', { componentId }, set));
      }),
    [componentId],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
