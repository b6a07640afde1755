/** A question about one of the views that screens read on demand, and its answer. */
import { z } from 'zod';
import { TABLE_VIEWS, type ViewName } from './table-views.ts';

const text = z.string();

const VIEW_NAMES = Object.keys(TABLE_VIEWS) as [ViewName, ...ViewName[]];

const tableConditionSchema = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['eq', 'gte', 'ilike']), column: text, value: text }),
  z.object({ op: z.enum(['in', 'not-in']), column: text, values: z.array(text).max(100) }),
  /** A moment as date math; reckoned on the server's clock when it is asked. */
  z.object({ op: z.enum(['after', 'before']), column: text, moment: text }),
  /** One of the columns lies between the moments; null for no bound on that side. */
  z.object({
    op: z.literal('within'),
    columns: z.array(text).min(1),
    after: text.nullable(),
    before: text.nullable(),
  }),
]);
export type TableCondition = z.output<typeof tableConditionSchema>;

/** A question about one of the views. */
export const tableQuestionSchema = z.object({
  view: z.enum(VIEW_NAMES),
  /** All must hold. */
  where: z.array(tableConditionSchema),
  order: z.array(z.object({ column: text, isDescending: z.boolean() })),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(1000),
  /** All rows, as many at a time as `limit` says. */
  isWhole: z.boolean().optional(),
});
export type TableQuestion = z.output<typeof tableQuestionSchema>;

export interface TablePage<Row = unknown> {
  rows: Row[];
  total: number;
}
