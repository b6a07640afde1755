/**
 * Which columns of a table have room. The first one names the row and always stays; the others leave from the
 * least important, and among equals from the last one. A table shows what has no room in a line under the name; a
 * grid, whose rows have one height, leaves it to the page that the row opens.
 */
export interface FoldableColumn {
  id: string;
  /** CSS width that starts with px, such as `104px` or `minmax(200px, 2fr)`; others count as a usual one. */
  width?: string;
  /** 1 stays longest; 2 unless given. 4 is for what says nothing of any row. */
  priority?: 1 | 2 | 3 | 4;
  /** Where it has no room, a table tells it before the others. */
  isFirstFact?: true;
}

const NAME_PX = 240;
/** No name gets less, whatever its column asks for (DataTable.module.css). */
const LEAST_NAME_PX = 160;
const USUAL_PX = 132;
/** Narrower than this is a phone: a name and one line. */
const ONE_COLUMN_PX = 560;
/** A cell gets no wider than this, however much room there is. */
const WIDEST_CELL_PX = 360;

function widthOf({ width }: FoldableColumn, otherwisePx: number): number {
  const px = /^(?:minmax\()?(\d+)px/.exec(width ?? '')?.[1];
  return px === undefined ? otherwisePx : Number(px);
}

const nameWidthOf = (name: FoldableColumn): number => Math.max(LEAST_NAME_PX, widthOf(name, NAME_PX));

interface Room {
  availablePx: number;
  /** Between two columns. */
  gapPx?: number;
  /** A column that stays longest, such as the one that rows are ordered by. */
  keptId?: string | null;
}

/** Ids of the columns that have no room beside the name. */
export function columnsWithoutRoom(
  [name, ...others]: readonly FoldableColumn[],
  { availablePx, gapPx = 0, keptId = null }: Room,
): ReadonlySet<string> {
  if (name === undefined) return new Set();
  const rankOf = ({ id, priority = 2 }: FoldableColumn) => (id === keptId ? 0 : priority);
  const byImportance = others
    .map((column, at) => ({ column, at }))
    .toSorted((a, b) => rankOf(a.column) - rankOf(b.column) || a.at - b.at);
  let usedPx = nameWidthOf(name);
  const fits = byImportance.map(({ column }) => {
    usedPx += gapPx + widthOf(column, USUAL_PX);
    return usedPx <= availablePx;
  });
  return new Set(byImportance.flatMap(({ column }, at) => (fits[at] === true ? [] : [column.id])));
}

/** Ids of the columns of a table that are folded away; none while the room is not known (0). */
export function foldedColumns(columns: readonly FoldableColumn[], availablePx: number): ReadonlySet<string> {
  if (availablePx === 0) return new Set();
  if (availablePx < ONE_COLUMN_PX) return new Set(columns.slice(1).map(({ id }) => id));
  return columnsWithoutRoom(columns, { availablePx });
}

/**
 * How wide the cells beside the name may get, px by column: their own width and an equal share of what is left, so
 * that no long text pushes another column out of sight. Empty while the room is not known (0).
 */
export function cellLimits(
  [name, ...others]: readonly FoldableColumn[],
  availablePx: number,
): ReadonlyMap<string, number> {
  if (availablePx === 0 || name === undefined || others.length === 0) return new Map();
  const widths = others.map((column) => ({ id: column.id, px: widthOf(column, USUAL_PX) }));
  const usedPx = widths.reduce((sum, { px }) => sum + px, nameWidthOf(name));
  const sharePx = Math.max(0, Math.floor((availablePx - usedPx) / others.length));
  return new Map(widths.map(({ id, px }) => [id, Math.max(px, Math.min(px + sharePx, WIDEST_CELL_PX))]));
}

/** Of the columns without room a row tells so many. */
const MOST_FACTS = 3;

/** Which of those that have no room and say something are told under the name. */
export function factsOf<Column extends FoldableColumn>(columns: readonly Column[]): Column[] {
  const rank = ({ isFirstFact }: Column) => (isFirstFact === true ? 0 : 1);
  return columns.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_FACTS);
}
