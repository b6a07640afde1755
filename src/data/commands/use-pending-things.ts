import { useMemo } from 'react';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
import { pendingThings, type PendingThing } from './pending-things.ts';
import { useOutbox } from './use-outbox.ts';

const NONE: ReadonlyMap<string, PendingThing> = new Map();

/** See `pendingThings`; nothing for null. */
export function usePendingThings(kind: BulkKind | null): ReadonlyMap<string, PendingThing> {
  const items = useOutbox()?.items;
  return useMemo(
    () => (kind === null || items === undefined || items.length === 0 ? NONE : pendingThings(items, kind)),
    [kind, items],
  );
}
