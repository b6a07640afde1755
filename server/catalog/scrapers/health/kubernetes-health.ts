/**
 * Health, status, readiness and message of any object of a cluster, by its kind. What no rule knows is judged by
 * its conditions; what has none is unknown. A deletion that hangs goes before everything else.
 */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { applicationSetHealth, argoApplicationHealth, argoRunHealth, rolloutHealth } from './argo-health.ts';
import { acmeHealth, certificateHealth, certificateRequestHealth } from './certificate-health.ts';
import { conditionTableOf } from './condition-tables.ts';
import { plainConditionHealth, tableHealth } from './conditions.ts';
import { goDuration, HOUR_MS, MINUTE_MS, roughly } from './durations.ts';
import { ageMs, joined, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import {
  autoscalerHealth,
  claimHealth,
  cronJobHealth,
  ingressHealth,
  jobHealth,
  namespaceHealth,
  serviceHealth,
  volumeHealth,
} from './kubernetes-parts.ts';
import { nodeHealth } from './node-health.ts';
import { podHealth } from './pod-health.ts';
import { backupHealth, postgresHealth } from './postgres-operator-health.ts';
import {
  canaryHealth,
  generationLag,
  laggingHealth,
  missionControlHealth,
  notificationHealth,
  scrapeConfigHealth,
} from './product-health.ts';
import type { NextRun } from './product-health.ts';
import { workloadHealth } from './workload-health.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** A deletion that takes longer is held up by a finalizer or a node that is gone. */
const DELETION_LIMIT_MS = HOUR_MS;
/** Of a pod it is said earlier: it has nothing to wait for but its grace period. */
const POD_DELETION_LIMIT_MS = 15 * MINUTE_MS;

interface Moment {
  now: Date;
  nextRun: NextRun;
}
type Rule = (object: Json, moment: Moment) => Health;

const workload: Rule = (object, { now }) => workloadHealth(object, now);

/** By `group/Kind`; the core group is empty. */
const RULES = lookupTable<Rule>({
  '/Pod': (object, { now }) => podHealth(object, now),
  '/Node': nodeHealth,
  '/Namespace': namespaceHealth,
  '/Service': (object, { now }) => serviceHealth(object, now),
  '/PersistentVolumeClaim': claimHealth,
  '/PersistentVolume': volumeHealth,
  'apps/Deployment': workload,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': workload,
  'apps/DaemonSet': workload,
  'batch/Job': jobHealth,
  'batch/CronJob': cronJobHealth,
  'networking.k8s.io/Ingress': ingressHealth,
  'extensions/Ingress': ingressHealth,
  'autoscaling/HorizontalPodAutoscaler': autoscalerHealth,
  'argoproj.io/Application': argoApplicationHealth,
  'argoproj.io/ApplicationSet': applicationSetHealth,
  'argoproj.io/Workflow': argoRunHealth,
  'argoproj.io/Rollout': rolloutHealth,
  'argoproj.io/AnalysisRun': argoRunHealth,
  'argoproj.io/Experiment': argoRunHealth,
  'cert-manager.io/Certificate': (object, { now }) => certificateHealth(object, now),
  'cert-manager.io/CertificateRequest': (object, { now }) => certificateRequestHealth(object, now),
  'acme.cert-manager.io/Order': acmeHealth,
  'acme.cert-manager.io/Challenge': acmeHealth,
  'postgresql.cnpg.io/Cluster': postgresHealth,
  'postgresql.cnpg.io/Backup': backupHealth,
  'canaries.flanksource.com/Canary': canaryHealth,
  'mission-control.flanksource.com/Notification': (object, { now }) => notificationHealth(object, now),
  'configs.flanksource.com/ScrapeConfig': (object, { now, nextRun }) =>
    scrapeConfigHealth(object, now, nextRun),
});

/** Kinds that have a rule of their own, as `group/Kind`. */
export const KINDS_WITH_RULES: readonly string[] = Object.keys(RULES);

function ruleOf(group: string, object: Json): Rule {
  const kind = textOf(object['kind']);
  const key = `${group}/${kind}`;
  const own = RULES[key];
  if (own !== undefined) return own;
  if (group.endsWith('flanksource.com')) return missionControlHealth;
  // A chart repository of the OCI kind has no status of its own.
  if (kind === 'HelmRepository' && objectAt(object, 'spec')['type'] === 'oci')
    return () => ({ health: 'unknown', status: '', ready: true, message: '' });
  const table = conditionTableOf(group, kind);
  return table === null ? plainConditionHealth : (about) => tableHealth(about, table);
}

/** A status about an older specification: good news don't count yet, bad news stay. */
function currentHealth(object: Json, group: string, health: Health): Health {
  const lag = generationLag(object);
  if (lag === null) return health;
  if (group.endsWith('flanksource.com')) return laggingHealth(health, lag);
  const message = joined(lag, health.message);
  if (group === 'apps') return { ...health, status: 'Updating', ready: false, message };
  if (health.health !== 'healthy') return { ...health, ready: false, message };
  return { health: 'unknown', status: 'Progressing', ready: false, message };
}

function deletionHealth(object: Json, of: Health, now: Date): Health | null {
  const since = ageMs(objectAt(object, 'metadata')['deletionTimestamp'], now);
  if (since === null) return null;
  if (since >= DELETION_LIMIT_MS)
    return {
      health: 'warning',
      status: 'TerminatingStalled',
      ready: false,
      message: `terminating for ${roughly(since)}`,
    };
  if (object['kind'] !== 'Pod') return { ...of, status: 'Terminating', ready: false };
  const isStuck = since >= POD_DELETION_LIMIT_MS;
  const message = isStuck
    ? `stuck in 'Terminating' for ${goDuration(Math.floor(since / MINUTE_MS) * MINUTE_MS)}`
    : '';
  return { health: isStuck ? 'warning' : 'unknown', status: 'Terminating', ready: false, message };
}

/** What an object of a cluster says about itself at a moment (schema §5.2 kubernetes). */
export function kubernetesHealth(object: unknown, moment: Moment): Health {
  const json = isRecord(object) ? object : {};
  const apiVersion = textOf(json['apiVersion']);
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const health = currentHealth(json, group, ruleOf(group, json)(json, moment));
  return deletionHealth(json, health, moment.now) ?? health;
}
