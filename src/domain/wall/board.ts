/**
 * A board of a wall: tiles on a grid of fixed size, so that every board fits every screen without scrolling. Invariants:
 * tiles lie within the grid and never over each other.
 */
export const BOARD_COLUMNS = 12;
export const BOARD_ROWS = 8;

/** Where a tile lies, in cells; `x` and `y` count from 0. */
export interface Cells {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Whether two tiles share a cell. */
export function overlap(a: Cells, b: Cells): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Whether a tile lies within the grid. */
export function isWithinBoard({ x, y, w, h }: Cells): boolean {
  return x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= BOARD_COLUMNS && y + h <= BOARD_ROWS;
}

/** The first tiles that share a cell, by their place in the list; null where none do. */
export function firstOverlap(tiles: readonly Cells[]): [number, number] | null {
  for (const [at, tile] of tiles.entries()) {
    const other = tiles.findIndex((one, place) => place > at && overlap(tile, one));
    if (other !== -1) return [at, other];
  }
  return null;
}

const WHOLE: readonly Cells[] = Array.from({ length: BOARD_COLUMNS * BOARD_ROWS }, (_, at) => ({
  x: at % BOARD_COLUMNS,
  y: Math.floor(at / BOARD_COLUMNS),
  w: 1,
  h: 1,
}));

/** The first free place of that size, row by row; a smaller one where there is none; null on a full board. */
export function freePlace(tiles: readonly Cells[], wanted: { w: number; h: number }): Cells | null {
  for (let { w, h } = wanted; w >= 1 && h >= 1; w -= 1, h = Math.min(h, w)) {
    const place = WHOLE.map(({ x, y }) => ({ x, y, w, h })).find(
      (cells) => isWithinBoard(cells) && !tiles.some((tile) => overlap(tile, cells)),
    );
    if (place !== undefined) return place;
  }
  return null;
}

/** The tiles with one of them moved or resized; the same list where it would leave the grid or lie over another. */
export function withCells<Tile extends Cells & { id: string }>(
  tiles: readonly Tile[],
  id: string,
  cells: Cells,
): readonly Tile[] {
  const isFree = tiles.every((tile) => tile.id === id || !overlap(tile, cells));
  if (!isWithinBoard(cells) || !isFree) return tiles;
  return tiles.map((tile) => (tile.id === id ? { ...tile, ...cells } : tile));
}

const isWide = ({ w, h }: Cells) => w >= h;

/**
 * Room on a full board: the largest tile gives up the half on its right or below, which is answered as `place`. Null where
 * every tile is a single cell.
 */
export function roomByHalving<Tile extends Cells>(
  tiles: readonly Tile[],
): { tiles: readonly Tile[]; halved: Tile; place: Cells } | null {
  const halved = tiles.toSorted((a, b) => b.w * b.h - a.w * a.h)[0];
  if (halved === undefined || halved.w * halved.h < 2) return null;
  const { x, y, w, h } = halved;
  const kept = isWide(halved) ? { w: Math.ceil(w / 2), h } : { w, h: Math.ceil(h / 2) };
  const place = isWide(halved)
    ? { x: x + kept.w, y, w: w - kept.w, h }
    : { x, y: y + kept.h, w, h: h - kept.h };
  return { tiles: tiles.map((tile) => (tile === halved ? { ...tile, ...kept } : tile)), halved, place };
}
