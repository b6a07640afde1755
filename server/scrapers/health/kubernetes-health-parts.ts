/** Health of the smaller kinds of a cluster: node, namespace, service, claim, volume, job, ingress, autoscaler. */
import { ageMs, listOf, numberOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { conditionOf, conditionsOf } from './kubernetes-health-conditions.ts';

/** A load balancer that has no address after this long is not coming by itself. */
const BALANCER_LIMIT_MS = 15 * 60_000;

const known = (status: string, message = ''): Health => ({ health: 'healthy', status, ready: true, message });

export function nodeHealth(object: Json): Health {
  const conditions = conditionsOf(object);
  const ready = conditionOf(conditions, 'Ready');
  if (ready?.status !== 'True')
    return { health: 'unhealthy', status: 'Not Ready', ready: false, message: ready?.message ?? '' };
  const trouble = conditions.find(
    (entry) =>
      entry.status === 'True' && (entry.type.endsWith('Pressure') || entry.type === 'NetworkUnavailable'),
  );
  if (trouble !== undefined) {
    const status = trouble.type.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
    return { health: 'warning', status, ready: true, message: trouble.message };
  }
  if (objectAt(object, 'spec')['unschedulable'] === true)
    return { health: 'warning', status: 'Cordoned', ready: true, message: 'takes no new pods' };
  return known('Running');
}

export function namespaceHealth(object: Json): Health {
  const phase = textOf(objectAt(object, 'status')['phase']);
  if (phase === 'Terminating') return { health: 'unknown', status: phase, ready: false, message: '' };
  return known(phase === '' ? 'Active' : phase);
}

export function serviceHealth(object: Json, now: Date): Health {
  if (objectAt(object, 'spec')['type'] !== 'LoadBalancer')
    return { health: 'unknown', status: '', ready: true, message: '' };
  if (listOf(objectAt(object, 'status', 'loadBalancer')['ingress']).length > 0) return known('Running');
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  const isLate = age === null || age > BALANCER_LIMIT_MS;
  return {
    health: isLate ? 'unhealthy' : 'unknown',
    status: 'Creating',
    ready: false,
    message: 'waits for an address of its load balancer',
  };
}

export function ingressHealth(object: Json): Health {
  const hasAddress = listOf(objectAt(object, 'status', 'loadBalancer')['ingress']).length > 0;
  return hasAddress ? known('Running') : { health: 'unknown', status: 'Pending', ready: false, message: '' };
}

const PHASES: Readonly<Record<string, Health['health']>> = {
  Bound: 'healthy',
  Available: 'healthy',
  Released: 'warning',
  Pending: 'unknown',
  Lost: 'unhealthy',
  Failed: 'unhealthy',
};

/** Claims and volumes. */
export function storageHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const phase = textOf(status['phase']);
  return {
    health: PHASES[phase] ?? 'unknown',
    status: phase,
    ready: phase !== 'Pending' && phase !== '',
    message: textOf(status['message']),
  };
}

export function jobHealth(object: Json): Health {
  const held = conditionsOf(object).filter((entry) => entry.status === 'True');
  const failed = conditionOf(held, 'Failed');
  if (failed !== null)
    return { health: 'unhealthy', status: failed.reason || 'Failed', ready: true, message: failed.message };
  if (conditionOf(held, 'Complete') !== null) return known('Completed');
  const suspended = conditionOf(held, 'Suspended');
  if (suspended !== null)
    return { health: 'unknown', status: 'Suspended', ready: false, message: suspended.message };
  const hasFailures = numberOf(objectAt(object, 'status')['failed']) > 0;
  return { health: hasFailures ? 'warning' : 'unknown', status: 'Running', ready: false, message: '' };
}

export function cronJobHealth(object: Json): Health {
  if (objectAt(object, 'spec')['suspend'] === true)
    return { health: 'unknown', status: 'Suspended', ready: true, message: '' };
  const isActive = Array.isArray(objectAt(object, 'status')['active']);
  return known(isActive ? 'Active' : 'Scheduled');
}

function autoscalerConditions(object: Json): readonly Json[] {
  const own = objectAt(object, 'status')['conditions'];
  if (Array.isArray(own)) return listOf(own);
  // autoscaling/v1 keeps its conditions as text in an annotation.
  const annotations = objectAt(object, 'metadata', 'annotations');
  const text = textOf(annotations['autoscaling.alpha.kubernetes.io/conditions']);
  try {
    return listOf(JSON.parse(text === '' ? '[]' : text));
  } catch (error) {
    // Somebody else's text; an unreadable one says as little as none.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export function autoscalerHealth(object: Json): Health {
  const conditions = autoscalerConditions(object);
  // Some versions say in the reason what their status does not.
  const stuck = conditions.find(
    (entry) => entry['type'] === 'AbleToScale' && textOf(entry['reason']).startsWith('Failed'),
  );
  const inactive = conditions.find(
    (entry) => entry['type'] === 'ScalingActive' && entry['status'] === 'False',
  );
  const trouble = stuck ?? inactive;
  if (trouble !== undefined) {
    const reason = textOf(trouble['reason']);
    const health = stuck !== undefined || reason.startsWith('Invalid') ? 'unhealthy' : 'warning';
    return { health, status: reason, ready: true, message: textOf(trouble['message']) };
  }
  const isAble = conditions.some((entry) => entry['type'] === 'AbleToScale' && entry['status'] === 'True');
  if (isAble) return known('Healthy');
  return { health: 'unknown', status: 'Progressing', ready: false, message: 'waits for its target' };
}
