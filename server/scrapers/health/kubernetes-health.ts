/**
 * Health, status, readiness and message of any object of a cluster, by its kind. What no rule knows is judged by
 * its conditions; what has none is unknown. Deletion goes before everything else.
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import { ageMs, objectAt, roughly, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { argoApplicationHealth, conditionHealth } from './kubernetes-health-conditions.ts';
import {
  autoscalerHealth,
  cronJobHealth,
  ingressHealth,
  jobHealth,
  namespaceHealth,
  nodeHealth,
  serviceHealth,
  storageHealth,
} from './kubernetes-health-parts.ts';
import { podHealth } from './kubernetes-health-pod.ts';
import { canaryHealth, notificationHealth, scrapeConfigHealth } from './kubernetes-health-product.ts';
import type { NextRun } from './kubernetes-health-product.ts';
import { workloadHealth } from './kubernetes-health-workload.ts';

/** A deletion that takes longer is held up by a finalizer or a node that is gone. */
const DELETION_LIMIT_MS = 15 * 60_000;

interface Moment {
  now: Date;
  nextRun: NextRun;
}
type Rule = (object: Json, moment: Moment) => Health;

const workload: Rule = (object, { now }) => workloadHealth(object, now);

/** By `group/Kind`; the core group is empty. */
const RULES: Readonly<Record<string, Rule>> = {
  '/Pod': (object, { now }) => podHealth(object, now),
  '/Node': nodeHealth,
  '/Namespace': namespaceHealth,
  '/Service': (object, { now }) => serviceHealth(object, now),
  '/PersistentVolumeClaim': storageHealth,
  '/PersistentVolume': storageHealth,
  'apps/Deployment': workload,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': workload,
  'apps/DaemonSet': workload,
  'batch/Job': jobHealth,
  'batch/CronJob': cronJobHealth,
  'networking.k8s.io/Ingress': ingressHealth,
  'autoscaling/HorizontalPodAutoscaler': autoscalerHealth,
  'argoproj.io/Application': argoApplicationHealth,
  'canaries.flanksource.com/Canary': canaryHealth,
  'mission-control.flanksource.com/Notification': (object, { now }) => notificationHealth(object, now),
  'configs.flanksource.com/ScrapeConfig': (object, { now, nextRun }) =>
    scrapeConfigHealth(object, now, nextRun),
};
/** Their controllers write Ready only when a change is stored; until then they aren't settled. */
const RETRYING_GROUPS = new Set(['mission-control.flanksource.com']);

function deletionHealth(object: Json, of: Health, now: Date): Health | null {
  const since = ageMs(objectAt(object, 'metadata')['deletionTimestamp'], now);
  if (since === null) return null;
  if (since < DELETION_LIMIT_MS)
    return { health: 'unknown', status: 'Terminating', ready: false, message: of.message };
  return {
    health: 'warning',
    status: 'TerminatingStalled',
    ready: false,
    message: `terminating for ${roughly(since)}`,
  };
}

/** What an object of a cluster says about itself at a moment (schema §5.2 kubernetes). */
export function kubernetesHealth(object: unknown, moment: Moment): Health {
  const json = isRecord(object) ? object : {};
  const apiVersion = textOf(json['apiVersion']);
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const key = `${group}/${textOf(json['kind'])}`;
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
  const health = rule?.(json, moment) ?? conditionHealth(json, RETRYING_GROUPS.has(group));
  return deletionHealth(json, health, moment.now) ?? health;
}
