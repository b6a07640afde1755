/**
 * What this page knows of the deployment: feature flags and its kind. Mirrored where the main thread can read it at
 * once, with the session and gone with it: a start without a network knows the flags of the last visit.
 */
import { shellFactsSchema, type ShellFacts } from '../contract/http/shell.ts';
import { createLiveValue } from './live-value.ts';
import type { DataPlatform } from './platform.ts';

const KEY = 'holdfast.shell';

function readKept(platform: DataPlatform): ShellFacts | null {
  const text = platform.readKept(KEY);
  if (text === null) return null;
  try {
    const parsed = shellFactsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    platform.report(error);
    return null;
  }
}

export interface KeptShellFacts {
  get: () => ShellFacts | null;
  subscribe: (listener: () => void) => () => void;
  /** Takes what the server said; null forgets. */
  set: (facts: ShellFacts | null) => void;
}

/** Begins with what was kept. What says the same stays the same object. */
export function createKeptShellFacts(platform: DataPlatform): KeptShellFacts {
  const value = createLiveValue(readKept(platform));
  return {
    get: value.get,
    subscribe: value.subscribe,
    set(facts) {
      const text = facts === null ? null : JSON.stringify(facts);
      if (text === JSON.stringify(value.get())) return;
      platform.writeKept(KEY, text);
      value.set(facts);
    },
  };
}
