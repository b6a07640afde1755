import { useCallback, useRef } from 'react';
import type { RefObject } from 'react';
import { focusFirstRow } from '../../../ui/tables/row-keys.ts';
import { useShortcut } from '../../../ui/hooks/use-shortcut.ts';

interface ListKeys {
  search: RefObject<HTMLInputElement | null>;
}

/** `j` and `k` lead to the rows from wherever the focus is (and from there on, row-keys.ts), `/` searches, `n` begins a new incident. */
export function useListKeys(onCreate: (() => void) | null): ListKeys {
  const search = useRef<HTMLInputElement>(null);
  useShortcut('j', focusFirstRow);
  useShortcut('k', focusFirstRow);
  useShortcut(
    '/',
    useCallback(() => search.current?.focus(), []),
  );
  useShortcut(
    'n',
    useCallback(() => onCreate?.(), [onCreate]),
  );
  return { search };
}
