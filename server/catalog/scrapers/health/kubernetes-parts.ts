/** Health of the smaller kinds of a cluster: namespace, service, ingress, claim, volume, job, cron job, autoscaler. */
import { conditionOf, conditionsOf } from './conditions.ts';
import { goDuration, HOUR_MS } from './durations.ts';
import { ageMs, listOf, objectAt, textOf, timeOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** A load balancer that has no address after this long is not coming by itself. */
const BALANCER_LIMIT_MS = HOUR_MS;

const well = (status: string, message = ''): Health => ({ health: 'healthy', status, ready: true, message });
const notYet = (health: Health['health'], status: string, message = ''): Health => ({
  health,
  status,
  ready: false,
  message,
});

/** A namespace is neither well nor ill: it is there, or it goes. */
export function namespaceHealth(object: Json): Health {
  const phase = textOf(objectAt(object, 'status')['phase']);
  return { health: 'unknown', status: phase || 'Active', ready: phase !== 'Terminating', message: '' };
}

/** Only load balancers say how they are: by whether they have an address, and how long they have waited for it. */
export function serviceHealth(object: Json, now: Date): Health {
  if (objectAt(object, 'spec')['type'] !== 'LoadBalancer')
    return { health: 'unknown', status: 'Unknown', ready: true, message: '' };
  if (listOf(objectAt(object, 'status', 'loadBalancer')['ingress']).length > 0) return well('Running');
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  const isLate = age === null || age >= BALANCER_LIMIT_MS;
  return notYet(isLate ? 'unhealthy' : 'unknown', 'Creating', 'waits for an address of its load balancer');
}

/** By whether its load balancer has given it an address. */
export function ingressHealth(object: Json): Health {
  const addresses = objectAt(object, 'status', 'loadBalancer')['ingress'];
  if (!Array.isArray(addresses)) return notYet('healthy', 'Pending', 'ingress loadbalancer status not found');
  return addresses.length > 0 ? well('Healthy') : notYet('unknown', 'Pending');
}

/** Of a PersistentVolumeClaim, by its phase. */
export function claimHealth(object: Json): Health {
  const phase = textOf(objectAt(object, 'status')['phase']);
  if (phase === 'Bound') return well('Healthy');
  if (phase === 'Pending') return notYet('healthy', 'Progressing');
  return phase === 'Lost' ? notYet('unhealthy', 'Degraded') : notYet('unknown', phase || 'Unknown');
}

const VOLUME_PHASES = lookupTable<Health['health']>({
  Bound: 'healthy',
  Available: 'healthy',
  Released: 'warning',
  Failed: 'unhealthy',
});

/** Of a PersistentVolume, by its phase. */
export function volumeHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const phase = textOf(status['phase']);
  const health = VOLUME_PHASES[phase] ?? 'unknown';
  return {
    health,
    status: phase || 'Unknown',
    ready: health !== 'unknown',
    message: textOf(status['message']),
  };
}

/** By its conditions that hold, failure before completion. */
export function jobHealth(object: Json): Health {
  const held = conditionsOf(object).filter((entry) => entry.status === 'True');
  const failed = conditionOf(held, 'Failed');
  if (failed !== null)
    return { health: 'unhealthy', status: failed.reason || 'Failed', ready: true, message: failed.message };
  const complete = conditionOf(held, 'Complete');
  if (complete !== null) return well('Completed', complete.message);
  const failing = conditionOf(held, 'FailureTarget');
  if (failing !== null) return notYet('unhealthy', failing.reason || 'Failed', failing.message);
  const suspended = conditionOf(held, 'Suspended');
  if (suspended !== null || objectAt(object, 'spec')['suspend'] === true)
    return notYet('unknown', 'Suspended', suspended?.message);
  return notYet('healthy', 'Running');
}

const moment = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ') + ' +0000';

/** By when it was started last and when that went well; suspended is unknown. */
export function cronJobHealth(object: Json): Health {
  if (objectAt(object, 'spec')['suspend'] === true)
    return { health: 'unknown', status: 'Suspended', ready: true, message: '' };
  const status = objectAt(object, 'status');
  const started = timeOf(status['lastScheduleTime']);
  const succeeded = timeOf(status['lastSuccessfulTime']);
  if (started === null) return notYet('unknown', '', 'Not scheduled yet');
  if (listOf(status['active']).length > 0 && succeeded !== null)
    return notYet('healthy', 'Running', `Running since ${moment(started)}`);
  if (succeeded === null) return notYet('unhealthy', 'Error', 'No successful run yet');
  if (succeeded < started) {
    const message = `Last run failed, last successful run was ${moment(succeeded)}`;
    return { health: 'unhealthy', status: 'Error', ready: true, message };
  }
  const took = goDuration(succeeded.getTime() - started.getTime());
  return well('Completed', `Last run at ${moment(started)} in ${took}`);
}

function autoscalerConditions(object: Json): readonly Json[] {
  const own = objectAt(object, 'status')['conditions'];
  if (Array.isArray(own)) return listOf(own);
  // autoscaling/v1 keeps its conditions as text in an annotation.
  const annotations = objectAt(object, 'metadata', 'annotations');
  const text = textOf(annotations['autoscaling.alpha.kubernetes.io/conditions']);
  // Somebody else's text: an unreadable one says as little as none.
  return listOf(jsonOrNull(text));
}

/** What keeps an autoscaler from scaling at all. */
const STUCK = new Set([
  'AbleToScale/FailedGetScale',
  'AbleToScale/FailedUpdateScale',
  'ScalingActive/FailedGetResourceMetric',
  'ScalingActive/InvalidSelector',
]);

/** The first condition that tells decides, as the controller orders them. */
export function autoscalerHealth(object: Json): Health {
  for (const entry of autoscalerConditions(object)) {
    const [type, message] = [textOf(entry['type']), textOf(entry['message'])];
    if (STUCK.has(`${type}/${textOf(entry['reason'])}`)) return notYet('unhealthy', 'Degraded', message);
    if (entry['status'] === 'True' && (type === 'AbleToScale' || type === 'ScalingLimited'))
      return well('Healthy', message);
  }
  return notYet('healthy', 'Progressing', 'Waiting to Autoscale');
}
