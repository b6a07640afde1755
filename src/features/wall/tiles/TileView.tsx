import type { Tile } from '../../../contract/http/walls.ts';
import { messages } from '../messages.ts';
import { CheckTile } from './CheckTile.tsx';
import { HealthTile } from './HealthTile.tsx';
import { ChangesTile, IncidentsTile } from './list-tiles.tsx';
import { ClockTile, NumberTile, TextTile } from './small-tiles.tsx';
import classes from './tiles.module.css';
import { TopologyTile } from './TopologyTile.tsx';

function Content({ tile, scale }: { tile: Tile; scale: number }) {
  switch (tile.kind) {
    case 'health':
      return <HealthTile tile={tile} scale={scale} />;
    case 'topology':
      return <TopologyTile tile={tile} scale={scale} />;
    case 'incidents':
      return <IncidentsTile scale={scale} />;
    case 'changes':
      return <ChangesTile scale={scale} />;
    case 'check':
      return <CheckTile tile={tile} scale={scale} />;
    case 'clock':
      return <ClockTile tile={tile} />;
    case 'number':
      return <NumberTile tile={tile} />;
    case 'text':
      return <TextTile tile={tile} />;
  }
}

/** What a tile is called where nobody named it. */
export function tileTitle(tile: Tile): string {
  if (tile.title !== '') return tile.title;
  return tile.kind === 'number' ? messages.numbers[tile.of] : messages.kinds[tile.kind];
}

const isUntitled = ({ kind, title }: Tile) => title === '' && (kind === 'clock' || kind === 'text');

/** A tile of a board. `scale` is how much larger type is than usual. */
export function TileView({ tile, scale }: { tile: Tile; scale: number }) {
  return (
    <section className={classes.tile} aria-label={tileTitle(tile)} data-kind={tile.kind}>
      {!isUntitled(tile) && <h2 className={classes.title}>{tileTitle(tile)}</h2>}
      <Content tile={tile} scale={scale} />
    </section>
  );
}
