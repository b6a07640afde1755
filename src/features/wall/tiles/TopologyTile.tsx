import { useEffect, useMemo } from 'react';
import type { TileOf } from '../../../contract/http/walls.ts';
import type { TopologyCard } from '../../../contract/topology-view.ts';
import { useTopologyView } from '../../../data/queries/topology/use-topology.ts';
import { fitOf } from '../../../domain/wall/fit.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { messages } from '../messages.ts';
import { columnsOf, More } from './Entries.tsx';
import classes from './tiles.module.css';
import { useFitting } from './use-fitting.ts';
import { topologyUnder } from './wall-queries.ts';

const words = messages.tiles;
/** Of the screen's smaller side. */
const CARD_PART = 0.13;

function Card({ card }: { card: TopologyCard }) {
  const { health } = card.summary;
  const total = health.healthy + health.unhealthy + health.warning + health.unknown;
  return (
    <li className={classes.card} data-health={card.state}>
      <span className={classes.cardHead}>
        <HealthMark state={card.state} />
        <span className={classes.name}>{card.name}</span>
        <SilencedMark kind="component" id={card.id} />
      </span>
      <span className={classes.cardFoot}>
        <span>{ui.health[card.state]}</span>
        <span className={classes.aside}>{words.passing(health.healthy, total)}</span>
      </span>
    </li>
  );
}

/** Components as cards, worst first. */
export function TopologyTile({ tile, scale }: { tile: TileOf<'topology'>; scale: number }) {
  const question = useMemo(() => topologyUnder(tile.rootId), [tile.rootId]);
  const { frame, getRow, setVisibleRange } = useTopologyView(question);
  const { capacity, columns, lines, measure } = useFitting({ scale, linePart: CARD_PART });
  const { shown, more } = fitOf(frame.rowCount, capacity);
  useEffect(() => setVisibleRange(0, shown), [setVisibleRange, shown]);
  const cards = Array.from({ length: shown }, (_, at) => getRow(at)).filter((card) => card !== null);
  return (
    <div ref={measure} className={classes.fitting}>
      {frame.rowCount === 0 ? (
        <p className={classes.empty}>{frame.isLoaded ? words.noComponents : words.loading}</p>
      ) : (
        <ul
          className={classes.cards}
          style={{
            gridTemplateColumns: columnsOf(columns, capacity, more),
            gridTemplateRows: `repeat(${lines}, minmax(0, 1fr))`,
          }}
        >
          {cards.map((card) => (
            <Card key={card.key} card={card} />
          ))}
          {capacity > 0 && <More count={more} />}
        </ul>
      )}
    </div>
  );
}
