/** A table of settings of which many can be chosen, with the bar that does something to them under it. */
import { useMemo } from 'react';
import { Bulk, useMayChoose } from '../page/Bulk.tsx';
import type { ThingTable } from '../../domain/bulk/things.ts';
import { CachedTable } from './CachedTable.tsx';
import { useSelection } from './use-selection.ts';

interface Named {
  id: string;
  name?: string | null | undefined;
}

type ChoosableTableProps<Row extends Named> = Parameters<typeof CachedTable<Row>>[0] & {
  /** Whose rows these are; null where rows can't be chosen. */
  kind: ThingTable | null;
};

/** See the head of this file. */
export function ChoosableTable<Row extends Named>({ kind, ...table }: ChoosableTableProps<Row>) {
  const selection = useSelection();
  const mayChoose = useMayChoose(kind);
  const { rows } = table;
  // What left the list is not acted on.
  const chosen = useMemo(
    () =>
      (rows ?? [])
        .filter(({ id }) => selection.ids.has(id))
        .map(({ id, name }) => ({ id, name: name ?? id })),
    [rows, selection.ids],
  );
  const choosing = useMemo(
    () => (mayChoose ? { selection, nameOf: ({ id, name }: Row) => name ?? id } : null),
    [mayChoose, selection],
  );
  return (
    <>
      <CachedTable {...table} choosing={choosing} />
      {mayChoose && kind !== null && (
        <Bulk
          kind={kind}
          chosen={chosen}
          matching={table.total === undefined ? (rows?.length ?? null) : null}
          onAll={() => selection.chooseAll((rows ?? []).map(({ id }) => id))}
          onClear={selection.clear}
        />
      )}
    </>
  );
}
