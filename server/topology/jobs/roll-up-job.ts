/** Rolls up all components and stores what comes out different (schema §6.2, §6.5). */
import { chunksOf } from '../../../src/lib/chunks.ts';
import { judgedHealth } from '../../../src/domain/topology/component-health.ts';
import { childIdsOf, rollUp } from '../../../src/domain/topology/roll-up.ts';
import type { Transactions } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { createStatusExpressions } from './status-expressions.ts';
import { rollUpRows, writeFound } from './roll-up-query.ts';

/** Rows of one transaction. */
const BATCH_ROWS = 500;

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Answers how many changed, and what expressions could not be evaluated. */
export async function rollUpComponents(
  db: Transactions,
  expressions: Expressions,
): Promise<{ changed: number; errors: string[] }> {
  const rows = await rollUpRows(db);
  const errors: string[] = [];
  const judge = createStatusExpressions(expressions, (component, reason) =>
    errors.push(`"${component.name}" (${component.id}): ${reason}`),
  );
  const rolled = await rollUp(rows, childIdsOf(rows), judge);
  const found = rows.flatMap((row) => {
    const result = rolled.get(row.id);
    if (result === undefined || !row.is_local) return [];
    const { status, summary } = result;
    const health = judgedHealth(result, row);
    const isSame =
      status === row.stored_status &&
      health === row.stored_health &&
      canonical(summary) === canonical(row.stored_summary ?? {});
    return isSame ? [] : [{ id: row.id, status, health, summary }];
  });
  // Each row is true by itself; others get their turns in between.
  for (const batch of chunksOf(found, BATCH_ROWS)) await db.transaction((tx) => writeFound(tx, batch));
  return { changed: found.length, errors };
}
