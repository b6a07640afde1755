/** What is done to many at once with somebody waiting (users, walls, runs): never queued, each with its result. */
import { useCallback, useRef, useState } from 'react';
import type { BulkReport } from '../../domain/bulk/bulk-report.ts';
import { openResults, runOneByOne, undoSteps, type DirectStep } from './one-by-one.ts';

interface Given {
  title: string;
  steps: readonly DirectStep[];
  report: BulkReport;
  isRunning: boolean;
}

export interface DirectBulk {
  report: BulkReport | null;
  isRunning: boolean;
  /** True where something of it can be made as it was. */
  mayUndo: boolean;
  give: (title: string, steps: readonly DirectStep[]) => void;
  undo: (title: string) => void;
  stop: () => void;
  dismiss: () => void;
}

/** See the head of this file. */
export function useDirectBulk(): DirectBulk {
  const [given, setGiven] = useState<Given | null>(null);
  // Of the run that goes on; another one has its own.
  const stopper = useRef({ isStopped: false });
  const give = useCallback((title: string, steps: readonly DirectStep[]) => {
    const mine = { isStopped: false };
    stopper.current = mine;
    const show = (results: BulkReport['results'], isRunning: boolean) =>
      setGiven({ title, steps, report: { title, results }, isRunning });
    show(openResults(steps), true);
    void runOneByOne(steps, {
      isStopped: () => mine.isStopped,
      onResults: (results) => show(results, true),
    }).then((results) => show(results, false));
  }, []);
  const undo = useCallback(
    (title: string) => {
      if (given !== null) give(title, undoSteps(given.steps, given.report.results));
    },
    [given, give],
  );
  const stop = useCallback(() => {
    stopper.current.isStopped = true;
  }, []);
  const dismiss = useCallback(() => setGiven(null), []);
  const isRunning = given?.isRunning === true;
  const mayUndo = given !== null && !isRunning && undoSteps(given.steps, given.report.results).length > 0;
  return { report: given?.report ?? null, isRunning, mayUndo, give, undo, stop, dismiss };
}
