/** The search over changes (contract §6.5). */
import { z } from 'zod';

const maybeText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A change as the list shows it; the server leaves empty fields out. */
const changeRowSchema = z.looseObject({
  id: z.string(),
  config_id: z.string(),
  change_type: maybeText,
  severity: maybeText,
  source: maybeText,
  summary: maybeText,
  created_at: z.string(),
  first_observed: maybeText,
  count: z
    .number()
    .nullish()
    .transform((value) => value ?? 1),
  name: maybeText,
  type: maybeText,
  tags: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? null),
  created_by: maybeText,
  external_created_by: maybeText,
  deleted_at: maybeText,
});
export type ChangeRow = z.output<typeof changeRowSchema>;

export const changesAnswerSchema = z
  .object({
    summary: z.record(z.string(), z.number()).nullish(),
    total: z.number().nullish(),
    changes: z.array(changeRowSchema).nullish(),
  })
  .transform(({ summary, total, changes }) => ({
    rows: changes ?? [],
    total: total ?? 0,
    groups: Object.entries(summary ?? {}).map(([value, count]) => ({ value, count })),
  }));
