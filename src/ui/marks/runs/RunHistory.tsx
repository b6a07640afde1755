import { memo } from 'react';
import { recentRuns, type RecentRun } from '../../../domain/check/recent-runs.ts';
import { formatAge, formatSecond } from '../../../domain/time/format.ts';
import { useDevice } from '../../Device.tsx';
import { messages } from '../../messages.ts';
import { RunBars } from './RunBars.tsx';

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

function runText(run: RecentRun | undefined, nowMs: number): string {
  if (run === undefined) return '';
  const word = run.isPassed ? messages.runs.passed : messages.runs.failed;
  return messages.runs.one(word, formatSecond(run.atMs), formatAge(nowMs - run.atMs));
}

/** How the newest runs of a check went (its `recent_runs`): low bars passed, high ones failed. */
export const RunHistory = memo(function RunHistory({ runs: text }: { runs: string | null | undefined }) {
  const device = useDevice();
  const runs = recentRuns(text);
  return (
    <RunBars
      shares={runs.map(({ isPassed }) => (isPassed ? 0 : 1))}
      label={summaryOf(runs, device.now())}
      textOf={(at) => runText(runs[at], device.now())}
    />
  );
});
