/** What the actions of a run write while they run: `GET /api/playbook/run/{id}/output?after=&wait=`, an extra of ours. */
import { z } from 'zod';

export const runOutputSchema = z.object({
  /** In the order in which they were written; whole lines but for the last one of an action. */
  pieces: z.array(
    z.object({
      action_id: z.string(),
      action_name: z.string().default(''),
      stream: z.enum(['stdout', 'stderr']),
      content: z.string(),
    }),
  ),
  /** To be sent as `after` for what comes next. */
  next: z.number(),
  /** The run has ended and all that it wrote was read. */
  is_over: z.boolean(),
});
export type RunOutput = z.output<typeof runOutputSchema>;
