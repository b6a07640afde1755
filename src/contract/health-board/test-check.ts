import type { Check } from '../../domain/check/check.ts';

/** A check for tests: healthy and without times, but for what is given. */
export function check(id: string, over: Partial<Check> = {}): Check {
  return {
    id,
    canary_id: 'c',
    canary_name: 'canary',
    canary_namespace: '',
    name: id,
    namespace: 'default',
    type: 'http',
    icon: null,
    description: null,
    endpoint: null,
    owner: null,
    severity: null,
    labels: {},
    status: 'healthy',
    uptime: { passed: 1, failed: 0 },
    latency: {},
    agent_id: null,
    agent_name: null,
    last_runtime: null,
    next_runtime: null,
    last_transition_time: null,
    created_at: null,
    updated_at: null,
    deleted_at: null,
    silenced_at: null,
    ...over,
  };
}
