/** Health of CloudNativePG's clusters and backups, by the phases and conditions that its API documents. */
import { conditionOf, conditionsOf } from './conditions.ts';
import { objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';

/** Phases in which a cluster that is not ready is in trouble; in the others it is on its way. */
const ILL = new Set([
  'Cluster in healthy state',
  'Switchover in progress',
  'Failing over',
  'Upgrading Postgres major version',
  'Cluster upgrade delayed',
  'Waiting for user action',
  'Primary instance is being restarted in-place',
  'Primary instance is being restarted without a switchover',
  'Online upgrade in progress',
  'Applying configuration',
  'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
  'Cluster cannot proceed to reconciliation due to an error while interacting with plugins',
  'Cluster has incomplete or invalid image catalog',
  'Cluster is unrecoverable and needs manual intervention',
  'Cluster cannot execute instance online upgrade due to missing architecture binary',
  'Unable to create required cluster objects',
  'Invalid cluster definition',
]);

const settled = (health: Health['health'], status: string, message: string): Health => ({
  health,
  status,
  ready: true,
  message,
});
const waiting = (status: string, message: string): Health => ({
  health: 'unknown',
  status,
  ready: false,
  message,
});

function readyHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const ready = conditionOf(conditionsOf(object), 'Ready');
  const phase = textOf(status['phase']);
  const told = textOf(status['phaseReason']) || ready?.message || ready?.reason || phase;
  if (ready?.status === 'True')
    return settled('healthy', ready.reason || 'Healthy', ready.message || ready.reason || told);
  if (ready !== null && ready.status !== 'False') return waiting('Progressing', ready.message || told);
  if (ready === null && phase === 'Cluster in healthy state') return settled('healthy', 'Healthy', told);
  if (ILL.has(phase)) return settled('unhealthy', ready?.reason || 'Degraded', told);
  return waiting('Progressing', told || 'Waiting for Cluster readiness condition');
}

/** Of a Cluster; suspended and hibernated ones are not unhealthy. */
export function postgresHealth(object: Json): Health {
  const conditions = conditionsOf(object);
  if (objectAt(object, 'metadata', 'annotations')['cnpg.io/reconciliationLoop'] === 'disabled')
    return waiting('Suspended', 'Cluster reconciliation is suspended');
  const hibernation = conditionOf(conditions, 'cnpg.io/hibernation');
  if (hibernation?.status === 'True')
    return waiting('Suspended', hibernation.message || hibernation.reason || 'Cluster is hibernated');
  if (Object.keys(objectAt(object, 'status')).length === 0)
    return waiting('Progressing', 'Waiting for CloudNativePG cluster status');
  const health = readyHealth(object);
  const backup = conditionOf(conditions, 'LastBackupSucceeded');
  const hasFailed = backup?.status === 'False' && backup.reason !== 'BackupStarted';
  if (!hasFailed || health.health === 'unhealthy') return health;
  const status = backup.reason || 'LastBackupFailed';
  return { ...health, health: 'warning', status, message: backup.message || 'Last backup failed' };
}

const FAILED_PHASES = new Set(['failed', 'walArchivingFailing', 'invalid backup definition']);

/** Of a Backup, by its phase and error. */
export function backupHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const phase = textOf(status['phase']);
  const error = textOf(status['error']);
  if (phase === '') return waiting('Progressing', 'Waiting for CloudNativePG backup status');
  if (FAILED_PHASES.has(phase) || error !== '')
    return settled(
      'unhealthy',
      'Degraded',
      error || textOf(status['commandError']) || 'CloudNativePG backup failed',
    );
  if (phase === 'completed') return settled('healthy', 'Healthy', 'Backup completed');
  return waiting('Progressing', `Backup ${phase}`);
}
