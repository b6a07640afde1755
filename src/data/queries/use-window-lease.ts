import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { LiveValue } from '../client/live-value.ts';

/** A view that is asked, looked at and released. */
interface View<Query, State> {
  state: LiveValue<State>;
  setQuery(query: Query): void;
}

/** How a kind of view is acquired and released. */
export interface ViewPool<Query, State, Acquired extends View<Query, State>> {
  acquire: (query: Query) => Acquired;
  release: (view: Acquired) => void;
}

/** A view that is released when the last listener is gone, and acquired again if one comes back (strict mode). */
function createLease<Query, State, Acquired extends View<Query, State>>(
  first: Query,
  { acquire, release }: ViewPool<Query, State, Acquired>,
) {
  let query = first;
  let view = acquire(first);
  let isHeld = true;
  return {
    get: () => view.state.get(),
    setQuery: (next: Query) => {
      query = next;
      if (isHeld) view.setQuery(next);
    },
    subscribe: (listener: () => void) => {
      if (!isHeld) view = acquire(query);
      isHeld = true;
      const stop = view.state.subscribe(listener);
      return () => {
        stop();
        isHeld = false;
        release(view);
      };
    },
  };
}

/** A query, live for as long as the component is there; a changed question is asked at once. */
export function useWindowLease<Query, State, Acquired extends View<Query, State>>(
  query: Query,
  pool: ViewPool<Query, State, Acquired>,
): State {
  const [lease] = useState(() => createLease(query, pool));
  const text = JSON.stringify(query);
  // Before the browser paints the keystroke, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.setQuery(JSON.parse(text) as Query);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get);
}
