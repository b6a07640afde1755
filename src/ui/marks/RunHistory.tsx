import { memo, Suspense, useState, type PointerEvent } from 'react';
import { RECENT_RUNS, recentRuns, type RecentRun } from '../../domain/check/recent-runs.ts';
import { formatAge, formatSecond } from '../../domain/time/format.ts';
import { useDevice } from '../Device.tsx';
import { messages } from '../messages.ts';
import { LazyPanel } from '../overlays/Popover.tsx';
import classes from './RunHistory.module.css';

/** In units of the picture: each run has a slot; a failed one is more than twice as high as one that passed. */
const SLOT = 4;
const BAR = 3;
const HEIGHT = 15;
const PASSED = 6;
const EMPTY = 1;

/** One path for all bars of one look: a row costs three elements, not thirty. */
function bars(slots: readonly number[], height: number): string {
  return slots.map((at) => `M${at * SLOT} ${HEIGHT - height}h${BAR}v${height}h-${BAR}z`).join('');
}

function summaryOf(runs: readonly RecentRun[], nowMs: number): string {
  if (runs.length === 0) return messages.runs.none;
  const failed = runs.filter(({ isPassed }) => !isPassed);
  const last = failed.at(-1);
  return messages.runs.summary(
    runs.length - failed.length,
    runs.length,
    last === undefined ? null : formatAge(nowMs - last.atMs),
  );
}

function runText({ atMs, isPassed }: RecentRun, nowMs: number): string {
  const word = isPassed ? messages.runs.passed : messages.runs.failed;
  return messages.runs.one(word, formatSecond(atMs), formatAge(nowMs - atMs));
}

function Picture({ runs, lead }: { runs: readonly RecentRun[]; lead: number }) {
  const slotsOf = (isPassed: boolean) =>
    runs.flatMap((run, at) => (run.isPassed === isPassed ? [lead + at] : []));
  const empty = Array.from({ length: lead }, (_, at) => at);
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${RECENT_RUNS * SLOT - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {lead > 0 && <path className={classes.empty} d={bars(empty, EMPTY)} />}
      <path className={classes.passed} d={bars(slotsOf(true), PASSED)} />
      <path className={classes.failed} d={bars(slotsOf(false), HEIGHT)} />
    </svg>
  );
}

/**
 * How the newest runs of a check went (its `recent_runs`), the newest on the right: low bars passed, high ones failed.
 * The mouse or a finger on a bar says when that was.
 */
export const RunHistory = memo(function RunHistory({ runs: text }: { runs: string | null | undefined }) {
  const device = useDevice();
  const [shown, setShown] = useState<{ anchor: HTMLElement; run: RecentRun } | null>(null);
  const runs = recentRuns(text);
  const lead = RECENT_RUNS - runs.length;
  const show = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const run = runs[Math.floor(((clientX - left) / width) * RECENT_RUNS) - lead];
    setShown(run === undefined ? null : { anchor: currentTarget, run });
  };
  const hide = () => setShown(null);
  return (
    <span
      className={classes.root}
      role="img"
      aria-label={summaryOf(runs, device.now())}
      data-runs={runs.length}
      onPointerMove={show}
      onPointerDown={show}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') hide();
      }}
      onClick={(event) => {
        // A finger that asks for a time does not open the check as well.
        if (event.nativeEvent instanceof window.PointerEvent && event.nativeEvent.pointerType === 'touch')
          event.stopPropagation();
      }}
    >
      <Picture runs={runs} lead={lead} />
      {shown !== null && (
        <Suspense fallback={null}>
          <LazyPanel kind="tooltip" anchor={shown.anchor} takesFocus={false} onClose={hide}>
            <span className={classes.tip}>{runText(shown.run, device.now())}</span>
          </LazyPanel>
        </Suspense>
      )}
    </span>
  );
});
