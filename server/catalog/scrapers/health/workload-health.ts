/**
 * Health of what keeps replicas running: Deployment, ReplicaSet, StatefulSet, DaemonSet. The health says whether
 * enough replicas serve; the status says where a rollout is.
 */
import { conditionOf, conditionsOf } from './conditions.ts';
import { MINUTE_MS } from './durations.ts';
import { ageMs, humanWords, listOf, numberOf, objectAt, worstOf } from './health.ts';
import type { Health, Json } from './health.ts';

const START_LIMIT_MS = 10 * MINUTE_MS;

/** How long pods of these containers may take to come up: what their readiness probes allow, ten minutes at least. */
export function startLimitMs(containers: unknown): number {
  const probes = listOf(containers).map((container) => {
    const probe = objectAt(container, 'readinessProbe');
    const triesMs =
      numberOf(probe['failureThreshold']) *
      (numberOf(probe['periodSeconds']) + numberOf(probe['timeoutSeconds']));
    return (numberOf(probe['initialDelaySeconds']) + triesMs) * 1000;
  });
  const longest = Math.max(START_LIMIT_MS, ...probes);
  return Math.floor(longest / MINUTE_MS) * MINUTE_MS;
}

/** Whether something made at a moment is still within the time that it may take to start. */
export function isStarting(object: Json, containers: unknown, now: Date): boolean {
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  return age !== null && Math.floor(age / MINUTE_MS) * MINUTE_MS < startLimitMs(containers);
}

interface Replicas {
  desired: number;
  current: number;
  ready: number;
  updated: number;
}

function replicasOf(object: Json): Replicas {
  const status = objectAt(object, 'status');
  const updated = object['kind'] === 'ReplicaSet' ? 'fullyLabeledReplicas' : 'updatedReplicas';
  const wanted = objectAt(object, 'spec')['replicas'];
  return {
    desired: typeof wanted === 'number' ? wanted : 1,
    current: numberOf(status['replicas']),
    ready: numberOf(status['readyReplicas']),
    updated: numberOf(status[updated]),
  };
}

function messageOf({ desired, current, ready, updated }: Replicas): string {
  const parts = [`${ready}/${desired} ready`];
  if (current !== updated) parts.push(`${current - updated} updating`);
  if (current > desired) parts.push(`${current - desired} terminating`);
  return parts.join(', ');
}

interface Rollout extends Replicas {
  isAvailable: boolean;
  isStarting: boolean;
  hasFailed: boolean;
}

/** Where a rollout is; the later a line, the less it says. */
function statusOf(rollout: Rollout): string {
  const { desired, current, ready, updated } = rollout;
  if (rollout.hasFailed) return 'Rollout Failed';
  if (desired === 0 && current > 0) return 'Scaling Down';
  if (ready === desired && desired === updated && current === desired) return 'Running';
  if (!rollout.isStarting && desired !== updated) return 'Rolling Out';
  if (current > desired) return 'Scaling Down';
  if (current < desired) return 'Scaling Up';
  if (ready > 0) return 'Running';
  if (rollout.isStarting) return 'Starting';
  return rollout.isAvailable ? 'Updating' : 'CrashLoopBackOff';
}

function healthOf(rollout: Rollout): Health['health'] {
  const { current, ready, hasFailed } = rollout;
  const serving = rollout.isAvailable ? 'healthy' : ready > 0 ? 'warning' : 'unhealthy';
  const health = current > 0 ? serving : hasFailed ? 'unhealthy' : 'unknown';
  if (hasFailed) return worstOf(health, 'warning');
  return rollout.isStarting && health !== 'healthy' ? 'unknown' : health;
}

function replicaHealth(object: Json, now: Date): Health {
  const replicas = replicasOf(object);
  const conditions = conditionsOf(object);
  const failure = conditionOf(conditions, 'ReplicaFailure');
  if (failure?.status === 'True') {
    const isSet = object['kind'] === 'ReplicaSet';
    const status = isSet && failure.reason !== '' ? humanWords(failure.reason) : 'Failed Create';
    return { health: 'unhealthy', status, ready: true, message: failure.message };
  }
  const message = messageOf(replicas);
  if (replicas.desired === 0 && replicas.current === 0)
    return { health: 'unknown', status: 'Scaled to Zero', ready: true, message };
  const available = conditionOf(conditions, 'Available');
  const progressing = conditionOf(conditions, 'Progressing');
  const containers = objectAt(object, 'spec', 'template', 'spec')['containers'];
  const starting = isStarting(object, containers, now);
  const rollout: Rollout = {
    ...replicas,
    isAvailable: available === null ? replicas.ready > 0 : available.status === 'True',
    isStarting: starting,
    hasFailed: !starting && progressing?.reason === 'ProgressDeadlineExceeded',
  };
  const isSettled = replicas.current === replicas.desired && replicas.current === replicas.updated;
  const isDone = progressing?.status === 'True' && progressing.reason !== 'ReplicaSetUpdated';
  return { health: healthOf(rollout), status: statusOf(rollout), ready: isSettled && isDone, message };
}

function daemonSetHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const desired = numberOf(status['desiredNumberScheduled']);
  const updated = numberOf(status['updatedNumberScheduled']);
  const available = numberOf(status['numberAvailable']);
  const ready = numberOf(status['numberReady']);
  const isFull = desired === 0 || (available === desired && ready === desired);
  const serving = available > 0 || ready > 0 ? 'warning' : 'unhealthy';
  const health = desired === 0 ? 'unknown' : isFull ? 'healthy' : serving;
  const updates = `${updated} of ${desired} pods updated`;
  // With OnDelete, old pods stay by intention.
  if (objectAt(object, 'spec', 'updateStrategy')['type'] === 'OnDelete')
    return { health, status: 'Running', ready: isFull, message: updates };
  if (updated !== desired) return { health, status: 'Rolling Out', ready: false, message: updates };
  if (isFull) return { health, status: 'Running', ready: true, message: '' };
  const missing = numberOf(status['numberUnavailable']);
  const counts = `${available}/${desired} available, ${ready}/${desired} ready`;
  const message = `DaemonSet not fully available: ${missing} unavailable ${missing === 1 ? 'replica' : 'replicas'} (${counts})`;
  return { health, status: 'Partially Available', ready: false, message };
}

/** Health of a workload at a moment (schema §5.2 kubernetes). */
export function workloadHealth(object: Json, now: Date): Health {
  if (object['kind'] === 'DaemonSet') return daemonSetHealth(object);
  const health = replicaHealth(object, now);
  if (object['kind'] === 'StatefulSet') {
    const { current, updated } = replicasOf(object);
    return { ...health, ready: current === updated };
  }
  if (object['kind'] === 'ReplicaSet') {
    const { desired, ready } = replicasOf(object);
    return { ...health, ready: health.ready || ready === desired };
  }
  if (objectAt(object, 'spec')['paused'] === true) return { ...health, status: 'Suspended', ready: false };
  return health;
}
