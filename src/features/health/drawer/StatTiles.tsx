import type { GraphView } from '../../../contract/queries/check-queries.ts';
import type { CheckView } from '../../../contract/worker.ts';
import type { Latency } from '../../../domain/check/check.ts';
import {
  formatAge,
  formatDuration,
  formatInstant,
  formatPercent,
  uptimePercent,
} from '../../../domain/time/format.ts';
import type { TimeRange } from '../../../domain/time/ranges.ts';
import { isTimeRange, TIME_RANGES } from '../../../domain/time/ranges.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Tile } from '../../../ui/marks/Tile.tsx';
import { useAge, useTicking } from '../../../ui/hooks/use-ticking.ts';
import classes from './drawer.module.css';
import { messages } from './messages.ts';

const RANGE_OPTIONS = TIME_RANGES.map(({ value }) => ({ value, label: value }));

function durationText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? ui.nothing : formatDuration(ms);
}

function Percentiles({ latency }: { latency: Latency }) {
  return (
    <span className={classes.percentiles}>
      <span>{messages.percentile('p97', durationText(latency.p97))}</span>
      <span>{messages.percentile('p99', durationText(latency.p99))}</span>
    </span>
  );
}

function NextRun({ at }: { at: string | null }) {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  const text = useTicking((nowMs) => {
    if (Number.isNaN(atMs)) return messages.notScheduled;
    // Within a second of the run it is neither ahead nor late.
    if (atMs >= nowMs - 1000) return messages.dueIn(formatAge(atMs - nowMs));
    return messages.overdueBy(formatAge(nowMs - atMs));
  });
  return <span title={Number.isNaN(atMs) ? undefined : formatInstant(atMs)}>{text}</span>;
}

function Transitioned({ at }: { at: string | null }) {
  const atMs = at === null ? null : Date.parse(at);
  const age = useAge(atMs);
  if (atMs === null || Number.isNaN(atMs)) return null;
  return <span title={formatInstant(atMs)}>{messages.transitioned(age)}</span>;
}

interface StatTilesProps {
  view: CheckView;
  graph: GraphView | null;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
}

/** The numbers of the chosen range; those of the list until they are known. */
export function StatTiles({ view, graph, range, onRange }: StatTilesProps) {
  const { check } = view;
  const uptime = graph?.uptime ?? check.uptime;
  const latency = graph?.latency ?? check.latency;
  const percent = uptimePercent(uptime);
  return (
    <div className={classes.tiles}>
      <dl className={classes.tileList}>
        <Tile
          label={messages.uptime}
          value={percent === null ? ui.nothing : formatPercent(percent)}
          note={messages.passedFailed(uptime.passed, uptime.failed)}
        />
        <Tile
          label={`${messages.latency} p95`}
          value={durationText(latency.p95)}
          note={<Percentiles latency={latency} />}
        />
        <Tile label={messages.severity} value={check.severity ?? messages.noSeverity} />
        <Tile
          label={messages.lastRun}
          value={
            check.last_runtime === null ? (
              messages.never
            ) : (
              <Age at={check.last_runtime} suffix={messages.ago} />
            )
          }
          note={<Transitioned at={check.last_transition_time} />}
        />
        <Tile label={messages.nextRun} value={<NextRun at={check.next_runtime} />} />
      </dl>
      <div>
        <SelectField
          label={messages.timeRange}
          caption="above"
          value={range}
          options={RANGE_OPTIONS}
          onChange={(value) => {
            if (isTimeRange(value)) onRange(value);
          }}
        />
      </div>
    </div>
  );
}
