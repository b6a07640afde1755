/**
 * Which columns of a table have room. The first one names the row and always stays; the others leave from the
 * least important, and among equals from the last one. What has no room is shown in a line under the name.
 */
export interface FoldableColumn {
  id: string;
  /** CSS width in px, such as `104px`; others count as a usual one. */
  width?: string;
  /** 1 stays longest; 2 unless given. */
  priority?: 1 | 2 | 3;
}

const NAME_PX = 240;
const USUAL_PX = 132;
/** Narrower than this is a phone: a name and one line. */
const ONE_COLUMN_PX = 560;

const widthOf = ({ width }: FoldableColumn, otherwisePx: number): number =>
  width?.endsWith('px') === true ? Number.parseInt(width, 10) : otherwisePx;

/** Ids of the columns that are folded away; none while the room is not known (0). */
export function foldedColumns(columns: readonly FoldableColumn[], availablePx: number): ReadonlySet<string> {
  const [name, ...others] = columns;
  if (availablePx === 0 || name === undefined) return new Set();
  if (availablePx < ONE_COLUMN_PX) return new Set(others.map(({ id }) => id));
  const byImportance = others
    .map((column, at) => ({ column, at }))
    .toSorted((a, b) => (a.column.priority ?? 2) - (b.column.priority ?? 2) || a.at - b.at);
  let usedPx = widthOf(name, NAME_PX);
  const fits = byImportance.map(({ column }) => {
    usedPx += widthOf(column, USUAL_PX);
    return usedPx <= availablePx;
  });
  return new Set(byImportance.flatMap(({ column }, at) => (fits[at] === true ? [] : [column.id])));
}
