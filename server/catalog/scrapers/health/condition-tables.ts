/** What the conditions of kinds with a documented set of them say. Sources: docs/health-rules.md. */
import type { ConditionTable } from './conditions.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const FAILED = { health: 'unhealthy', order: 3, message: true } as const;
const SUSPECT = { health: 'warning', message: true } as const;

const KUSTOMIZATION: ConditionTable = {
  Ready: {
    order: 2,
    ready: true,
    message: true,
    onFalse: FAILED,
    onUnknown: { order: 3, status: 'Progressing', ready: false, message: true },
    reasons: {
      ReconciliationSucceeded: { order: 3, health: 'healthy' },
      Progressing: { order: 3, status: 'Progressing', health: 'unknown', ready: false },
      ProgressingWithRetry: { order: 3, health: 'warning' },
      DependencyNotReady: { order: 3, health: 'unknown' },
      FetchFailed: { order: 3, health: 'warning' },
      PruneFailed: { order: 3, health: 'warning' },
      ArtifactOutdated: { order: 3, health: 'warning' },
      ArtifactFailed: { order: 3, health: 'warning' },
    },
  },
  Healthy: { order: 1, health: 'healthy', onFalse: { ...SUSPECT, order: 1 } },
  Stalled: { order: 4, health: 'unhealthy', message: true, onFalse: {} },
};

const HELM_RELEASE: ConditionTable = {
  Remediated: { ...SUSPECT, onFalse: {} },
  Ready: {
    ready: true,
    health: 'healthy',
    message: true,
    onFalse: { ...FAILED, ready: true },
    onUnknown: { status: 'Reconciling', ready: false, message: true },
  },
  Released: {
    onFalse: {},
    reasons: { InstallSucceeded: { ready: true, health: 'healthy', status: 'ReconciliationSucceeded' } },
  },
  Reconciling: {
    status: 'Reconciling',
    onFalse: {},
    reasons: { ProgressingWithRetry: { health: 'warning', order: 1 } },
  },
  Stalled: { order: 2, health: 'unhealthy', message: true, onFalse: {} },
};

const FLUX_SOURCE: ConditionTable = {
  Reconciling: {
    status: 'Reconciling',
    onFalse: {},
    reasons: { ProgressingWithRetry: { health: 'warning', order: 2 } },
  },
  ArtifactOutdated: { order: 1, status: 'Updating', ready: false, onFalse: {} },
  Ready: {
    ready: true,
    health: 'healthy',
    onFalse: FAILED,
    onUnknown: { status: 'Reconciling', ready: false, message: true },
  },
  Stalled: { order: 2, health: 'unhealthy', ready: false, message: true, onFalse: {} },
  IncludeUnavailable: { health: 'unhealthy', message: true, onFalse: {} },
  FetchFailed: { health: 'unhealthy', message: true, onFalse: {} },
  StorageOperationFailed: { health: 'unhealthy', message: true, onFalse: {} },
  SourceVerified: { order: -1, onFalse: { ...SUSPECT, order: -1 } },
};

/** Config Connector (resources of Google's cloud) says in the reason of `Ready` what happened. */
const CNRM_SAYINGS = {
  DependencyNotFound: { message: true, health: 'unhealthy', ready: true },
  DependencyInvalid: { message: true, health: 'unhealthy', ready: true },
  DependencyNotReady: { message: true, health: 'unknown' },
  Updating: { message: true, health: 'unknown' },
  UpdateFailed: { message: true, health: 'unhealthy', ready: true },
  DeleteFailed: { message: true, health: 'unhealthy', ready: true },
  UpToDate: { message: true, health: 'healthy', ready: true },
} as const;
const CNRM: ConditionTable = { ...CNRM_SAYINGS, Ready: { reasons: CNRM_SAYINGS, message: true } };

const CROSSPLANE: ConditionTable = {
  Healthy: {
    reasons: {
      HealthyPackageRevision: { health: 'healthy', message: true, ready: true },
      UnhealthyPackageRevision: { health: 'unhealthy', message: true },
      UnknownPackageRevisionHealth: { health: 'unknown', message: true },
    },
  },
  Installed: {
    reasons: {
      ActivePackageRevision: { health: 'healthy', message: true, ready: true },
      InactivePackageRevision: { health: 'unknown', message: true },
      UnpackingPackage: { health: 'unknown', message: true },
    },
  },
  Established: { health: 'healthy', ready: true },
  Offered: { health: 'healthy', ready: true },
  Ready: {
    order: 2,
    reasons: {
      Available: { ready: true, health: 'healthy' },
      Unavailable: { health: 'unhealthy', ready: true, message: true },
      Creating: { health: 'unknown', ready: false },
      Deleting: { health: 'unknown', ready: false },
    },
  },
  AsyncOperation: {
    order: -1,
    reasons: { Finished: { order: -1, ready: true }, Ongoing: { order: -1, ready: false } },
    onFalse: {},
  },
  LastAsyncOperation: { order: 3, onFalse: { ...SUSPECT, order: 5 } },
  Synced: {
    order: 4,
    reasons: {
      ReconcileSuccess: { ready: true, health: 'healthy' },
      ReconcileError: { order: 6, ready: true, health: 'unhealthy', message: true },
      ReconcilePaused: { ready: false },
    },
    onFalse: { ...SUSPECT, order: 6 },
  },
};

const TABLES = lookupTable<ConditionTable>({
  'kustomize.toolkit.fluxcd.io/Kustomization': KUSTOMIZATION,
  'helm.toolkit.fluxcd.io/HelmRelease': HELM_RELEASE,
});

/** The table of a kind; null where none is documented. */
export function conditionTableOf(group: string, kind: string): ConditionTable | null {
  const table = TABLES[`${group}/${kind}`];
  if (table !== undefined) return table;
  if (group === 'source.toolkit.fluxcd.io' || group === 'image.toolkit.fluxcd.io') return FLUX_SOURCE;
  if (group.endsWith('crossplane.io') || group.endsWith('upbound.io')) return CROSSPLANE;
  return group.includes('cnrm.cloud.google.com') ? CNRM : null;
}
