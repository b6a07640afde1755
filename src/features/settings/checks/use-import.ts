/** Saves what was chosen of an import, one after the other, and tells of each what came of it. */
import { useEffect, useRef, useState } from 'react';
import { administer } from '../../../data/session/administration.ts';
import type { ImportEntry } from '../../../domain/import/import-entry.ts';
import { messages } from './messages.ts';

/** Of an entry, by its place in the file. */
export type ImportResult = { kind: 'saved' } | { kind: 'refused'; text: string };

export interface Import {
  results: ReadonlyMap<number, ImportResult>;
  isBusy: boolean;
  run: (chosen: readonly (readonly [number, ImportEntry])[], namespace: string) => Promise<number>;
}

/** `userId` is whoever adds them. */
export function useImport(userId: string): Import {
  const [results, setResults] = useState<ReadonlyMap<number, ImportResult>>(new Map());
  const [isBusy, setIsBusy] = useState(false);
  // Whoever leaves the page ends the import: what was saved until then is there.
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const run: Import['run'] = async (chosen, namespace) => {
    setIsBusy(true);
    let saved = 0;
    for (const [at, { namespace: own, notes: _, ...entry }] of chosen) {
      if (!isHere.current) break;
      const values = { ...entry, namespace: own ?? namespace, source: 'UI', created_by: userId };
      const answer = await administer({ name: 'insert_row', table: 'canaries', values });
      if (answer.ok) saved += 1;
      const result: ImportResult = answer.ok
        ? { kind: 'saved' }
        : { kind: 'refused', text: messages.errorText(answer.error) };
      setResults((before) => new Map(before).set(at, result));
    }
    setIsBusy(false);
    return saved;
  };
  return { results, isBusy, run };
}
