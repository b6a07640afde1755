import type { Tile, TileKind } from '../../../contract/http/walls.ts';
import { DEFAULT_GROUP_BY } from '../../../domain/check/grouping.ts';
import { freePlace, roomByHalving, type Cells } from '../../../domain/wall/board.ts';

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

/** The tiles with another one of that kind. */
export interface WithTile {
  tiles: readonly Tile[];
  added: Tile;
  /** The one that was made smaller for it, where the board was full. */
  halved: Tile | null;
}

/** At the first free place, or where the largest tile makes room; null where none can. */
export function withNewTile(kind: TileKind, id: string, tiles: readonly Tile[]): WithTile | null {
  const free = freePlace(tiles, SIZES[kind]);
  const room = free === null ? roomByHalving(tiles) : { tiles, halved: null, place: free };
  if (room === null) return null;
  const added = tileOf(kind, { id, title: '', ...room.place });
  return { tiles: [...room.tiles, added], added, halved: room.halved };
}

function tileOf(kind: TileKind, base: { id: string; title: string } & Cells): Tile {
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
