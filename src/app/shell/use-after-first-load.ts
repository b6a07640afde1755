import { useEffect, useState } from 'react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';

/** On a slow line the first data goes before everything else, but not for longer than this. */
const LATEST_MS = 15_000;

/** True once the first data is here: the time for what the first screen does without. */
export function useAfterFirstLoad(): boolean {
  const isDataHere = useSyncStatus().asOfMs !== null;
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (isDataHere) return;
    const timer = setTimeout(() => setIsLate(true), LATEST_MS);
    return () => clearTimeout(timer);
  }, [isDataHere]);
  return isDataHere || isLate;
}
