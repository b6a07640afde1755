import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { LiveValue } from '../client/live-value.ts';

/** A view that is asked, looked at and given back. */
interface View<Query, State> {
  state: LiveValue<State>;
  setQuery(query: Query): void;
}

/** How a kind of view is taken and given back. */
export interface Lending<Query, State, Taken extends View<Query, State>> {
  take: (query: Query) => Taken;
  giveBack: (view: Taken) => void;
}

/** A view that is given back when the last listener is gone, and taken again if one comes back (strict mode). */
function createLease<Query, State, Taken extends View<Query, State>>(
  first: Query,
  { take, giveBack }: Lending<Query, State, Taken>,
) {
  let query = first;
  let view = take(first);
  let isHeld = true;
  return {
    get: () => view.state.get(),
    setQuery: (next: Query) => {
      query = next;
      if (isHeld) view.setQuery(next);
    },
    subscribe: (listener: () => void) => {
      if (!isHeld) view = take(query);
      isHeld = true;
      const stop = view.state.subscribe(listener);
      return () => {
        stop();
        isHeld = false;
        giveBack(view);
      };
    },
  };
}

/** A standing question, live for as long as the component is there; a changed question is asked at once. */
export function useWindowLease<Query, State, Taken extends View<Query, State>>(
  query: Query,
  lending: Lending<Query, State, Taken>,
): State {
  const [lease] = useState(() => createLease(query, lending));
  const text = JSON.stringify(query);
  // Before the browser paints the keystroke, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.setQuery(JSON.parse(text) as Query);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get);
}
