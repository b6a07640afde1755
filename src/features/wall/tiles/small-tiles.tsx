/** Tiles of one fact: a number, the time, a text. */
import { useMemo, type CSSProperties } from 'react';
import type { TileOf } from '../../../contract/http/walls.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useHealthView } from '../../../data/queries/health/use-health-view.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useOpenIncidents } from './list-tiles.tsx';
import classes from './tiles.module.css';
import { ALL_CHECKS } from './wall-queries.ts';

/** A number is only as bad as it is more than none. */
function Figure({ count, state }: { count: number | null; state: HealthState }) {
  const shown = count === 0 && state !== 'healthy' ? 'healthy' : state;
  return (
    <div className={classes.figure} data-health={count === null ? 'unknown' : shown}>
      <HealthMark state={count === null ? 'unknown' : shown} />
      <strong>{count === null ? ui.nothing : formatCount(count)}</strong>
    </div>
  );
}

function CheckCount({ of, query }: { of: HealthState; query: string }) {
  const question = useMemo(() => ({ ...ALL_CHECKS, query }), [query]);
  const { frame } = useHealthView(question);
  // Before everything came once, a number would say too little.
  const { firstLoad } = useSyncStatus();
  return <Figure count={frame.isLoaded && firstLoad === null ? frame.shown[of] : null} state={of} />;
}

function IncidentCount() {
  const { total, isLoaded } = useOpenIncidents(1);
  const { firstLoad } = useSyncStatus();
  return <Figure count={isLoaded && firstLoad === null ? total : null} state="unhealthy" />;
}

/** How many there are, as large as the tile. */
export function NumberTile({ tile }: { tile: TileOf<'number'> }) {
  return tile.of === 'incidents' ? <IncidentCount /> : <CheckCount of={tile.of} query={tile.query} />;
}

const placeOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

function Clock({ zone }: { zone: string }) {
  const [time, day] = useMemo(
    () => [
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }),
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' }),
    ],
    [zone],
  );
  return (
    <li className={classes.clock}>
      <strong>{useTicking((nowMs) => time.format(nowMs))}</strong>
      <span>{placeOf(zone)}</span>
      <span className={classes.aside}>{useTicking((nowMs) => day.format(nowMs))}</span>
    </li>
  );
}

/** The time at several places. */
export function ClockTile({ tile }: { tile: TileOf<'clock'> }) {
  return (
    <ul className={classes.clocks} style={{ '--count': tile.zones.length } as CSSProperties}>
      {tile.zones.map((zone) => (
        <Clock key={zone} zone={zone} />
      ))}
    </ul>
  );
}

/** Words that somebody wrote; never markup. */
export function TextTile({ tile }: { tile: TileOf<'text'> }) {
  return <p className={classes.text}>{tile.text}</p>;
}
