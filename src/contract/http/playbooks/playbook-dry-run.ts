/** What a run would do: `POST /api/playbook/{id}/dry-run` with the body of a run, an extra of ours. Nothing is run. */
import { z } from 'zod';

export const dryRunSchema = z.object({
  /** Given, or by default. */
  parameters: z.record(z.string(), z.string()),
  actions: z.array(
    z.object({
      name: z.string(),
      /** exec, http, sql … */
      kind: z.string(),
      /** As written: they depend on how the actions before end. */
      if: z.string().nullable(),
      delay: z.string().nullable(),
      timeout: z.string().nullable(),
      runs_on: z.array(z.string()),
      /** The action with its templates filled and its secrets as `***`; null where a template fails. */
      rendered: z.record(z.string(), z.unknown()).nullable(),
      error: z.string().nullable(),
    }),
  ),
  /** Nothing runs before it is approved. */
  needs_approval: z.boolean(),
});
export type DryRun = z.output<typeof dryRunSchema>;
