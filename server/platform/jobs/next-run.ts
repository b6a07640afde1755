/** When a schedule comes round next; the cron lines are read by croner. */
import { Cron } from 'croner';
import { parseSchedule } from '../../../src/domain/check/schedule.ts';
import type { Schedule } from '../../../src/domain/check/schedule.ts';

/** True when croner understands the five fields. */
export function isCronValid(expression: string): boolean {
  try {
    return new Cron(expression, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** The schedule that a text says; null for one that can't be read, or that croner does not understand. */
export function scheduleOf(text: string): Schedule | null {
  const schedule = parseSchedule({ schedule: text });
  return schedule?.kind === 'cron' && !isCronValid(schedule.expression) ? null : schedule;
}

/** The first moment after `afterMs`; an interval counts from there. Null when it never comes round. */
export function nextRunMs(schedule: Schedule, afterMs: number): number | null {
  switch (schedule.kind) {
    case 'never':
      return null;
    case 'every':
      return afterMs + schedule.everyMs;
    case 'cron':
      return new Cron(schedule.expression, { paused: true }).nextRun(new Date(afterMs))?.getTime() ?? null;
  }
}
