/** Finds rows that refer to nothing, all of them and before the database would stop at the first. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { quoted } from './model-query.ts';
import type { ModelReference, ModelTable } from './model-query.ts';
import type { Problems } from './problems.ts';

const MAX_EACH = 50;

function danglingSql(table: ModelTable, { columns, target, targetColumns }: ModelReference): string {
  const child = (name: string) => `child.${quoted(name)}`;
  const isSet = columns.map((name) => `${child(name)} is not null`).join(' and ');
  const isMet = columns
    .map((name, index) => `parent.${quoted(targetColumns[index] ?? name)} = ${child(name)}`)
    .join(' and ');
  const id = table.columns.some(({ name }) => name === 'id') ? 'id' : undefined;
  const naming = id === undefined ? table.key : [id];
  const named = naming.map((name) => `'${name} ' || ${child(name)}::text`);
  return `select ${named.length === 0 ? 'null' : `concat_ws(', ', ${named.join(', ')})`} as id,
      concat_ws(', ', ${columns.map((name) => `${child(name)}::text`).join(', ')}) as value
    from ${quoted(table.name)} as child
    where ${isSet} and not exists (select 1 from ${quoted(target)} as parent where ${isMet})
    limit ${MAX_EACH}`;
}

const danglingRow = z.strictObject({ id: z.string().nullable(), value: z.string() });

/** Adds every reference to nowhere in these tables to the problems. */
export async function checkReferences(
  tx: Queryable,
  tables: readonly ModelTable[],
  problems: Problems,
): Promise<void> {
  for (const table of tables) {
    for (const reference of table.references) {
      if (problems.isFull()) return;
      const rows = await tx.rows(danglingRow, danglingSql(table, reference));
      for (const { id, value } of rows) {
        const reason = `${value} is in no row of ${reference.target}`;
        problems.add({ table: table.name, row: null, id, column: reference.columns.join(', '), reason });
      }
    }
  }
}
