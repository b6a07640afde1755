/** `GET /api/playbook/run/{id}/approval`: an extra of ours; who is to approve a run, and who has. */
import { z } from 'zod';

export const playbookApprovalSchema = z.object({
  status: z.string(),
  type: z.enum(['any', 'all']),
  /** As the specification writes them, with who filled each. */
  places: z.array(
    z.object({
      kind: z.enum(['person', 'team']),
      name: z.string(),
      approved_by: z.string().nullable(),
      /** When, ISO. */
      approved_at: z.string().nullish(),
    }),
  ),
  /** Whether the caller's approval would count now. */
  may_approve: z.boolean(),
});
export type PlaybookApproval = z.output<typeof playbookApprovalSchema>;
