/** When the schedule of another scraper comes round next, read as its own product reads it. */
import { Cron } from 'croner';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';

const NAMED = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const EVERY = /^@every\s+(\S+)$/;

/** The first moment after `after`; null for a text that is no schedule: it is somebody else's document. */
export function nextRunOf(schedule: string, after: Date): Date | null {
  const every = EVERY.exec(schedule.trim())?.[1];
  if (every !== undefined) {
    const everyMs = parseDuration(every);
    return everyMs === null ? null : new Date(after.getTime() + everyMs);
  }
  const text = schedule.trim();
  if (!NAMED.test(text) && text.split(/\s+/).length !== 5) return null;
  try {
    return new Cron(text.replace('@midnight', '@daily'), { paused: true, timezone: 'UTC' }).nextRun(after);
  } catch {
    return null;
  }
}
