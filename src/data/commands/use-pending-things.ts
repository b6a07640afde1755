import { useMemo } from 'react';
import { pendingThings, type PendingThing } from './pending-things.ts';
import { useOutbox } from './use-outbox.ts';

const NONE: ReadonlyMap<string, PendingThing> = new Map();

/** See `pendingThings`; nothing for null. */
export function usePendingThings(table: string | null): ReadonlyMap<string, PendingThing> {
  const items = useOutbox()?.items;
  return useMemo(
    () => (table === null || items === undefined || items.length === 0 ? NONE : pendingThings(items, table)),
    [table, items],
  );
}
