/** What cannot wait in the outbox, done to many while somebody watches: one after the other, until the last or Stop. */
import type { BulkResult } from '../../domain/bulk/bulk-report.ts';

export interface DirectStep {
  name: string;
  /** Answers why it was refused; null for done. */
  act: () => Promise<string | null>;
  /** What makes it as it was; null where nothing can. */
  undo: (() => Promise<string | null>) | null;
}

export interface DirectRun {
  isStopped: () => boolean;
  /** After each step: how all of them are. */
  onResults: (results: readonly BulkResult[]) => void;
}

/** How the results are before anything was done. */
export function openResults(steps: readonly Pick<DirectStep, 'name'>[]): BulkResult[] {
  return steps.map(({ name }, at) => ({ key: String(at), name, state: 'waiting', reason: null }));
}

/** Does them; answers how each ended. What Stop comes before is not done. */
export async function runOneByOne(steps: readonly DirectStep[], run: DirectRun): Promise<BulkResult[]> {
  const results = openResults(steps);
  const note = (at: number, part: Pick<BulkResult, 'state' | 'reason'>) => {
    const before = results[at];
    if (before !== undefined) results[at] = { ...before, ...part };
    run.onResults([...results]);
  };
  for (const [at, step] of steps.entries()) {
    if (run.isStopped()) note(at, { state: 'taken-back', reason: null });
    else {
      const reason = await step.act();
      note(at, { state: reason === null ? 'done' : 'refused', reason });
    }
  }
  return results;
}

/** The way back of those that were done and have one, the last first. */
export function undoSteps(steps: readonly DirectStep[], results: readonly BulkResult[]): DirectStep[] {
  return steps
    .flatMap(({ name, undo }, at) =>
      undo !== null && results[at]?.state === 'done' ? [{ name, act: undo, undo: null }] : [],
    )
    .toReversed();
}
