/** The state of the demo's components follows their checks, until topologies are built by the server. Pure. */
import { DEMO_TEAMS } from './demo-company.ts';
import { demoComponentId } from './demo-records.ts';

/** What is read of a check: its canary's namespace and name, and how it is. */
export interface DemoCheckState {
  namespace: string | null;
  canary_name: string | null;
  status: string | null;
}

export interface ComponentState {
  id: string;
  health: 'healthy' | 'warning' | 'unhealthy' | 'unknown';
}

/** Unhealthy when no check passes, warning when some fail; without a known check unknown. */
function stateOf(statuses: readonly (string | null)[]): ComponentState['health'] {
  const healthy = statuses.filter((status) => status === 'healthy').length;
  const unhealthy = statuses.filter((status) => status === 'unhealthy').length;
  if (healthy + unhealthy === 0) return 'unknown';
  if (unhealthy === 0) return 'healthy';
  return healthy === 0 ? 'unhealthy' : 'warning';
}

/** The state of each system and each service. */
export function componentStates(checks: readonly DemoCheckState[]): ComponentState[] {
  const statusesOf = (isWanted: (check: DemoCheckState) => boolean) =>
    checks.filter(isWanted).map(({ status }) => status);
  return DEMO_TEAMS.flatMap(({ namespace, services }) => [
    {
      id: demoComponentId(namespace),
      health: stateOf(statusesOf((check) => check.namespace === namespace)),
    },
    ...services.map((service) => ({
      id: demoComponentId(`${namespace}/${service}`),
      health: stateOf(statusesOf((check) => check.namespace === namespace && check.canary_name === service)),
    })),
  ]);
}
