/** The grid on which a board is built: tiles are dragged and resized, or moved by keys; their content is live. */
import GridLayout, { getCompactor, type Layout } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import type { Tile } from '../../../contract/http/walls.ts';
import { BOARD_COLUMNS, BOARD_ROWS, withCells } from '../../../domain/wall/board.ts';
import { messages } from '../messages.ts';
import { TileView, tileTitle } from '../tiles/TileView.tsx';
import { useElementSize } from '../use-element-size.ts';
import classes from './editor.module.css';
import { movedByKey } from './move-keys.ts';

const GAP_PX = 6;
/** Tiles stay where they are put, and push no other. */
const STAY = getCompactor(null, false, true);

interface BoardGridProps {
  tiles: readonly Tile[];
  chosenId: string | null;
  onChange: (tiles: readonly Tile[]) => void;
  onChoose: (id: string) => void;
  onRemove: (id: string) => void;
}

/** The tiles where the grid has put them; what it would put over another stays. */
function placed(tiles: readonly Tile[], layout: Layout): readonly Tile[] {
  return layout.reduce<readonly Tile[]>((now, { i, x, y, w, h }) => {
    const tile = now.find(({ id }) => id === i);
    const isSame = tile !== undefined && tile.x === x && tile.y === y && tile.w === w && tile.h === h;
    return isSame ? now : withCells(now, i, { x, y, w, h });
  }, tiles);
}

/** `onChange` gets tiles that never lie over each other. */
export function BoardGrid({ tiles, chosenId, onChange, onChoose, onRemove }: BoardGridProps) {
  const { size, measure } = useElementSize();
  const rowHeight = (size.height - (BOARD_ROWS + 1) * GAP_PX) / BOARD_ROWS;
  const unit = Math.min(size.width, size.height) / 100;
  const scale = (unit * 100) / Math.max(1, Math.min(window.innerWidth, window.innerHeight));
  const press = (tile: Tile, event: React.KeyboardEvent) => {
    if (event.key === 'Delete') onRemove(tile.id);
    const moved = movedByKey(tiles, tile, event);
    if (moved === null) return;
    event.preventDefault();
    onChange(moved);
  };
  return (
    <div ref={measure} className={classes.stage} style={{ '--u': `${unit}px` } as React.CSSProperties}>
      {size.width > 0 && (
        <GridLayout
          width={size.width}
          gridConfig={{
            cols: BOARD_COLUMNS,
            rowHeight,
            maxRows: BOARD_ROWS,
            margin: [GAP_PX, GAP_PX],
            containerPadding: [GAP_PX, GAP_PX],
          }}
          dragConfig={{ enabled: true, bounded: true }}
          compactor={STAY}
          autoSize={false}
          layout={tiles.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h }))}
          onDragStop={(layout) => onChange(placed(tiles, layout))}
          onResizeStop={(layout) => onChange(placed(tiles, layout))}
        >
          {tiles.map((tile) => (
            <div key={tile.id} className={classes.tile} data-chosen={tile.id === chosenId}>
              {/* A picture of the wall; what the tile is and where, the button over it says. */}
              <div className={classes.content} aria-hidden>
                <TileView tile={tile} scale={scale} />
              </div>
              <button
                type="button"
                className={classes.cover}
                aria-label={messages.editor.tile(tileTitle(tile), tile)}
                aria-pressed={tile.id === chosenId}
                onFocus={() => onChoose(tile.id)}
                onClick={() => onChoose(tile.id)}
                onKeyDown={(event) => press(tile, event)}
              />
            </div>
          ))}
        </GridLayout>
      )}
    </div>
  );
}
