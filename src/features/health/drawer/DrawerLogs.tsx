import { useComponentsWithLogs } from '../../../data/queries/logs/use-components-with-logs.ts';
import { ViewLogsOf } from '../../../ui/actions/ViewLogs.tsx';

/** Links to the logs of the components that a check belongs to, those that have some. */
export function DrawerLogs({ checkId }: { checkId: string }) {
  return <ViewLogsOf components={useComponentsWithLogs({ checkId })} />;
}
