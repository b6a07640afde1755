import { useMemo, useState } from 'react';
import type { HistoryEntry } from '../../../contract/queries/check-queries.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import type { Check } from '../../../domain/check/check.ts';
import { rangeOfRecentRuns } from '../../../domain/check/recent-runs.ts';
import { RECENT_RUNS } from '../../../domain/check/run-text.ts';
import { formatDuration, formatSecond } from '../../../domain/time/format.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { messages } from './messages.ts';
import classes from './RunStrip.module.css';

function runText({ time, status, duration, message, error }: HistoryEntry): string {
  const parts = [
    formatSecond(Date.parse(time)),
    status ? messages.passed : messages.failed,
    duration === null ? '' : formatDuration(duration),
    error ?? message ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function Runs({ entries }: { entries: readonly HistoryEntry[] }) {
  // The oldest on the left, as in the chart; what did not run yet leaves its place empty.
  const runs = entries.slice(0, RECENT_RUNS).toReversed();
  const failed = runs.filter(({ status }) => !status).length;
  const [first, last] = [runs.at(0), runs.at(-1)];
  return (
    <figure className={classes.figure}>
      <div className={classes.runs} role="img" aria-label={messages.recentRuns(runs.length, failed)}>
        {Array.from({ length: RECENT_RUNS - runs.length }, (_, at) => (
          <span key={at} className={classes.empty} />
        ))}
        {runs.map((run) => (
          <span
            key={run.time}
            className={run.status ? classes.passed : classes.failed}
            data-run={run.status ? 'passed' : 'failed'}
            title={runText(run)}
          />
        ))}
      </div>
      {first !== undefined && last !== undefined && (
        <figcaption className={classes.caption}>
          <span>{formatSecond(Date.parse(first.time))}</span>
          <span>{messages.recentRuns(runs.length, failed)}</span>
          <span>{formatSecond(Date.parse(last.time))}</span>
        </figcaption>
      )}
    </figure>
  );
}

/** How the newest runs went, one bar each; a failed one stands out by colour and height. */
export function RunStrip({ check }: { check: Check }) {
  // Asked once: each run moves the times that the range goes by.
  const [range] = useState(() => rangeOfRecentRuns(check));
  const query = useMemo(
    () =>
      ({
        checkId: check.id,
        range,
        status: 'All',
        minMs: null,
        page: 0,
        pageSize: RECENT_RUNS,
      }) as const,
    [check.id, range],
  );
  const { kept, error } = useQuery('check-history', query);
  return (
    <section className={classes.strip} aria-label={messages.recent}>
      {kept !== null && <Runs entries={kept.value.entries} />}
      {/* Why, the chart below says. */}
      {kept === null && error !== null && <p className={classes.caption}>{messages.notKept}</p>}
      {kept === null && error === null && (
        <div className={classes.runs} role="status" aria-label={ui.loading} />
      )}
    </section>
  );
}
