/** What somebody chose of a list, for as long as the list is there. */
import { useMemo, useState } from 'react';
import {
  coverage,
  extended,
  NOTHING_CHOSEN,
  toggled,
  toggledAll,
  withAll,
  type Coverage,
  type Selection,
} from '../../../domain/bulk/selection.ts';

export interface ListSelection {
  ids: ReadonlySet<string>;
  isChosen: (id: string) => boolean;
  /** With `order` the range from the last one to this one, in that order of rows. */
  choose: (id: string, order?: readonly string[] | null) => void;
  chooseAll: (ids: readonly string[]) => void;
  /** Leaves these where all of them are chosen, else takes in the rest of them. */
  toggleAll: (ids: readonly string[]) => void;
  clear: () => void;
  coverage: (ids: readonly string[]) => Coverage;
}

/** See the head of this file. */
export function useSelection(): ListSelection {
  const [selection, setSelection] = useState<Selection>(NOTHING_CHOSEN);
  // The same functions whatever is chosen: rows are drawn anew for others.
  const changes = useMemo(
    (): Pick<ListSelection, 'choose' | 'chooseAll' | 'toggleAll' | 'clear'> => ({
      choose: (id, order = null) =>
        setSelection((before) => (order === null ? toggled(before, id) : extended(before, id, order))),
      chooseAll: (ids) => setSelection((before) => withAll(before, ids)),
      toggleAll: (ids) => setSelection((before) => toggledAll(before, ids)),
      clear: () => setSelection(NOTHING_CHOSEN),
    }),
    [],
  );
  return useMemo(
    () => ({
      ...changes,
      ids: selection.ids,
      isChosen: (id) => selection.ids.has(id),
      coverage: (ids) => coverage(selection, ids),
    }),
    [changes, selection],
  );
}
