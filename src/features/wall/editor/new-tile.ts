import type { Tile, TileKind } from '../../../contract/http/walls.ts';
import { DEFAULT_GROUP_BY } from '../../../domain/check/grouping.ts';
import { freePlace } from '../../../domain/wall/board.ts';

const SIZES: Record<TileKind, { w: number; h: number }> = {
  health: { w: 6, h: 5 },
  topology: { w: 6, h: 4 },
  incidents: { w: 4, h: 4 },
  check: { w: 4, h: 3 },
  changes: { w: 5, h: 4 },
  clock: { w: 4, h: 2 },
  number: { w: 2, h: 2 },
  text: { w: 3, h: 2 },
};
/** A check has to be chosen: the board says so until it is. */
const NO_CHECK = '';

/** A tile of that kind at the first free place; null where the board is full. */
export function newTile(kind: TileKind, id: string, tiles: readonly Tile[]): Tile | null {
  const place = freePlace(tiles, SIZES[kind]);
  if (place === null) return null;
  const base = { id, title: '', ...place };
  switch (kind) {
    case 'health':
      return { ...base, kind, groupBy: DEFAULT_GROUP_BY, query: '' };
    case 'topology':
      return { ...base, kind, rootId: null };
    case 'incidents':
    case 'changes':
      return { ...base, kind };
    case 'check':
      return { ...base, kind, checkId: NO_CHECK };
    case 'clock':
      return { ...base, kind, zones: ['UTC'] };
    case 'number':
      return { ...base, kind, of: 'unhealthy', query: '' };
    case 'text':
      return { ...base, kind, text: '' };
  }
}
