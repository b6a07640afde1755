/**
 * Lets a data set come in as it is. A set carries the history, links and events that triggers made when its rows
 * were first written; made again they would stand there twice. So triggers that work at once rest while rows come
 * in, whereas those at commit, the change log's, stay awake: devices see what was imported. References are looked
 * at when all is there, so that files and rows need no order.
 *
 * Done by `alter table` inside the import's transaction: unlike session_replication_role it needs no superuser,
 * keeps the references checked, and is undone by a rollback. A server beside us on the same PostgreSQL waits.
 */
import type { Queryable } from '../../platform/db/database.ts';
import { quoted } from './model-query.ts';
import type { ModelTable } from './model-query.ts';

type Turn = 'rest' | 'wake';

function statementsOf(table: ModelTable, turn: Turn): string[] {
  const triggers = table.triggers.map(
    (name) => `${turn === 'rest' ? 'disable' : 'enable'} trigger ${quoted(name)}`,
  );
  const references = table.references
    .filter((reference) => !reference.isDeferrable)
    .map(
      ({ name }) =>
        `alter constraint ${quoted(name)} ${turn === 'rest' ? 'deferrable initially deferred' : 'not deferrable'}`,
    );
  return [...triggers, ...references].map((action) => `alter table ${quoted(table.name)} ${action};`);
}

/** Before the first row: triggers rest, references wait. */
export async function quieten(tx: Queryable, tables: readonly ModelTable[]): Promise<void> {
  await tx.script(tables.flatMap((table) => statementsOf(table, 'rest')).join('\n'));
  await tx.run('set constraints all deferred');
}

/** After the last row: the change log is written, references are final, everything is as it was. */
export async function awaken(tx: Queryable, tables: readonly ModelTable[]): Promise<void> {
  // As a script, because it is given the time that many rows need.
  await tx.script('set constraints all immediate');
  await tx.script(tables.flatMap((table) => statementsOf(table, 'wake')).join('\n'));
}
