/** Choosing many rows of a table that holds its rows, and the bar that does something to them. */
import { useMemo, type ReactNode } from 'react';
import type { BulkKind } from '../../../domain/bulk/bulk-verbs.ts';
import { Bulk, useMayChoose, type ChosenThing } from '../../page/Bulk.tsx';
import type { Choosing } from './choosing-parts.tsx';
import { useAllOfList, type AllOfList } from './use-all-of-list.ts';
import { useSelection } from './use-selection.ts';

interface ChoosingOf<Row> {
  /** Whose rows these are; null where rows can't be chosen. */
  kind: BulkKind | null;
  rows: readonly Row[] | undefined;
  nameOf: (row: Row) => string;
  /** What else of a row is needed to change it. */
  factsOf?: (row: Row) => Omit<ChosenThing, 'id' | 'name'>;
  /** There are more than these rows, which only a page of them shows. */
  isPage: boolean;
  /** Where there are: all of them. What was chosen on another page stays chosen then. */
  all?: AllOfList;
}

/** `nameOf` and `factsOf` are the same functions from one time to the next. */
export function useChoosing<Row extends { id: string }>({
  kind,
  rows,
  nameOf,
  factsOf,
  isPage,
  all,
}: ChoosingOf<Row>): {
  choosing: Choosing<Row> | null;
  bar: ReactNode;
} {
  const selection = useSelection();
  const mayChoose = useMayChoose(kind);
  const { known, takeAll } = useAllOfList(isPage ? (all ?? null) : null, selection.chooseAll);
  // What left the list is not acted on.
  const chosen = useMemo(() => {
    const here = (rows ?? [])
      .filter(({ id }) => selection.ids.has(id))
      .map((row): ChosenThing => ({ ...factsOf?.(row), id: row.id, name: nameOf(row) }));
    const ids = new Set(here.map(({ id }) => id));
    return [...here, ...known.filter(({ id }) => selection.ids.has(id) && !ids.has(id))];
  }, [rows, selection.ids, nameOf, factsOf, known]);
  const choosing = useMemo(() => (mayChoose ? { selection, nameOf } : null), [mayChoose, selection, nameOf]);
  return {
    choosing,
    bar: mayChoose && kind !== null && (
      <Bulk
        kind={kind}
        chosen={chosen}
        matching={isPage ? (all?.count ?? null) : (rows?.length ?? null)}
        onAll={takeAll ?? (() => selection.chooseAll((rows ?? []).map(({ id }) => id)))}
        onClear={selection.clear}
      />
    ),
  };
}
