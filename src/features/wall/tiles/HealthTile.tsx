import { useEffect, useMemo } from 'react';
import type { TileOf } from '../../../contract/http/walls.ts';
import type { HealthRow } from '../../../contract/worker.ts';
import { useHealthView } from '../../../data/queries/health/use-health-view.ts';
import { lookOf } from '../../../domain/check/health.ts';
import { fitOf } from '../../../domain/wall/fit.ts';
import { checkWords } from '../../../ui/marks/check-words.ts';
import { messages } from '../messages.ts';
import { Entries, Entry } from './Entries.tsx';
import { useFitting } from './use-fitting.ts';
import { ALL_CHECKS } from './wall-queries.ts';

const words = messages.tiles;

function Row({ row }: { row: HealthRow }) {
  if (row.kind === 'check')
    return (
      <Entry
        state={row.health.state}
        look={lookOf(row.check, row.health)}
        name={row.check.name}
        checkId={row.check.id}
        aside={checkWords(row.check, row.health)}
      />
    );
  return <Entry state={row.health} name={row.name} aside={words.passing(row.counts.healthy, row.total)} />;
}

/** Groups of checks, or checks, worst first. */
export function HealthTile({ tile, scale }: { tile: TileOf<'health'>; scale: number }) {
  const { groupBy, query } = tile;
  const question = useMemo(() => ({ ...ALL_CHECKS, groupBy, query }), [groupBy, query]);
  const { frame, getRow, setVisibleRange } = useHealthView(question);
  const fitting = useFitting({ scale });
  const { shown, more } = fitOf(frame.rowCount, fitting.capacity);
  useEffect(() => setVisibleRange(0, shown), [setVisibleRange, shown]);
  const rows = Array.from({ length: shown }, (_, at) => getRow(at)).filter((row) => row !== null);
  const empty = frame.isLoaded ? words.noChecks : words.loading;
  return (
    <Entries
      fitting={fitting}
      columns={fitting.columns}
      more={more}
      empty={frame.rowCount === 0 ? empty : null}
    >
      {rows.map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </Entries>
  );
}
