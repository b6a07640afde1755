/** Parses rows that came in. A bad one is skipped and reported once per collection: it must not stop the rest. */
import type { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';

export type RowParser<Row> = (rows: readonly unknown[]) => Row[];

/** Answers the rows that fit the schema, in their order. */
export function createRowParser<Row>(
  collection: string,
  schema: z.ZodType<Row>,
  report: (error: unknown) => void,
): RowParser<Row> {
  let hasReported = false;
  return (rows) =>
    rows.flatMap((row) => {
      const parsed = schema.safeParse(row);
      if (parsed.success) return [parsed.data];
      if (!hasReported) {
        hasReported = true;
        report(new AppError('bad_payload', `A row of ${collection} was skipped`, { cause: parsed.error }));
      }
      return [];
    });
}
