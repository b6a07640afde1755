import { useCallback, useRef } from 'react';

const NONE: readonly string[] = [];

/**
 * Keys that a press takes in or leaves out, such as of groups that are open, on a page that asks for its rows itself: for
 * as long as it is looked at, and of one `scope` at a time. Like what is typed (`useAskedText`) they are no state: a press
 * asks for the rows and draws nothing, the answer does. `toggle` answers which are in then.
 */
export function useAskedKeys(scope = '') {
  const asked = useRef({ scope, keys: NONE });
  const readKeys = useCallback(() => (asked.current.scope === scope ? asked.current.keys : NONE), [scope]);
  const toggle = useCallback(
    (key: string) => {
      const before = readKeys();
      const keys = before.includes(key) ? before.filter((other) => other !== key) : [...before, key];
      asked.current = { scope, keys };
      return keys;
    },
    [scope, readKeys],
  );
  return { readKeys, toggle };
}
