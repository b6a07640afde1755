/** Joins a worker's subscription to what a hook reads: starts with the first listener, stops after the last. */
import { createLiveValue } from './live-value.ts';

export interface SubscriptionStore<T> {
  get: () => T;
  subscribe: (listener: () => void) => () => void;
}

/** `start` is given the way to set the value and returns how to stop. */
export function createSubscriptionStore<T>(
  first: T,
  start: (set: (value: T) => void) => () => void,
): SubscriptionStore<T> {
  const value = createLiveValue(first);
  let listeners = 0;
  let stop = () => {};
  return {
    get: value.get,
    subscribe(listener) {
      const unsubscribe = value.subscribe(listener);
      if (listeners === 0) stop = start(value.set);
      listeners += 1;
      return () => {
        unsubscribe();
        listeners -= 1;
        if (listeners === 0) stop();
      };
    },
  };
}
