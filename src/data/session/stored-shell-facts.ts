/**
 * What this page knows of the deployment: feature flags and its kind. Mirrored where the main thread can read it at
 * once, with the session and gone with it: a start without a network knows the flags of the last visit.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { ShellFacts } from '../../contract/http/shell.ts';
import { createLiveValue } from '../client/live-value.ts';
import type { StoredTexts } from '../client/platform.ts';

const KEY = 'holdfast.shell';

/** By hand: the schema's library would be a sixth of the app's first download. */
function isFacts(value: unknown): value is ShellFacts {
  if (!isRecord(value) || typeof value.storeName !== 'string' || typeof value.isChecksOnly !== 'boolean')
    return false;
  const { properties } = value;
  return (
    Array.isArray(properties) &&
    properties.every((one) => isRecord(one) && typeof one.name === 'string' && typeof one.value === 'string')
  );
}

function readStored(platform: StoredTexts): ShellFacts | null {
  const text = platform.readStored(KEY);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isFacts(value) ? value : null;
  } catch (error) {
    platform.report(error);
    return null;
  }
}

export interface StoredShellFacts {
  get: () => ShellFacts | null;
  subscribe: (listener: () => void) => () => void;
  /** Takes what the server said; null forgets. */
  set: (facts: ShellFacts | null) => void;
}

/** Begins with what was kept. What says the same stays the same object. */
export function createStoredShellFacts(platform: StoredTexts): StoredShellFacts {
  const value = createLiveValue(readStored(platform));
  return {
    get: value.get,
    subscribe: value.subscribe,
    set(facts) {
      const text = facts === null ? null : JSON.stringify(facts);
      if (text === JSON.stringify(value.get())) return;
      platform.writeStored(KEY, text);
      value.set(facts);
    },
  };
}
