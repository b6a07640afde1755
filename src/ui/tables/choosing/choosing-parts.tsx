/** The column of boxes of a table whose rows can be chosen: its head, its cells, and the keys that do the same. */
import type { ReactNode } from 'react';
import { messages } from '../../messages.ts';
import { ChooseBox } from './ChooseBox.tsx';
import classes from './ChooseBox.module.css';
import type { ListSelection } from './use-selection.ts';

export interface Choosing<Row> {
  selection: ListSelection;
  nameOf: (row: Row) => string;
}

interface Rows<Row> {
  /** Of the page that is shown. */
  shown: readonly Row[];
  /** All, as they stand in order. */
  order: () => string[];
  rowId: (row: Row) => string;
}

interface ChoosingParts<Row> {
  headBox: ReactNode;
  boxOf: (row: Row) => ReactNode;
  onKey: ((key: string, index: number) => boolean) | undefined;
}

/** Takes a row in, or leaves it; with Shift all from the last one on. */
const CHOOSE = 'x';
const CHOOSE_RANGE = 'X';

/** Nothing where rows can't be chosen. */
export function choosingParts<Row>(
  choosing: Choosing<Row> | null,
  { shown, order, rowId }: Rows<Row>,
): ChoosingParts<Row> {
  if (choosing === null) return { headBox: null, boxOf: () => null, onKey: undefined };
  const { selection, nameOf } = choosing;
  const ids = shown.map(rowId);
  return {
    headBox: (
      <th key="choose" className={classes.column}>
        <ChooseBox
          label={messages.choosePage}
          state={selection.coverage(ids)}
          onPress={() => selection.toggleAll(ids)}
        />
      </th>
    ),
    boxOf: (row) => (
      <td key="choose" className={classes.column}>
        <ChooseBox
          label={messages.choose(nameOf(row))}
          state={selection.isChosen(rowId(row)) ? 'all' : 'none'}
          isPassedByTab
          onPress={(isRange) => selection.choose(rowId(row), isRange ? order() : null)}
        />
      </td>
    ),
    onKey(key, index) {
      const row = shown[index];
      if (row === undefined || (key !== CHOOSE && key !== CHOOSE_RANGE)) return false;
      selection.choose(rowId(row), key === CHOOSE_RANGE ? order() : null);
      return true;
    },
  };
}
