import { useCallback, useEffect, useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { StorageFacts } from '../../contract/worker.ts';
import { storageFacts } from '../../data/commands/commands.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';

/** Counting all rows isn't free; what comes in shows a moment later. */
const COUNT_EVERY_MS = 5000;

interface Counted {
  facts: StorageFacts | null;
  error: ErrorFacts | null;
}

/** What this device keeps, counted again as news come in. */
export function useStorageFacts(): Counted & { countAgain: () => void } {
  const { asOfMs, isPulling } = useSyncStatus();
  const [counted, setCounted] = useState<Counted>({ facts: null, error: null });
  const [asked, setAsked] = useState(0);
  const step = Math.floor((asOfMs ?? 0) / COUNT_EVERY_MS);
  useEffect(() => {
    let isWanted = true;
    void storageFacts().then((answer) => {
      if (!isWanted) return;
      setCounted((before) =>
        answer.ok ? { facts: answer.value, error: null } : { facts: before.facts, error: answer.error },
      );
    });
    return () => {
      isWanted = false;
    };
  }, [step, isPulling, asked]);
  const countAgain = useCallback(() => setAsked((before) => before + 1), []);
  return { ...counted, countAgain };
}
