import { lookOf, type CheckHealth } from '../../domain/check/health.ts';
import type { Check } from '../../domain/check/check.ts';
import { SUSPENDED } from '../../domain/bulk/suspended.ts';
import { messages } from '../messages.ts';

/** How a check is, in words that tell every state from every other without colour or shape. */
export function checkWords(check: Pick<Check, 'not_run_reason'>, health: CheckHealth): string {
  const word = messages.health[health.state];
  switch (lookOf(check, health)) {
    case 'notRun':
      return check.not_run_reason === SUSPENDED.reason ? messages.paused : messages.notRun;
    case 'overdue':
      return health.lastKnown === health.state
        ? messages.overdue(word)
        : messages.overdueWas(health.lastKnown ?? '');
    case null:
      return word;
  }
}
