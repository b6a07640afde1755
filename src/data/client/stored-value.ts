/**
 * A value that is mirrored where the main thread can read it at once: a start begins with what the last one was told.
 * It goes with the session.
 */
import { createLiveValue } from './live-value.ts';
import type { StoredTexts } from './platform.ts';
import { storedJson } from './stored-json.ts';

export interface StoredValue<Value> {
  get: () => Value | null;
  subscribe: (listener: () => void) => () => void;
  /** Takes what was told; null forgets. */
  set: (value: Value | null) => void;
}

export interface StoredKind<Value> {
  key: string;
  /** Of what is stored, which somebody else may have written. */
  isValue: (value: unknown) => value is Value;
  /** What of it is stored; all of it where nothing else is said. */
  stored?: (value: Value) => Value;
}

function readStored<Value>(platform: StoredTexts, { key, isValue }: StoredKind<Value>): Value | null {
  const value = storedJson(platform, key);
  return isValue(value) ? value : null;
}

/** Begins with what was stored. What says the same stays the same object. */
export function createStoredValue<Value>(platform: StoredTexts, kind: StoredKind<Value>): StoredValue<Value> {
  const value = createLiveValue(readStored(platform, kind));
  return {
    get: value.get,
    subscribe: value.subscribe,
    set(next) {
      if (JSON.stringify(next) === JSON.stringify(value.get())) return;
      value.set(next);
      try {
        platform.writeStored(kind.key, next === null ? null : JSON.stringify(kind.stored?.(next) ?? next));
      } catch (error) {
        // No room: the next start begins without it.
        platform.report(error);
      }
    },
  };
}
