/** The form of how somebody wants to be reached, and what it means. */
import { z } from 'zod';
import { reachSettingsSchema } from '../../contract/http/reach.ts';
import type { ReachSettings } from '../../domain/notification/reach.ts';

const QUIET_FROM = '22:00';
const QUIET_TO = '07:00';

const valuesSchema = z.object({
  push: z.boolean(),
  mail: z.string(),
  isQuiet: z.boolean(),
  start: z.string(),
  end: z.string(),
  tz: z.string(),
  urgentPasses: z.boolean(),
});
export type ReachValues = z.input<typeof valuesSchema>;

/** What the form starts with; `tz`: the zone of this device. */
export function valuesOf({ push, mail, quiet, urgentPasses }: ReachSettings, tz: string): ReachValues {
  const hours = quiet ?? { start: QUIET_FROM, end: QUIET_TO, tz };
  return { push, mail, isQuiet: quiet !== null, ...hours, urgentPasses };
}

/** What the server is told. */
export function settingsFrom({ push, mail, isQuiet, start, end, tz, urgentPasses }: ReachValues): unknown {
  return { push, mail, quiet: isQuiet ? { start, end, tz } : null, urgentPasses };
}

/** What the server refuses, said at the field. */
export const reachValuesSchema = valuesSchema.superRefine((values, context) => {
  const parsed = reachSettingsSchema.safeParse(settingsFrom(values));
  for (const { path, message } of parsed.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: path.slice(-1), message });
});
