import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import { useComponent } from '../../../data/queries/use-component.ts';
import { ViewLogs } from '../../../ui/actions/ViewLogs.tsx';

const MOST = 3;

function LogsOf({ id, isNamed }: { id: string; isNamed: boolean }) {
  const { component } = useComponent(id);
  if (component === null || component.logs.length === 0) return null;
  return <ViewLogs componentId={id} {...(isNamed ? { name: component.name } : {})} />;
}

/** Links to the logs of the components that a check belongs to, those that have some. */
export function DrawerLogs({ detail }: { detail: CheckDetail | null }) {
  const components = (detail?.components ?? []).slice(0, MOST);
  return components.map(({ id }) => <LogsOf key={id} id={id} isNamed={components.length > 1} />);
}
