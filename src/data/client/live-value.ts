/** A value that is replaced, never changed, with listeners: what a hook reads (stable until it differs). */
export interface LiveValue<T> {
  get: () => T;
  set: (value: T) => void;
  /** Told after each replacement; returns how to stop. */
  subscribe: (listener: () => void) => () => void;
}

/** Listeners are called when the value is another by `Object.is`. */
export function createLiveValue<T>(first: T): LiveValue<T> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
