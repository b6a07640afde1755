import { withCells, type Cells } from '../../../domain/wall/board.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const STEPS = lookupTable<readonly [number, number]>({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * The tiles after a key on one of them: an arrow moves it, with Shift it resizes it. Null for another key; the same list
 * where it can't go there.
 */
export function movedByKey<Tile extends Cells & { id: string }>(
  tiles: readonly Tile[],
  tile: Tile,
  { key, shiftKey }: { key: string; shiftKey: boolean },
): readonly Tile[] | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  const { x, y, w, h } = tile;
  const [right, down] = step;
  const cells = shiftKey ? { x, y, w: w + right, h: h + down } : { x: x + right, y: y + down, w, h };
  return withCells(tiles, tile.id, cells);
}
