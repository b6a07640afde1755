/** Checks that changed their state lately, newest first. */
import type { Transition } from '../../src/contract/worker.ts';
import type { Entry } from '../../src/contract/health-board/check-index.ts';

/** At most `limit` of those whose last transition is within `sinceMs` before `nowMs` (server clock). */
export function transitionsOf(
  entries: readonly Entry[],
  question: { sinceMs: number; limit: number; nowMs: number },
): Transition[] {
  const found: { atMs: number; transition: Transition }[] = [];
  for (const { check, transitionMs: atMs } of entries) {
    if (check.last_transition_time === null || check.status === null) continue;
    if (atMs < question.nowMs - question.sinceMs) continue;
    found.push({
      atMs,
      transition: {
        checkId: check.id,
        name: check.name,
        canaryName: check.canary_name,
        state: check.status,
        at: check.last_transition_time,
      },
    });
  }
  return found
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, question.limit)
    .map(({ transition }) => transition);
}
