/**
 * Health of what keeps replicas running: Deployment, ReplicaSet, StatefulSet, DaemonSet. The health says whether
 * enough replicas serve; the status says where a rollout is.
 */
import { ageMs, numberOf, objectAt } from './health.ts';
import type { Health, Json } from './health.ts';
import { conditionOf, conditionsOf } from './kubernetes-health-conditions.ts';

/** Replicas that are not there after this long are not starting any more, where nothing else is said. */
const START_LIMIT_MS = 10 * 60_000;

interface Replicas {
  desired: number;
  current: number;
  ready: number;
  /** Of an older revision; 0 where the kind has no revisions. */
  outdated: number;
  /** More than wanted. */
  surplus: number;
}

function replicasOf(object: Json): Replicas {
  const status = objectAt(object, 'status');
  const kind = object['kind'];
  if (kind === 'DaemonSet') {
    const desired = numberOf(status['desiredNumberScheduled']);
    const current = numberOf(status['currentNumberScheduled']);
    const updated = status['updatedNumberScheduled'];
    // With OnDelete, old pods stay by intention.
    const isRolling = objectAt(object, 'spec', 'updateStrategy')['type'] !== 'OnDelete';
    const outdated = isRolling ? Math.max(0, current - numberOf(updated)) : 0;
    return { desired, current, ready: numberOf(status['numberReady']), outdated, surplus: 0 };
  }
  const wanted = objectAt(object, 'spec')['replicas'];
  const desired = typeof wanted === 'number' ? wanted : 1;
  const current = numberOf(status['replicas']);
  const outdated = kind === 'ReplicaSet' ? 0 : Math.max(0, current - numberOf(status['updatedReplicas']));
  const surplus = Math.max(0, current - desired);
  return { desired, current, ready: numberOf(status['readyReplicas']), outdated, surplus };
}

function messageOf(replicas: Replicas): string {
  const parts = [`${replicas.ready}/${replicas.desired} ready`];
  if (replicas.outdated > 0) parts.push(`${replicas.outdated} updating`);
  if (replicas.surplus > 0) parts.push(`${replicas.surplus} terminating`);
  return parts.join(', ');
}

/** Enough: all that are wanted, or as many as the controller itself calls available. */
function servingHealth(replicas: Replicas, isAvailable: boolean | null): Health['health'] {
  if (replicas.ready >= replicas.desired || isAvailable === true) return 'healthy';
  return replicas.ready === 0 ? 'unhealthy' : 'warning';
}

function settledStatus(replicas: Replicas, isSteadyKind: boolean): string {
  if (replicas.surplus > 0 && replicas.ready > replicas.desired) return 'Scaling Down';
  if (replicas.ready >= replicas.desired && replicas.outdated === 0) return 'Running';
  if (replicas.outdated > 0) return 'Rolling Out';
  if (replicas.ready === 0 && isSteadyKind) return 'CrashLoopBackOff';
  return replicas.ready === 0 ? 'Updating' : 'Scaling Up';
}

/** Health of a workload at a moment (schema §5.2 kubernetes). */
export function workloadHealth(object: Json, now: Date): Health {
  const replicas = replicasOf(object);
  const conditions = conditionsOf(object);
  const available = conditionOf(conditions, 'Available');
  const isAvailable = available === null ? null : available.status === 'True';
  const message = messageOf(replicas);
  if (replicas.desired === 0 && object['kind'] !== 'DaemonSet') {
    const isDown = replicas.current === 0;
    return { health: 'unknown', status: isDown ? 'Scaled to Zero' : 'Scaling Down', ready: isDown, message };
  }
  const health = servingHealth(replicas, isAvailable);
  if (objectAt(object, 'spec')['paused'] === true)
    return { health, status: 'Suspended', ready: false, message };
  const progressing = conditionOf(conditions, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return { health, status: 'Rollout Failed', ready: false, message };
  const limitMs = numberOf(objectAt(object, 'spec')['progressDeadlineSeconds']) * 1000 || START_LIMIT_MS;
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  const isYoung = age !== null && age < limitMs;
  if (health !== 'healthy' && replicas.ready === 0 && isYoung)
    return { health: 'unknown', status: 'Starting', ready: false, message };
  const isSteadyKind = object['kind'] !== 'Deployment' || progressing?.status === 'False';
  const status = settledStatus(replicas, isSteadyKind);
  return { health, status, ready: status === 'Running', message };
}
