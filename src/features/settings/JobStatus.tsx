import type { HealthState } from '../../domain/check/health.ts';
import { HealthLabel } from '../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const HEALTH = lookupTable<HealthState>({
  SUCCESS: 'healthy',
  FINISHED: 'healthy',
  WARNING: 'warning',
  FAILED: 'unhealthy',
  STOPPED: 'unhealthy',
});

/** How a job ended, or that it runs, as a mark with its word. */
export function JobStatus({ status }: { status: string | null }) {
  if (status === null || status === '') return ui.nothing;
  return <HealthLabel state={HEALTH[status] ?? 'unknown'} text={status} />;
}
