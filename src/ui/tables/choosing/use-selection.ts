/** What somebody chose of a list, for as long as the list is there. */
import { useMemo, useState } from 'react';
import {
  coverage,
  extended,
  NOTHING_CHOSEN,
  toggled,
  withAll,
  without,
  type Selection,
} from '../../../domain/bulk/selection.ts';

export interface ListSelection {
  ids: ReadonlySet<string>;
  isChosen: (id: string) => boolean;
  /** With `order` the range from the last one to this one, in that order of rows. */
  choose: (id: string, order?: readonly string[] | null) => void;
  chooseAll: (ids: readonly string[]) => void;
  leave: (ids: readonly string[]) => void;
  clear: () => void;
  coverage: (ids: readonly string[]) => 'none' | 'some' | 'all';
}

/** See the head of this file. */
export function useSelection(): ListSelection {
  const [selection, setSelection] = useState<Selection>(NOTHING_CHOSEN);
  // The same functions whatever is chosen: rows are drawn anew for others.
  const changes = useMemo(
    (): Pick<ListSelection, 'choose' | 'chooseAll' | 'leave' | 'clear'> => ({
      choose: (id, order = null) =>
        setSelection((before) => (order === null ? toggled(before, id) : extended(before, id, order))),
      chooseAll: (ids) => setSelection((before) => withAll(before, ids)),
      leave: (ids) => setSelection((before) => without(before, ids)),
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
