/** How bad a change is when its source doesn't say, and what a change of health is called (schema §5.3). Pure. */
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

const SEVERITIES = new Set(['critical', 'high', 'medium', 'low', 'info']);
/** What other systems call the five levels. */
const ALIASES = lookupTable<string>({
  blocker: 'critical',
  fatal: 'critical',
  error: 'high',
  err: 'high',
  failure: 'high',
  warning: 'medium',
  warn: 'medium',
  moderate: 'medium',
  minor: 'low',
  notice: 'low',
  debug: 'info',
  normal: 'info',
});

const BY_TYPE = lookupTable<string>({
  high: `CrashLoopBackOff OOMKilled OOMKilling SystemOOM Evicted NodeNotReady NodeHasDiskPressure FailedMount
    FailedAttachVolume FailedCreate FailedCreatePodSandBox FailedScheduling ErrImagePull ImagePullBackOff
    InstallFailed UpgradeFailed RollbackFailed PlaybookFailed HealthCheckFailed ReconciliationFailed
    GitOperationFailed AccessDenied RootLogin`,
  medium: `BackOff Failed Unhealthy ProbeWarning InvalidDiskCapacity FreeDiskSpaceFailed Preempted DependencyNotReady
    ProgressDeadlineExceeded NetworkNotReady PermissionAdded PermissionRemoved TerminateInstances DeleteBucket
    DeleteDBInstance AuthorizeSecurityGroupIngress ConsoleLogin`,
  low: `Warning Killing FailedGetResourceMetric FailedComputeMetricsReplicas FailedToUpdateEndpoint StopInstances
    RebootInstances PlaybookCompleted`,
});
const SEVERITY_OF_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_TYPE).flatMap(([severity, types]) =>
    types.split(/\s+/).map((type): [string, string] => [type.toLowerCase(), severity]),
  ),
);

/** The level that the source told; else the one of the type; else info. */
export function changeSeverity(told: string | null, changeType: string): string {
  const said = told?.trim().toLowerCase() ?? '';
  const level = SEVERITIES.has(said) ? said : ALIASES[said];
  return level ?? SEVERITY_OF_TYPE.get(changeType.toLowerCase()) ?? 'info';
}

/** The change that says that an item's health became this. */
export function healthChangeOf(health: string): { changeType: string; severity: string } {
  switch (health) {
    case 'healthy':
      return { changeType: 'Healthy', severity: 'info' };
    case 'unhealthy':
      return { changeType: 'Unhealthy', severity: 'medium' };
    case 'warning':
      return { changeType: 'Warning', severity: 'low' };
    default:
      return { changeType: 'HealthUnknown', severity: 'info' };
  }
}

/** Where changes of health come from, as rows say it. */
export const HEALTH_SOURCE = 'config-db';
