/** The catalog summed up by the server (contract §6.6): what reaches further back than a device does. */
import { z } from 'zod';

/** A question of the summary page. Filters are match lists: `a,!b`. */
export const catalogSummaryQuestionSchema = z.object({
  /** Columns and tag keys. */
  groupBy: z.array(z.string().min(1)).max(8),
  deleted: z.boolean(),
  status: z.string(),
  health: z.string(),
});
export type CatalogSummaryQuestion = z.output<typeof catalogSummaryQuestionSchema>;

/** One group: its keys stand beside its numbers. */
const summaryRowSchema = z.looseObject({ count: z.number(), changes: z.coerce.number().nullish() });
export const catalogSummarySchema = z
  .array(summaryRowSchema)
  .nullable()
  .transform((rows) => rows ?? []);
export type CatalogSummaryRow = z.output<typeof summaryRowSchema>;
