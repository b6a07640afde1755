import { safeParse, type $ZodType } from 'zod/v4/core';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { LivePatch, LiveRow } from '../../../src/contract/live-query.ts';
import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { LIVE_ROW_SCHEMAS } from '../../../src/contract/queries/live-row-schemas.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

const SCHEMAS: Partial<Record<CollectionName, $ZodType<ReplicatedRow>>> = LIVE_ROW_SCHEMAS;

/** The rows as pages may rely on them; one that isn't even a row is left out. */
function checkedRows(collection: CollectionName, rows: readonly LiveRow[], report: (error: unknown) => void) {
  const schema = SCHEMAS[collection];
  if (schema === undefined) return [...rows];
  return rows.flatMap((one) => {
    const parsed = safeParse(schema, one.row);
    if (parsed.success) return [{ ...one, row: parsed.data }];
    report(new AppError('bad_payload', `A row of ${collection} was left out`, { cause: parsed.error }));
    return [];
  });
}

export const query = handleDifferences(LIVE_QUERIES['live-rows'], ({ live, platform }, asked, listener) => {
  let { collection } = asked;
  const report = (error: unknown) => platform.report(error);
  const opened = live.open(asked, ({ rows, ...rest }: LivePatch) =>
    listener(rows === undefined ? rest : { ...rest, rows: checkedRows(collection, rows, report) }),
  );
  return {
    ...opened,
    update(next, isSame) {
      ({ collection } = next);
      opened.update(next, isSame);
    },
  };
});
