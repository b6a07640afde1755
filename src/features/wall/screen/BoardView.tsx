import type { Board } from '../../../contract/http/walls.ts';
import { TileView } from '../tiles/TileView.tsx';
import classes from './screen.module.css';

/** A board on its grid, as large as what it stands in. */
export function BoardView({ board, scale }: { board: Pick<Board, 'tiles'>; scale: number }) {
  return (
    <div className={classes.board}>
      {board.tiles.map((tile) => (
        <div
          key={tile.id}
          className={classes.place}
          style={{
            gridColumn: `${tile.x + 1} / span ${tile.w}`,
            gridRow: `${tile.y + 1} / span ${tile.h}`,
          }}
        >
          <TileView tile={tile} scale={scale} />
        </div>
      ))}
    </div>
  );
}
