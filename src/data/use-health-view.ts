import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { HealthQuery } from '../contract/worker.ts';
import { dataClient } from './data-client.ts';
import type { HealthViewState } from './health-view-client.ts';

/**
 * The health board for a question, live: `frame` says everything around the rows, `getRow` gives a row (null
 * while it is on its way), `setVisibleRange` tells what is on screen. A changed question is asked at once.
 */
export function useHealthView(query: HealthQuery): HealthViewState {
  const [lease] = useState(() => createLease(query));
  const text = JSON.stringify(query);
  // Before the browser paints the keystroke, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.setQuery(JSON.parse(text) as HealthQuery);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get);
}

/** A view that is given back when the last listener is gone, and taken again if one comes back (strict mode). */
function createLease(first: HealthQuery) {
  let query = first;
  let view = dataClient().takeView(first);
  let isHeld = true;
  return {
    get: () => view.state.get(),
    setQuery: (next: HealthQuery) => {
      query = next;
      if (isHeld) view.setQuery(next);
    },
    subscribe: (listener: () => void) => {
      if (!isHeld) view = dataClient().takeView(query);
      isHeld = true;
      const stop = view.state.subscribe(listener);
      return () => {
        stop();
        isHeld = false;
        dataClient().giveBack(view);
      };
    },
  };
}
