import { useCallback, useRef } from 'react';
import type { RefObject } from 'react';
import { useShortcut } from '../../../ui/hooks/use-shortcut.ts';

interface ListKeys {
  page: RefObject<HTMLDivElement | null>;
  search: RefObject<HTMLInputElement | null>;
}

/** `j` and `k` walk through the rows from wherever the focus is, `/` searches, `n` begins a new incident. */
export function useListKeys(onCreate: (() => void) | null): ListKeys {
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const walk = useCallback((step: 1 | -1) => {
    const rows = [...(page.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    const next = at === -1 ? 0 : at + step;
    rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
  }, []);
  useShortcut(
    'j',
    useCallback(() => walk(1), [walk]),
  );
  useShortcut(
    'k',
    useCallback(() => walk(-1), [walk]),
  );
  useShortcut(
    '/',
    useCallback(() => search.current?.focus(), []),
  );
  useShortcut(
    'n',
    useCallback(() => onCreate?.(), [onCreate]),
  );
  return { page, search };
}
