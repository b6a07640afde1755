/** How a person wants to be reached, as it is stored. */
import { z } from 'zod';
import { DEFAULT_REACH, MAIL_CHOICES, type ReachSettings } from '../../../src/domain/notification/reach.ts';

export const storedReach = z.strictObject({
  push: z.boolean(),
  mail: z.enum(MAIL_CHOICES),
  quiet: z.object({ start: z.string(), end: z.string(), tz: z.string() }).nullable(),
  urgent_passes: z.boolean(),
});

/** A row of `person_notification_settings as settings` in a statement. */
export const REACH_JSON = `jsonb_build_object('push', settings.push, 'mail', settings.mail, 'quiet', settings.quiet,
  'urgent_passes', settings.urgent_passes)`;

/** What counts: what was stored, else the usual. */
export function settingsOf(stored: z.infer<typeof storedReach> | null): ReachSettings {
  if (stored === null) return DEFAULT_REACH;
  const { push, mail, quiet, urgent_passes: urgentPasses } = stored;
  return { push, mail, quiet, urgentPasses };
}
