/** Trying a script of a definition of done before it is kept (schema §8.2): nothing is written. */
import { z } from 'zod';

const subject = z.guid().nullable();

export const tryDoneSchema = z.object({
  incidentId: z.guid(),
  script: z.string(),
  evidence_id: subject,
  config_id: subject,
  config_change_id: subject,
  config_analysis_id: subject,
  component_id: subject,
  check_id: subject,
});
export type TryDone = z.output<typeof tryDoneSchema>;

/** Yes or no, a text, or why it failed: what is not so is absent or null. */
export const triedDoneSchema = z.object({
  done: z.boolean().nullish(),
  text: z.string().nullish(),
  error: z.string().nullish(),
});
export type TriedDone = z.output<typeof triedDoneSchema>;
