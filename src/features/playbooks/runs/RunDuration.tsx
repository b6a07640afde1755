import { isActionOver, runDurationMs } from '../../../domain/playbook/run.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { messages as ui } from '../../../ui/messages.ts';

interface RunDurationProps {
  run: {
    status?: string | null | undefined;
    start_time?: string | null | undefined;
    end_time?: string | null | undefined;
  };
}

function textAt({ status, ...run }: RunDurationProps['run'], nowMs: number): string {
  const isOver = isActionOver(status);
  const tookMs = runDurationMs(run, nowMs);
  if (tookMs === null || (isOver && (run.end_time ?? null) === null)) return ui.nothing;
  return formatDuration(isOver ? tookMs : Math.floor(tookMs / 1000) * 1000);
}

/** How long a run or a step took; of one that goes on, so far. */
export function RunDuration({ run }: RunDurationProps) {
  return useTicking((nowMs) => textAt(run, nowMs));
}
